/** Addresses within the page: history, links, and which view a path shows. */
import { useLayoutEffect, useState } from 'preact/hooks';

/** Where the page is. */
export interface Place {
  /** Decoded parts of the path: `['p', 'github', 'alice']`. */
  parts: string[];
  query: URLSearchParams;
}

const moved = new EventTarget();

/** Goes to an address of this page, as a link does. */
export function navigate(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  moved.dispatchEvent(new CustomEvent('move', { detail: replace }));
}

/** The place of the page, shown again whenever it changes. `start` is where there is no browser to read it from. */
export function usePlace(start?: Place): Place {
  const [place, setPlace] = useState(() => start ?? readPlace());
  // Not after the first frame was drawn: going back before that would change the address and nothing else.
  useLayoutEffect(() => {
    const update = () => setPlace(readPlace());
    moved.addEventListener('move', update);
    window.addEventListener('popstate', update);
    document.addEventListener('click', followLink);
    return () => {
      moved.removeEventListener('move', update);
      window.removeEventListener('popstate', update);
      document.removeEventListener('click', followLink);
    };
  }, []);
  return place;
}

/** Links to views are ordinary `<a href>`; only a plain click on one of this page stays in it. */
function followLink(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return;
  }
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.dataset['reload'] !== undefined || (link.hash !== '' && link.pathname === location.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}

/** The address of an Avatar's page. */
export function avatarPath(avatar: string): string {
  return `/a/${encodeURIComponent(avatar)}`;
}

/** The address of a binding's page. */
export function identityPath(platform: string, identity: string): string {
  return `/p/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}`;
}

/** Where the browser is now. */
export function readPlace(): Place {
  const parts = location.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  return { parts, query: new URLSearchParams(location.search) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
