import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { platformIcons } from './platform-icons.mjs';

/** Where the service is, for a page that is deployed alone; empty for the page that the service itself serves. */
const API_URL = process.env.API_URL ?? '';
const COMPRESSED = /\.(js|css|svg|json|webmanifest)$/;

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

/** Writes the one style sheet into the document, so that the first paint waits for nothing else. */
function styleInDocument() {
  return {
    name: 'style-in-document',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const sheet = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'));
      const document = bundle['index.html'];
      const style = String(sheet.source).trim();
      const link = /<link rel="stylesheet"[^>]*>/;
      if (!link.test(document.source)) throw new Error('The document names no style sheet.');
      document.source = named(
        document.source.replace(link, () => `<style>${style}</style>`),
        style,
      );
      delete bundle[sheet.fileName];
    },
  };
}

/** Tells a page that is deployed alone where the service is, and its browser that it may call it. */
function named(html, style) {
  if (API_URL === '') return html;
  const { origin } = new URL(API_URL);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; script-src 'self'; style-src 'sha256-${hash}'; img-src 'self' data:; connect-src 'self' ${origin}; manifest-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types worker`;
  return html
    .replace('name="signet-api" content=""', `name="signet-api" content="${API_URL}"`)
    .replace('<meta charset="utf-8" />', `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
}

/** Writes which script holds each module, and what each script imports; render-views.mjs removes the file again. */
function scriptsOfModules() {
  return {
    name: 'scripts-of-modules',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const nameOf = (id) => path.relative(import.meta.dirname, id);
      const holding = chunks.flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [nameOf(id), fileName]));
      const imported = chunks.map(({ fileName, imports }) => [fileName, imports]);
      const late = chunks.map(({ fileName, dynamicImports }) => [fileName, dynamicImports]);
      const source = JSON.stringify({
        fileOf: Object.fromEntries(holding),
        imports: Object.fromEntries(imported),
        late: Object.fromEntries(late),
      });
      this.emitFile({ type: 'asset', fileName: 'scripts.json', source });
    },
  };
}

/** What every first load needs: frame, router, texts, Preact, and the start page, which is small. */
const START =
  /\/web\/src\/(main\.tsx|i18n\/i18n\.ts|shell\/(app|frame|keep-page|views)\.tsx?|search\/start-view\.tsx)$|vite\/preload/;
/** What so many views and late parts need is one file: most of all the client, and what checks signatures. */
const USES_OF_THE_SHARED = 8;
/** Small components, which come in one file for all views that show what was signed. */
const PARTS = /\/web\/src\/((parts|look|chain|search)\/|shell\/lazy)/;
/** Where keys come from, and what they sign: for all views that sign. The words of a key are loaded when used. */
const KEYS = /\/web\/src\/(keys\/(?!words\.ts)|bind\/signed-text)/;
/** What several parts of recovery need, with the rules of key events. */
const RECOVERY = /\/web\/src\/recovery\/|\/verify\/[a-z]+\/key-events\//;
/** What the client loads when it is used, in pieces that are small. */
const RULES = /\/sdk\/[a-z]+\/(rules|signers\/[\w-]+)\.js$/;
/** What checks answers against a log: all of these together, or none. */
const LOG_CHECKS =
  /(\/sdk\/[a-z]+\/log\/(completeness|(held|head|known|log|one|record)-[\w-]+)|\/verify\/[a-z]+\/log\/tile[\w-]+)\.js$/;

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [styleInDocument(), scriptsOfModules(), platformIcons(), compressFiles()],
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
    // Images would go into the style sheet as data: URLs, which the policy allows, but not fonts or scripts.
    assetsInlineLimit: 2048,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Browsers ask a server for six files at a time, so a slow connection takes them in waves: the start page is
        // two scripts and the texts of one language, and each other view fits into two waves.
        codeSplitting: {
          groups: [
            { name: 'start', test: START, priority: 2 },
            { name: 'shared', test: /./, minShareCount: USES_OF_THE_SHARED, priority: 1 },
            { name: 'parts', test: PARTS, minShareCount: 2 },
            { name: 'keys', test: KEYS, minShareCount: 2 },
            { name: 'recovery', test: RECOVERY, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'rules', test: RULES, minShareCount: 2 },
            { name: 'log-checks', test: LOG_CHECKS, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
