/** The SDK for a page of a test. */
import * as sdk from '../../packages/sdk/src/index.js';

Object.assign(globalThis, { sdk });
