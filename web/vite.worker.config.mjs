import { defineConfig } from 'vite';

/** The service worker, a build of its own: a classic script at the root, whose place says which addresses it serves. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: '../dist/web',
    // The build of `<signet-proof>` has emptied it.
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      input: `${import.meta.dirname}/src/worker/worker.ts`,
      output: { format: 'iife', entryFileNames: 'worker.js' },
    },
  },
});
