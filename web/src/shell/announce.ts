import { useEffect } from 'preact/hooks';

const said = new EventTarget();

/** Says something to people who listen to the page instead of looking at it (a polite live region). */
export function announce(text: string): void {
  said.dispatchEvent(new CustomEvent('say', { detail: text }));
}

/** Announces a sentence that came after the view was shown, once; null says nothing. */
export function useAnnounced(text: string | null): void {
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);
}

/** Calls `listener` with what is announced; answers how to stop. */
export function onAnnounce(listener: (text: string) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<string>).detail);
  said.addEventListener('say', hear);
  return () => said.removeEventListener('say', hear);
}
