/** Computes the map from the entries of a log and the records that they name, and compares it at each map entry. */
import { identityKeyText, isErased } from '@signet/verify';
import { decodeHex, encodeHex, type LogEntry } from '@signet/verify/log';
import { type MapFact, MapState, readMapEntry } from '@signet/verify/map';
import type { FeedLink } from '../../answers.js';
import type { FeedPatch } from '../log-reader.js';
import { type Alarm, alarm, type MonitorState, type QueuedEntry } from './monitor-events.js';

/**
 * Holds what the map is a function of: some numbers for each Avatar, and the holders of each identity. Where a link is
 * missing, the entries behind it wait until the server shows it.
 */
export class MapReplay {
  /** Null where the state is of an early version, and has none that is whole: nothing can be compared then. */
  private map: MapState | null = null;
  private queue: QueuedEntry[] = [];
  /** Whether the entry that was read last is a map entry in its place. */
  private endsWithMap = false;
  /** Whether this look has found a map that differs. */
  private hasDiffered = false;
  /** Whether there was an alarm from which it follows that maps are not compared. */
  private isReported = false;

  /** @param state where the map and its queue are kept */
  constructor(
    private readonly state: Pick<MonitorState, 'size' | 'map' | 'mapQueue' | 'hasMap' | 'reportedMapMissing'>,
  ) {
    // In states of early versions: the map may lack a link.
    if ('toldMap' in state) delete state.map;
    this.restore();
  }

  /**
   * Begins a look: asks again for the links that were missing.
   * @param linkOf the link of an entry as it was logged; null while the server does not show it
   * @returns what is wrong with the maps behind them
   */
  async begin(linkOf: (entry: LogEntry) => Promise<FeedLink | null>): Promise<Alarm[]> {
    this.hasDiffered = false;
    const alarms: Alarm[] = [];
    for (;;) {
      const entry = this.queue[0]?.entry;
      const link = entry && (await linkOf(entry));
      if (!link) return alarms;
      this.queue[0] = { entry, link: contentOf(link) };
      alarms.push(...this.takeIn());
    }
  }

  /**
   * Takes bytes that call themselves an entry of the map.
   * @returns null where they are none, and otherwise what is wrong with it
   */
  check(index: number, bytes: Uint8Array): Alarm[] | null {
    // Entries are read again after a look that failed.
    if (this.map && this.map.size + this.queue.length !== index) this.restore();
    const entry = readMapEntry(bytes);
    if (!entry) return null;
    const { size, root } = entry;
    this.state.hasMap = true;
    this.endsWithMap = size === index;
    if (this.endsWithMap) return this.take({ entry: null, root });
    this.take({ entry: null });
    return [alarm('map_size', `Entry ${index} is the map of ${size} entries: it is not in its place.`, { index })];
  }

  /**
   * Takes another entry; null for bytes that are none, and so change nothing.
   * @param record of a link, as it was logged; null where the server does not show that, which is an alarm
   */
  add(entry: LogEntry | null, record: FeedLink | FeedPatch | null = null): void {
    this.endsWithMap = false;
    this.isReported ||= entry?.kind === 'link' && !record;
    this.take({ entry, ...(record && 'action' in record && { link: contentOf(record) }) });
  }

  /** What is wrong with the end of a tree head of `size` entries: its last one has to be a map entry. */
  problemOfEnd(size: number): Alarm | null {
    if (!this.state.hasMap || this.endsWithMap || this.state.reportedMapMissing === size) return null;
    this.state.reportedMapMissing = size;
    const message = `The tree head of ${size} entries does not end with an entry of the map, as those before it do.`;
    return alarm('map_missing', message, { index: size - 1 });
  }

  /** Why maps are not compared, as a sentence; null where they are, and where the log has none. */
  get notCompared(): string | null {
    if (!this.state.hasMap) return null;
    if (!this.map) return 'No map is compared: the state is of an earlier version. Begin again without it.';
    const entry = this.queue[0]?.entry;
    if (!entry) return null;
    return `Since entry ${this.map.size} no map is compared: the server does not show the link ${entry.id} as it was logged.`;
  }

  /** The alarm of that, unless there was one from which it follows. */
  problemOfComparing(): Alarm | null {
    const { notCompared, isReported } = this;
    if (notCompared === null || isReported) return null;
    this.isReported = true;
    return alarm('map_not_compared', notCompared);
  }

  /** Keeps the map in the state, to go on from here. */
  keep(): void {
    if (!this.map) return;
    if (this.map.size !== this.state.map?.size) this.state.map = this.map.save();
    if (this.queue.length > 0) this.state.mapQueue = [...this.queue];
    else delete this.state.mapQueue;
  }

  private restore(): void {
    const { map, mapQueue = [], size } = this.state;
    this.map = map ? new MapState(undefined, map) : size === 0 ? new MapState() : null;
    this.queue = [...mapQueue];
  }

  private take(one: QueuedEntry): Alarm[] {
    if (!this.map) return [];
    this.queue.push(one);
    return this.takeIn();
  }

  /** Takes in what is before the first link that is missing. */
  private takeIn(): Alarm[] {
    const alarms: Alarm[] = [];
    const missing = this.queue.findIndex(({ entry, link }) => entry?.kind === 'link' && !link);
    for (const { entry, link, root } of this.queue.splice(0, missing < 0 ? this.queue.length : missing)) {
      if (root !== undefined) alarms.push(...this.compare(root));
      this.map!.apply(entry && factOf(entry, link));
    }
    return alarms;
  }

  private compare(root: string): Alarm[] {
    const own = encodeHex(this.map!.root());
    if (own === root || this.hasDiffered) return [];
    this.hasDiffered = true;
    const index = this.map!.size;
    const message = `Entry ${index} is the first of this look whose map is not that of the entries before it: it has ${root}, and they make ${own}.`;
    return [alarm('map', message, { index })];
  }
}

function contentOf(link: FeedLink): NonNullable<QueuedEntry['link']> {
  const identity = isErased(link) ? (link.erased.identity_key ?? '') : identityKeyText(link);
  return { action: link.action === 'create' ? 'create' : 'delete', identity };
}

function factOf({ kind, id, avatar }: LogEntry, link: QueuedEntry['link']): MapFact {
  if (kind === 'kv') return { kind, avatar };
  if (kind === 'erased_link') return { kind, id };
  if (kind !== 'link' || !link) return null;
  return { kind, id, avatar, action: link.action, identity: decodeHex(link.identity) ?? new Uint8Array(32) };
}
