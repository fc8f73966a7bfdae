import { copyFileSync, mkdirSync } from 'node:fs';
import { defineConfig } from 'vite';

const SDK = `${import.meta.dirname}/../packages/sdk/dist`;
const KECCAK = `${import.meta.dirname}/src/embed/small-keccak.ts`;

/** The one file of `<signet-proof>`. Built before the page, whose build writes its compressed forms too. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [
    {
      // No alias: what stands for the library uses a part of it.
      name: 'small-keccak',
      enforce: 'pre',
      resolveId: (id, importer) => (id === '@noble/hashes/sha3.js' && importer !== KECCAK ? KECCAK : null),
    },
    {
      // `import '@signet/sdk/element'` is the same file.
      name: 'into-the-sdk',
      writeBundle({ dir }) {
        mkdirSync(SDK, { recursive: true });
        copyFileSync(`${dir}/embed.js`, `${SDK}/signet-proof.js`);
      },
    },
  ],
  resolve: {
    alias: [
      { find: '@scure/base', replacement: `${import.meta.dirname}/src/embed/small-base.ts` },
      { find: '@noble/hashes/utils.js', replacement: `${import.meta.dirname}/src/embed/small-bytes.ts` },
      // The hashes of @noble/hashes import it, and nothing else in the file does.
      { find: './utils.js', replacement: `${import.meta.dirname}/src/embed/small-hashing.ts` },
      { find: 'canonicalize', replacement: `${import.meta.dirname}/src/embed/small-canonicalize.ts` },
      { find: /^.*\/noble-(curves|ed25519)\.js$/, replacement: `${import.meta.dirname}/src/embed/small-curves.ts` },
    ],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: `${import.meta.dirname}/src/embed/signet-proof.ts`,
      output: { entryFileNames: 'embed.js' },
    },
  },
});
