import base from './jest.config.mjs';

/**
 * `npm test --workspace packages/<name>`: the tests of the package in whose folder it is run. They need no service, no
 * database and no build. `npm test` of the root runs them too.
 */
export default { ...base, roots: [process.cwd()], globalSetup: null, globalTeardown: null };
