/** The entry of the log that commits to the map: the last one of each tree head since the first of its kind. */
import { canonicalJson } from '../text/canonical-json.js';

/** The map after the `size` entries before this one. */
export interface MapEntry {
  kind: 'map';
  /** UNIX seconds. */
  recorded_at: number;
  /** The root of the map, 64 hex digits. */
  root: string;
  /** The number of this entry, from 0, and so of the entries before it. */
  size: number;
  v: 1;
}

/** The text of the entry; its UTF-8 bytes are the leaf. */
export function writeMapEntry({ recorded_at, root, size }: Pick<MapEntry, 'recorded_at' | 'root' | 'size'>): string {
  return canonicalJson({ kind: 'map', recorded_at, root, size, v: 1 });
}

/** Reads an entry; null for bytes that are no entry of the map in its one spelling. */
export function readMapEntry(bytes: Uint8Array): MapEntry | null {
  try {
    // A byte order mark is kept, so that it is seen.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const entry = JSON.parse(text) as MapEntry;
    return isMapEntry(entry) && canonicalJson({ ...entry }) === text ? entry : null;
  } catch {
    return null;
  }
}

function isMapEntry({ kind, recorded_at: at, root, size, v, ...more }: MapEntry): boolean {
  return (
    kind === 'map' &&
    v === 1 &&
    typeof root === 'string' &&
    /^[0-9a-f]{64}$/.test(root) &&
    [at, size].every((number) => Number.isSafeInteger(number) && number >= 0) &&
    Object.keys(more).length === 0
  );
}
