/**
 * `node eager-size.mjs ENTRY`: bundles an entry for browsers, with its lazy parts in files of their own, and prints as
 * JSON the bytes after gzip of what loads with the entry (`eager`), and of all. A process of its own, because the
 * native part of the bundler does not take the objects of jest's sandbox.
 */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: process.argv[2] ?? '',
  platform: 'browser',
  external: [/^@signet\/look/],
});
const { output } = await bundle.generate({ format: 'esm', minify: true });
await bundle.close();
const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])));
/** @type {Set<string>} */
const loaded = new Set();
/** @param {string} name */
const load = (name) => {
  if (loaded.has(name)) return;
  loaded.add(name);
  for (const other of chunks.get(name)?.imports ?? []) load(other);
};
for (const { fileName, isEntry } of chunks.values()) if (isEntry) load(fileName);
/** @param {Iterable<string>} names */
const sizeOf = (names) =>
  [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '', { level: 9 }).length, 0);
console.log(JSON.stringify({ eager: sizeOf(loaded), all: sizeOf(chunks.keys()) }));
