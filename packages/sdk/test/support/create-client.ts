/** What an app bundles that makes a client; see `size.spec.ts`. */
export { createClient } from '../../src/index.js';
