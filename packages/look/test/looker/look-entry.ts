/** What looks at bindings, for a page of a test. */
import * as look from '../../src/browser.js';

Object.assign(globalThis, { look });
