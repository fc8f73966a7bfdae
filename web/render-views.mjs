/**
 * Writes dist/web-views.json: the fixed views as they stand in the served documents, in all languages, and which files
 * each view and each language needs, so that a document can name them before any script has run. The last step of the
 * build of the page.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createVerifiers } from '@signet/look';
import { AREAS, languages, presetPlatforms, renderViews } from '../dist/web-render/render.js';

/** Words of the views and what they are loaded from; see src/shell/views.ts. */
const SOURCES = {
  '': 'src/search/start-view.tsx',
  '?': 'src/search/search-view.tsx',
  a: 'src/look/avatar-view.tsx',
  bind: 'src/bind/bind-view.tsx',
  example: 'src/verify/example-view.tsx',
  kv: 'src/kv/kv-view.tsx',
  lost: 'src/recovery/lost-view.tsx',
  p: 'src/look/identity-view.tsx',
  recovery: 'src/recovery/recovery-view.tsx',
  revoke: 'src/bind/revoke-view.tsx',
  transparency: 'src/log/log-view.tsx',
  verify: 'src/verify/verify-view.tsx',
};
/** The files of texts, by their sources. */
const TEXTS = /^src\/i18n\/languages\//;
/** Where no view of its own is loaded, the texts are. */
const TEXTS_ALONE = ['-', 'console'];

/** What a view loads late and shows at first: documents name it too. */
const SHOWN_AT_FIRST = { a: ['../packages/sdk/dist/client/read-content.js'] };

const place = (name) => new URL(`../dist/${name}`, import.meta.url);
const { fileOf, imports, late } = JSON.parse(readFileSync(place('web/scripts.json'), 'utf8'));
for (const suffix of ['', '.gz', '.br']) rmSync(place(`web/scripts.json${suffix}`));

/** The scripts that a module needs, that which holds it included. */
function filesOf(source) {
  const file = fileOf[source];
  if (file === undefined) throw new Error(`The build has no file for ${source}.`);
  const files = new Set();
  const add = (name) => {
    if (files.has(name)) return;
    files.add(name);
    imports[name].forEach(add);
  };
  add(file);
  return files;
}

const atFirst = filesOf('src/main.tsx');
const later = (sources) => {
  const files = new Set(sources.flatMap((source) => [...filesOf(source)]));
  return [...files].filter((file) => !atFirst.has(file)).map((file) => `/${file}`);
};

// All platforms of this version; the service leaves out those that it cannot check.
presetPlatforms(
  createVerifiers(null).map(({ platform, publishes, guide }) => ({
    platform,
    label: guide.label,
    identity_example: guide.identityExample,
    needs_proof_location: publishes === 'post',
    proof_location_forms: guide.locationForms,
    steps: guide.steps,
    is_available: true,
    unavailable_reason: '',
  })),
);

const views = {};
const scripts = {};
for (const language of languages) {
  views[language] = await renderViews(language);
  const texts = `src/i18n/languages/${language}`;
  scripts[language] = Object.fromEntries([
    ...TEXTS_ALONE.map((word) => [word, later([`${texts}/index.ts`])]),
    ...Object.entries(SOURCES).map(([word, source]) => {
      const areas = (AREAS[word] ?? []).map((area) => `${texts}/${area}.json`);
      return [word, later([`${texts}/index.ts`, source, ...areas, ...(SHOWN_AT_FIRST[word] ?? [])])];
    }),
  ]);
}
writeFileSync(place('web-views.json'), JSON.stringify({ views, scripts }));
writeWorker();
rmSync(place('web-render'), { recursive: true });

/**
 * Tells the service worker which scripts checking a file loads only then, beyond those that documents name, and which
 * build this is. Texts of other languages are kept when they are used.
 */
function writeWorker() {
  const texts = new Set(Object.keys(fileOf).flatMap((source) => (TEXTS.test(source) ? [fileOf[source]] : [])));
  const found = new Set();
  const add = (file) => {
    // The first load imports all views, and is kept with the documents.
    if (found.has(file) || texts.has(file) || atFirst.has(file)) return;
    found.add(file);
    [...imports[file], ...late[file]].forEach(add);
  };
  filesOf(SOURCES.verify).forEach(add);
  const files = [...found].map((file) => `/${file}`);
  const build = createHash('sha256').update(JSON.stringify({ views, scripts, files })).digest('hex').slice(0, 16);
  const worker = place('web/worker.js');
  const source = readFileSync(worker, 'utf8');
  // The hash in the name of a file may hold two underscores, too.
  const places = ['["__LATE_FILES__"]', '__BUILD__'];
  if (places.some((one) => source.split(one).length !== 2) || source.split('__').length !== 5) {
    throw new Error('The service worker has a place that nothing was written into.');
  }
  const written = source.replace(places[0], () => JSON.stringify(files)).replace(places[1], build);
  writeFileSync(worker, written);
  // Compressed before this, they hold no names.
  for (const suffix of ['.gz', '.br']) rmSync(place(`web/worker.js${suffix}`));
}
