/**
 * Joins the compiled service and its packages into a few files in `dist/service`, which `npm start` runs: Node takes
 * most of a start for finding, reading and linking 2,000 modules. What is loaded by settings alone (traces, Arweave,
 * the embedded database) stays in files of its own. The modules in `dist/src` are for commands, tests and benchmarks,
 * which load parts of the service.
 */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each gets a file of its own under its name: what another file starts or measures by its path. */
const ENTRIES = {
  service: 'process/service.js',
  application: 'application.js',
  'embedded-database.worker': 'database/embedded/embedded-database.worker.js',
  'embedded-cluster.process': 'database/embedded/embedded-cluster.process.js',
};

/** Packages that look for native or WebAssembly files beside their own. */
const EXTERNAL = [/^@electric-sql\//, 'fs-native-extensions', 'secp256k1'];

/**
 * These packages make a `require` of their own, which would load packages a second time that are in the bundle already:
 * all of TypeORM, and the checks of a class that are to be inherited. Without it they get those of the bundle.
 */
const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
const WITH_OWN_REQUIRE = [
  '@nestjs/mapped-types/dist/type-helpers.utils.js',
  '@nestjs/typeorm/dist/common/typeorm-compat.js',
];

/**
 * Drivers of other databases, as TypeORM leaves them out of bundles for browsers, and the checks of phone numbers in
 * class-validator, with all countries. Nothing here can use them, and they take 5 MiB of memory.
 */
const LEFT_OUT = /\/node_modules\/(typeorm\/driver\/(?!postgres\/|types\/)[^/]+\/|libphonenumber-js\/).*\.c?js$/;

/** @type {import('rolldown').Plugin} */
const leaveOut = {
  name: 'leave-out',
  load: (id) => (LEFT_OUT.test(id) ? 'module.exports = {};' : null),
};

const found = new Set();
/** @type {import('rolldown').Plugin} */
const useBundledPackages = {
  name: 'use-bundled-packages',
  transform(code, id) {
    const name = WITH_OWN_REQUIRE.find((file) => id.endsWith(`node_modules/${file}`));
    if (!name || !code.includes(OWN_REQUIRE)) return null;
    found.add(name);
    return { code: code.replace(OWN_REQUIRE, ''), map: null };
  },
};

const bundle = await rolldown({
  cwd: ROOT,
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, `dist/src/${file}`])),
  platform: 'node',
  external: EXTERNAL,
  plugins: [useBundledPackages, leaveOut],
  // Drivers and transports of Nest and TypeORM that are not installed, and are looked for only where they are used.
  onLog(level, log, next) {
    if (level === 'warn' && ['UNRESOLVED_IMPORT', 'EVAL'].includes(log.code ?? '')) return;
    next(level, log);
  },
});
await bundle.write({
  dir: 'dist/service',
  cleanDir: true,
  format: 'esm',
  // Entities, migrations, providers and errors are known by the names of their classes.
  keepNames: true,
  // Decorators need reflect-metadata, which has to run before them.
  strictExecutionOrder: true,
  // A file that others share would be named after any of its modules.
  chunkFileNames: ({ isDynamicEntry }) => (isDynamicEntry ? '[name].js' : 'shared.js'),
  comments: { legal: true, annotation: true, jsdoc: false },
  // One character beyond Latin-1 makes V8 keep the whole source in two bytes for each.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  sourcemap: true,
});
await bundle.close();

const missing = WITH_OWN_REQUIRE.filter((name) => !found.has(name));
if (missing.length > 0) throw new Error(`Without a require of its own, so look anew: ${missing.join(', ')}`);
