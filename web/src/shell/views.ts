/**
 * Which view an address shows. Views are loaded when they are needed, so that the first load stays small; each is a
 * module with a default export that takes the place.
 */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadArea } from '../i18n/i18n.js';
import type { Place } from './router.js';

/** A view: `parts` of the place begins behind its own word, so `/a/0x02…` gives `['0x02…']`. */
type View = FunctionComponent<Place>;
type ViewModule = { default: View };

/** By the first part of the path; `''` is the start page. The service knows the same words: src/page/serve-page.ts. */
const VIEWS: Record<string, () => Promise<ViewModule>> = {
  '': () => import('../look/start-view.js'),
  a: () => withArea('log', import('../look/avatar-view.js')),
  console: () => withArea('console', import('../console/console-view.js')),
  p: () => import('../look/identity-view.js'),
  verify: () => import('../look/verify-view.js'),
  bind: () => import('../bind/bind-view.js'),
  revoke: () => import('../bind/revoke-view.js'),
  kv: () => import('../kv/kv-view.js'),
  transparency: () => withArea('log', import('../log/log-view.js')),
};

/** A view, once the texts that only some views show are there too. */
async function withArea(area: Parameters<typeof loadArea>[0], view: Promise<ViewModule>): Promise<ViewModule> {
  await loadArea(area);
  return view;
}

/** What is known of the view so far. */
export type LoadedView =
  { state: 'loading' } | { state: 'unknown' } | { state: 'failed' } | { state: 'ready'; view: View };

/** Loads the view of an address. */
export function useView(word: string): LoadedView {
  const [loaded, setLoaded] = useState<{ word: string; result: LoadedView }>({
    word: '',
    result: { state: 'loading' },
  });
  useEffect(() => {
    let isWanted = true;
    const show = (result: LoadedView) => isWanted && setLoaded({ word, result });
    const load = VIEWS[word];
    if (!load) show({ state: 'unknown' });
    else {
      load().then(
        (module) => show({ state: 'ready', view: module.default }),
        () => show({ state: 'failed' }),
      );
    }
    return () => void (isWanted = false);
  }, [word]);
  return loaded.word === word ? loaded.result : { state: 'loading' };
}
