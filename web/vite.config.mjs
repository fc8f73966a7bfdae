import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { platformIcons } from './platform-icons.mjs';

/** Where the service is, for a page that is deployed alone; empty for the page that the service itself serves. */
const API_URL = process.env.API_URL ?? '';
const COMPRESSED = /\.(js|css|svg|json)$/;

/** Writes `.br` and `.gz` beside every file that a browser loads, so that the service compresses nothing by itself. */
function compressFiles() {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = path.resolve(root, build.outDir)),
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSED.test(name)) continue;
        const file = path.join(folder, name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

/** Tells a page that is deployed alone where the service is, and its browser that it may call it. */
function nameTheService() {
  return {
    name: 'name-the-service',
    transformIndexHtml: (html) => {
      if (API_URL === '') return html;
      const { origin } = new URL(API_URL);
      const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${origin}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
      return html
        .replace('name="signet-api" content=""', `name="signet-api" content="${API_URL}"`)
        .replace(
          '<meta charset="utf-8" />',
          `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        );
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [nameTheService(), platformIcons(), compressFiles()],
  // In development the service runs beside it.
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/healthz', '/log', '/badge', '/admin', '/metrics'].map((place) => [place, 'http://localhost:3000']),
    ),
  },
  build: {
    outDir: '../dist/web',
    // The build of `<signet-proof>` has emptied it.
    emptyOutDir: false,
    // Browsers since 2022: top-level await, `Object.hasOwn`.
    target: 'es2022',
    // One style sheet: a view that is loaded later does not change how the page looks meanwhile.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // For render-views.mjs, which removes it again.
    manifest: 'manifest.json',
    // Images would go into the style sheet as data: URLs, which the policy allows, but not fonts or scripts.
    assetsInlineLimit: 2048,
    reportCompressedSize: false,
  },
});
