import { defineConfig } from 'vite';

/** The program that renders the fixed views at build time, with all that it imports; see render-views.mjs. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ssr: { noExternal: true },
  build: {
    ssr: 'src/render.tsx',
    outDir: '../dist/web-render',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
  },
});
