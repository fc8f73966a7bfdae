/**
 * Which view an address shows. Views are loaded when they are needed, so that the first load stays small; each is a
 * module with a default export that takes the place.
 */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type LateArea, loadAreas } from '../i18n/i18n.js';
import type { Place } from './router.js';

/** The word of what a search found, which is at the address of the start page (`/?q=`). No path leads to it. */
export const SEARCH = '?';

/** A view: `parts` of the place begins behind its own word, so `/a/0x02…` gives `['0x02…']`. */
type View = FunctionComponent<Place>;
type ViewModule = { default: View };

/** Areas of texts that a view shows beyond those of the start. Documents name their files: web/render-views.mjs. */
export const AREAS = {
  a: ['kv', 'log', 'recovery', 'steps'],
  bind: ['bind'],
  console: ['bind', 'console'],
  example: ['steps'],
  kv: ['bind', 'kv'],
  lost: ['bind', 'recovery'],
  p: ['bind', 'log', 'steps'],
  recovery: ['bind', 'recovery'],
  revoke: ['bind'],
  transparency: ['log', 'steps'],
  verify: ['steps'],
} as const satisfies Record<string, readonly LateArea[]>;

/** By `viewWord`; `''` is the start page. The service knows the same words: src/page/serve-page.ts. */
const VIEWS: Record<string, () => Promise<ViewModule>> = {
  '': () => import('../search/start-view.js'),
  [SEARCH]: () => import('../search/search-view.js'),
  a: () => withAreas(AREAS.a, import('../look/avatar-view.js')),
  console: () => withAreas(AREAS.console, import('../console/console-view.js')),
  p: () => withAreas(AREAS.p, import('../look/identity-view.js')),
  verify: () => withAreas(AREAS.verify, import('../verify/verify-view.js')),
  example: () => withAreas(AREAS.example, import('../verify/example-view.js')),
  bind: () => withAreas(AREAS.bind, import('../bind/bind-view.js')),
  revoke: () => withAreas(AREAS.revoke, import('../bind/revoke-view.js')),
  kv: () => withAreas(AREAS.kv, import('../kv/kv-view.js')),
  lost: () => withAreas(AREAS.lost, import('../recovery/lost-view.js')),
  recovery: () => withAreas(AREAS.recovery, import('../recovery/recovery-view.js')),
  transparency: () => withAreas(AREAS.transparency, import('../log/log-view.js')),
};

/** The word of the view at a place: the first part of its path. */
export function viewWord({ parts, query }: Place): string {
  return parts[0] ?? (query.get('q')?.trim() ? SEARCH : '');
}

/** A view, once the texts that only some views show are there too, and stay with each language that is chosen. */
async function withAreas(areas: readonly LateArea[], view: Promise<ViewModule>): Promise<ViewModule> {
  const [module] = await Promise.all([view, loadAreas(areas)]);
  return module;
}

/** What is known of the view so far. */
export type LoadedView =
  { state: 'loading' } | { state: 'unknown' } | { state: 'failed' } | { state: 'ready'; view: View };

/** Views that were loaded, which are shown at once. */
const loadedViews = new Map<string, LoadedView>();

/** Loads the view of an address, so that `useView` has it at once. */
export async function loadView(word: string): Promise<LoadedView> {
  const load = Object.hasOwn(VIEWS, word) ? VIEWS[word] : undefined;
  if (!load) return { state: 'unknown' };
  try {
    const loaded: LoadedView = { state: 'ready', view: (await load()).default };
    loadedViews.set(word, loaded);
    return loaded;
  } catch {
    return { state: 'failed' };
  }
}

/** The view of an address: loaded where it is not there yet. */
export function useView(word: string): LoadedView {
  const [loaded, setLoaded] = useState<{ word: string; result: LoadedView } | null>(null);
  const known = loadedViews.get(word) ?? (Object.hasOwn(VIEWS, word) ? null : UNKNOWN);
  useEffect(() => {
    if (known) return;
    let isWanted = true;
    void loadView(word).then((result) => isWanted && setLoaded({ word, result }));
    return () => void (isWanted = false);
  }, [word, known]);
  if (known) return known;
  return loaded?.word === word ? loaded.result : { state: 'loading' };
}

const UNKNOWN: LoadedView = { state: 'unknown' };
