import { defineConfig } from 'vite';

/**
 * The document of the frame in which looks are made, and what reads single platforms. A build of its own: it shares no
 * file with the page, which so loads no more than without it.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: '../dist/web',
    // The build of `<signet-proof>` has emptied it.
    emptyOutDir: false,
    target: 'es2022',
    // The policy of the frame lets it load scripts alone.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: `${import.meta.dirname}/look-frame.html` },
  },
});
