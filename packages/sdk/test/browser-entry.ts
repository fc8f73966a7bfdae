/** The SDK for a page of a test. */
import * as sdk from '../src/index.js';

Object.assign(globalThis, { sdk });
