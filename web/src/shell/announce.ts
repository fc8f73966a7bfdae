/** Says something to people who listen to the page instead of looking at it (a polite live region). */
const said = new EventTarget();

export function announce(text: string): void {
  said.dispatchEvent(new CustomEvent('say', { detail: text }));
}

/** Calls `listener` with what is announced; answers how to stop. */
export function onAnnounce(listener: (text: string) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<string>).detail);
  said.addEventListener('say', hear);
  return () => said.removeEventListener('say', hear);
}
