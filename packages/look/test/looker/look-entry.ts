/** What looks at bindings, for a page of a test, and what checks their proofs. */
import * as dnssec from '@signet/verify/dnssec';
import * as look from '../../src/browser.js';

Object.assign(globalThis, { dnssec, look });
