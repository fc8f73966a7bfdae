import { appendLeaves } from '@signet/verify/internal/log';
import { EMPTY_ROOT, writeMapEntry } from '@signet/verify/internal/map';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../../crypto/hashing.js';
import type { RecordKinds } from '../../ledger/record-kind.js';
import type { MapWriter } from './map/map-writer.js';
import { leafOf, type NewLeaf } from './records/new-leaves.js';
import type { TreeState } from './tree-state.js';
import type { TreeStore } from './tree-store.js';

/**
 * The tree of a log and its map while one batch grows them, whoever signs them: this server, or another one whose
 * entries are taken in. Leaves are added, entries are taken into the map, the last leaf may commit to the map, and all
 * of it ends in a root; nothing counts before `finish`. The tree knows no key and no clock.
 */
export class GrowingTree {
  /** How far the tree comes with what was added and taken in. */
  readonly state: TreeState;
  private readonly leaves: NewLeaf[] = [];
  private mapRoot: Uint8Array = EMPTY_ROOT;

  /**
   * @param manager of a transaction that holds the lock of the log
   * @param before how far the tree has come
   */
  constructor(
    private readonly manager: EntityManager,
    private readonly store: TreeStore,
    private readonly map: MapWriter,
    private readonly kinds: RecordKinds,
    private readonly before: TreeState,
  ) {
    const { size, last, mapSize, mapIndex, mapTop } = before;
    this.state = { size, last: { ...last }, mapSize, mapIndex, mapTop };
  }

  /** How many leaves were added. */
  get added(): number {
    return this.leaves.length;
  }

  /** Adds leaves of records and erasures, or, of a log that another server signs, all that it has next. */
  async add(leaves: NewLeaf[]): Promise<void> {
    if (leaves.length === 0) return;
    const { state } = this;
    await this.store.addLeaves(this.manager, state.size, leaves);
    for (const [place, { kind, recordId }] of leaves.entries()) {
      if (kind === 'map') state.mapIndex = state.size + place;
      const counted = this.kinds.erasedBy(kind) ? 'erasure' : kind;
      const isOfRecord = counted === kind && kind !== 'map';
      state.last[counted] = isOfRecord ? recordId : (state.last[counted] ?? 0) + 1;
    }
    state.size += leaves.length;
    this.leaves.push(...leaves);
  }

  /** Takes entries into the map, up to and without the number `to`. @returns the root of the map */
  async takeIntoMap(to: number): Promise<Uint8Array> {
    const { manager, state, before } = this;
    // While the map is computed, at first or anew, nothing is answered from it.
    const isShown = before.mapIndex !== null && before.mapSize === before.size;
    const written = state.mapSize === before.size && to === state.size ? this.leaves : null;
    const { root, top } = await this.map.takeIn(manager, state.mapTop, [state.mapSize, to], isShown, written);
    state.mapSize = to;
    state.mapTop = top;
    this.mapRoot = root;
    return root;
  }

  /**
   * Adds the entry that commits to the map over all entries before it, which has taken them in.
   * @param now its time, UNIX seconds, unless an entry before it is newer
   */
  async commitToMap(now: number): Promise<void> {
    const { mapIndex } = this.before;
    const before = mapIndex === null ? 0 : await this.store.recordedAt(this.manager, mapIndex);
    const recordedAt = Math.max(now, before, ...this.leaves.map((leaf) => leaf.recordedAt));
    const { size } = this.state;
    const entry = writeMapEntry({ recorded_at: recordedAt, root: Buffer.from(this.mapRoot).toString('hex'), size });
    await this.add([leafOf('map', size, recordedAt, entry)]);
    // The entry says nothing for the map itself.
    this.state.mapSize = this.state.size;
  }

  /** Writes the tiles, and how far the tree has come. @returns its root */
  async finish(): Promise<Uint8Array> {
    const hashes = this.leaves.map(({ hash }) => hash);
    const { root, tiles } = await appendLeaves(
      this.before.size,
      hashes,
      (wanted) => this.store.readTiles(wanted, this.manager),
      sha256,
    );
    await this.store.advance(this.manager, this.before.size, tiles, this.state);
    return root;
  }
}
