/**
 * `node element-hashes.mjs`: reads a list of hex texts as JSON and writes the SHA-256 and keccak-256 of each, by what
 * the build of `<signet-proof>` makes of the hashes of `@noble/hashes`.
 */
import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import config from '../../web/vite.embed.config.mjs';

const CODE = `export { sha256 } from '@noble/hashes/sha2.js'; export { keccak_256 } from '@noble/hashes/sha3.js';`;
const asInTheElement = {
  name: 'as-in-the-element',
  resolveId(id) {
    if (id === 'hashes') return id;
    return config.resolve.alias.find(({ find }) => (typeof find === 'string' ? find === id : find.test(id)))
      ?.replacement;
  },
  load: (id) => (id === 'hashes' ? CODE : null),
};
const build = await rolldown({ input: 'hashes', platform: 'browser', plugins: [...config.plugins, asInTheElement] });
const { output } = await build.generate({ format: 'esm', codeSplitting: false });
const { sha256, keccak_256 } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
const texts = JSON.parse(readFileSync(0, 'utf8'));
const both = (bytes) => [sha256(bytes), keccak_256(bytes)].map((hash) => Buffer.from(hash).toString('hex'));
console.log(JSON.stringify(texts.map((text) => both(new Uint8Array(Buffer.from(text, 'hex'))))));
