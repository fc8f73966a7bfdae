/** Computes the map from the entries of a log, and compares it at each map entry. */
import { encodeHex, type LogEntry, type OtherEntry } from '@signet/verify/log';
import { type AvatarState, MapState, readMapEntry } from '@signet/verify/internal/map';
import { WrongUsageError } from '../../errors.js';
import { type Alarm, alarm, type MonitorState } from './monitor-events.js';

/** Holds what the map is a function of: some numbers for each Avatar, and the holders of each identity. */
export class MapReplay {
  private map = new MapState();
  /** Whether the entry that was read last is a map entry in its place. */
  private endsWithMap = false;
  /** Whether this look has found a map that differs. */
  private hasDiffered = false;

  /**
   * @param state where the map is kept
   * @throws WrongUsageError for a state that has read entries, and no map of them
   */
  constructor(private readonly state: Pick<MonitorState, 'size' | 'map' | 'hasMap' | 'reportedMapMissing'>) {
    this.restore();
  }

  /** Begins a look. */
  begin(): void {
    this.hasDiffered = false;
  }

  /**
   * Takes bytes that call themselves an entry of the map.
   * @returns null where they are none, and otherwise what is wrong with it
   */
  check(index: number, bytes: Uint8Array): Alarm[] | null {
    // Entries are read again after a look that failed.
    if (this.map.size !== index) this.restore();
    const entry = readMapEntry(bytes);
    if (!entry) return null;
    const { size, root } = entry;
    this.state.hasMap = true;
    this.endsWithMap = size === index;
    const alarms = this.endsWithMap
      ? this.compare(root)
      : [alarm('map_size', `Entry ${index} is the map of ${size} entries: it is not in its place.`, { index })];
    this.map.apply(null);
    return alarms;
  }

  /** Takes another entry; null for bytes that are none, and so change nothing. */
  add(entry: LogEntry | OtherEntry | null): void {
    this.endsWithMap = false;
    this.map.apply(entry);
  }

  /** How many patches of an Avatar, a compressed key, the entries so far have. */
  patchesOf(avatar: string): number {
    return this.map.avatar(avatar)?.patches ?? 0;
  }

  /** What the entries so far have of an Avatar, a compressed key; null where they have nothing. */
  countsOf(avatar: string): AvatarState | null {
    return this.map.avatar(avatar);
  }

  /** What is wrong with the end of a tree head of `size` entries: its last one has to be a map entry. */
  problemOfEnd(size: number): Alarm | null {
    if (!this.state.hasMap || this.endsWithMap || this.state.reportedMapMissing === size) return null;
    this.state.reportedMapMissing = size;
    const message = `The tree head of ${size} entries does not end with an entry of the map, as those before it do.`;
    return alarm('map_missing', message, { index: size - 1 });
  }

  /** Keeps the map in the state, to go on from here. */
  keep(): void {
    if (this.map.size !== this.state.map?.size) this.state.map = this.map.save();
  }

  private restore(): void {
    const { map, size } = this.state;
    if ((map?.size ?? 0) !== size)
      throw new WrongUsageError('The state has no map of its entries: begin again without it.');
    this.map = new MapState(undefined, map);
  }

  private compare(root: string): Alarm[] {
    const own = encodeHex(this.map.root());
    if (own === root || this.hasDiffered) return [];
    this.hasDiffered = true;
    const index = this.map.size;
    const message = `Entry ${index} is the first of this look whose map is not that of the entries before it: it has ${root}, and they make ${own}.`;
    return [alarm('map', message, { index })];
  }
}
