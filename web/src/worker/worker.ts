/**
 * The service worker of the page. It keeps the page and no answer of the service: without a network the page opens, and
 * checks files. Documents come from the network whenever there is one, so an update is there at the next visit; files
 * with a hash in their name never change and come from what is kept. It shows what this browser is told by Web Push.
 * Built on its own (vite.worker.config.mjs).
 */

import { listenToPushes } from './told.js';

/** Files that are loaded when a file is checked, which no document names: written by web/render-views.mjs. */
const LATE_FILES = JSON.parse('["__LATE_FILES__"]') as string[];
const CACHE_PREFIX = 'signet-page-';
/** Another build has another cache, so that one is never half of two builds. */
const CACHE = `${CACHE_PREFIX}__BUILD__`;
/** Views that say something without a service. All others are shown in the document of the start page. */
const KEPT_VIEWS = ['/', '/verify', '/example'];
const KEPT_FILES = [
  '/example.json',
  '/favicon.svg',
  '/platform-icons.svg',
  '/further-platform-icons.svg',
  '/manifest.webmanifest',
  '/icon-192.png',
];
/** The first words of addresses of views; `src/shell/views.ts`. */
const VIEW = /^\/(?:(?:a|bind|console|example|kv|lost|p|recovery|revoke|transparency|verify)(?:\/|$)|$)/;
const NAMED_FILE = /(?:src|href)="(\/assets\/[^"]+)"/g;

/** The parts of a service worker's scope that are used, whose types the page's own do not have. */
interface Scope {
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetched) => void): void;
  registration: { navigationPreload?: { enable(): Promise<void> } };
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetched extends Lasting {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener('install', (event) => event.waitUntil(keepPage()));
scope.addEventListener('activate', (event) => event.waitUntil(Promise.all([forgetOthers(), preloadDocuments()])));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (VIEW.test(pathname)) event.respondWith(documentFor(event, pathname));
  } else if (pathname.startsWith('/assets/') || KEPT_FILES.includes(pathname)) {
    event.respondWith(fileFor(event, pathname));
  }
});

listenToPushes();

/** Keeps the documents of the kept views, in the language of this browser, and all files that they need. */
async function keepPage(): Promise<void> {
  const cache = await caches.open(CACHE);
  const named = await Promise.all(
    KEPT_VIEWS.map(async (view) => {
      const answer = await fetch(view, { headers: { Accept: 'text/html' } });
      if (!answer.ok) throw new Error(`${view} answered ${answer.status}.`);
      await cache.put(view, answer.clone());
      return [...(await answer.text()).matchAll(NAMED_FILE)].map((found) => found[1]!);
    }),
  );
  await cache.addAll([...new Set([...named.flat(), ...LATE_FILES, ...KEPT_FILES])]);
}

async function forgetOthers(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** A worker that has to start first holds no document up. */
async function preloadDocuments(): Promise<void> {
  await scope.registration.navigationPreload?.enable();
}

/** What a proxy answers whose server is down, as during an upgrade. */
const DOWN = [502, 503, 504];

/** A document as the server has it now; where no server answers, the kept one of the view, or of the start page. */
async function documentFor({ request, preloadResponse }: Fetched, pathname: string): Promise<Response> {
  const keptDocument = async () => (await keptAt(pathname)) ?? (await keptAt('/'));
  try {
    const answer = (await preloadResponse) ?? (await fetch(request));
    return DOWN.includes(answer.status) ? ((await keptDocument()) ?? answer) : answer;
  } catch (error) {
    const kept = await keptDocument();
    if (!kept) throw error;
    return kept;
  }
}

/** A file by its name: what is kept, or the network. A file with a hash is kept from then on. */
async function fileFor(event: Fetched, pathname: string): Promise<Response> {
  const isHashed = pathname.startsWith('/assets/');
  const kept = await keptAt(pathname);
  if (kept && isHashed) return kept;
  try {
    const answer = await fetch(event.request);
    if (isHashed && answer.ok) event.waitUntil(keepFile(pathname, answer.clone()));
    return answer;
  } catch (error) {
    if (!kept) throw error;
    return kept;
  }
}

async function keepFile(pathname: string, answer: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(pathname, answer);
}

/** What is kept under an address: a file for every encoding that is asked for, and a document for every language. */
async function keptAt(pathname: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(pathname, { ignoreVary: true, ignoreSearch: true });
}
