/** The list of several accounts, as this browser keeps it for all its windows. */
import type { Several } from './several.js';

const STORED = 'signet-several';

/** The list that was kept, or null. */
export function keptSeveral(): Several | null {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Several | null;
    return kept?.version === 1 && kept.items.length > 0 ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps a list in place of the one before, or none. It holds no secret. */
export function keepSeveral(several: Several | null): void {
  try {
    if (several) localStorage.setItem(STORED, JSON.stringify(several));
    else localStorage.removeItem(STORED);
  } catch {
    // A browser may forbid storage; then the list lasts as long as the page.
  }
}

/** Calls back when another window has changed the list, until the returned function is called. */
export function watchSeveral(onChange: (several: Several | null) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === STORED || key === null) onChange(keptSeveral());
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
