/** Entries of the log, each held against the root that the log signed. */
import type { LogReader } from '@signet/sdk/log';
import {
  inclusionFromTiles,
  readMapEntry,
  type ReadTiles,
  TILE_WIDTH,
  tilePath,
  tileWidth,
} from '@signet/verify/internal/log';
import { type Checkpoint, isIncluded, leafHash, type LogEntry, type MapEntry, readEntry } from '@signet/verify/log';

/** An entry of the log, and whether it leads to the root that the log signed. */
export interface CheckedEntry {
  index: number;
  /** Null for bytes that are no entry that this page knows. */
  entry: LogEntry | MapEntry | null;
  isIncluded: boolean;
}

/** The newest `count` entries below a checkpoint, newest first, each with its own proof from the tiles. */
export async function readEntries(
  { size, root }: Checkpoint,
  count: number,
  reader: LogReader,
): Promise<CheckedEntry[]> {
  const readTiles = rememberingTiles(reader.readTiles);
  const entries: CheckedEntry[] = [];
  const first = Math.max(0, size - count);
  for (let bundle = Math.floor(first / TILE_WIDTH); bundle * TILE_WIDTH < size; bundle++) {
    const found = await reader.entries(bundle, tileWidth('entries', bundle, size));
    for (const [place, bytes] of found.entries()) {
      const index = bundle * TILE_WIDTH + place;
      if (index < first) continue;
      // Tiles that do not lead to the root make proofs that do not either.
      const proof = await inclusionFromTiles(index, size, readTiles).catch(() => []);
      const claim = { leafHash: leafHash(bytes), index, size, root, proof };
      entries.unshift({ index, entry: readEntry(bytes) ?? readMapEntry(bytes), isIncluded: isIncluded(claim) });
    }
  }
  return entries;
}

/** Proofs of neighbours share most of their tiles. */
function rememberingTiles(readTiles: ReadTiles): ReadTiles {
  const known = new Map<string, Promise<Uint8Array>>();
  return (tiles) =>
    Promise.all(
      tiles.map((tile) => {
        const path = tilePath(tile);
        const read = known.get(path) ?? readTiles([tile]).then(([bytes]) => bytes!);
        known.set(path, read);
        return read;
      }),
    );
}
