/** Computes the map from the entries of a log and the records that they name, and compares it at each map entry. */
import { identityKeyText, isErased } from '@signet/verify';
import { decodeHex, encodeHex, type LogEntry } from '@signet/verify/log';
import { type MapEntry, type MapFact, MapState, readMapEntry } from '@signet/verify/map';
import type { FeedLink } from '../../answers.js';
import type { FeedPatch } from '../log-reader.js';
import { type Alarm, alarm, type MonitorState } from './monitor-events.js';

/** Holds what the map is a function of: some numbers for each Avatar, and the holders of each identity. */
export class MapReplay {
  private map: MapState | null;
  /** Whether the entry that was read last is a map entry in its place. */
  private endsWithMap = false;

  /** @param state where `map`, `hasMap` and `toldMap` are kept; one of before the map has none, and compares nothing */
  constructor(private readonly state: Pick<MonitorState, 'size' | 'map' | 'hasMap' | 'toldMap' | 'toldNoMap'>) {
    this.map = this.kept();
  }

  /**
   * Takes bytes that call themselves an entry of the map.
   * @returns null where they are none, and otherwise what is wrong with it
   */
  check(index: number, bytes: Uint8Array): Alarm[] | null {
    // Entries are read again after a look that failed.
    if (this.map && this.map.size !== index) this.map = this.kept();
    const entry = readMapEntry(bytes);
    if (!entry) return null;
    this.state.hasMap = true;
    this.endsWithMap = entry.size === index;
    const problem = this.problemOf(index, entry);
    this.map?.apply(null);
    return problem ? [problem] : [];
  }

  /** Takes another entry with the record that it names; null where it is of no kind that the map counts. */
  add({ kind, id, avatar }: LogEntry, record: FeedLink | FeedPatch | null): void {
    this.endsWithMap = false;
    this.map?.apply(factOf(kind, id, avatar, record));
  }

  /** Says that the record of the newest entry is not the one that was logged: what follows cannot be compared. */
  lose(): void {
    this.endsWithMap = false;
    this.state.toldMap = true;
  }

  /** What is wrong with the end of a tree head of `size` entries: its last one has to be a map entry. */
  problemOfEnd(size: number): Alarm | null {
    if (!this.state.hasMap || this.endsWithMap || this.state.toldNoMap === size) return null;
    this.state.toldNoMap = size;
    const message = `The tree head of ${size} entries does not end with an entry of the map, as those before it do.`;
    return alarm('map_missing', message, { index: size - 1 });
  }

  /** Keeps the map in the state, to go on from here. */
  keep(): void {
    if (this.map && this.map.size !== this.state.map?.size) this.state.map = this.map.save();
  }

  private kept(): MapState | null {
    const { map, size } = this.state;
    return map ? new MapState(undefined, map) : size === 0 ? new MapState() : null;
  }

  private problemOf(index: number, { size, root }: MapEntry): Alarm | null {
    const about = { index };
    if (size !== index) {
      return alarm('map_size', `Entry ${index} is the map of ${size} entries: it is not in its place.`, about);
    }
    if (!this.map || this.state.toldMap) return null;
    const own = encodeHex(this.map.root());
    if (own === root) return null;
    // What follows it differs too.
    this.state.toldMap = true;
    const message = `Entry ${index} is the first whose map is not that of the entries before it: it has ${root}, and they make ${own}.`;
    return alarm('map', message, about);
  }
}

function factOf(kind: string, id: number, avatar: string, record: FeedLink | FeedPatch | null): MapFact {
  if (kind === 'kv') return { kind, avatar };
  if (kind === 'erased_link') return { kind, id };
  if (kind !== 'link' || !record || !('action' in record)) return null;
  const action = record.action === 'create' ? 'create' : 'delete';
  const key = isErased(record) ? (record.erased.identity_key ?? '') : identityKeyText(record);
  return { kind, id, avatar, action, identity: decodeHex(key) ?? new Uint8Array(32) };
}
