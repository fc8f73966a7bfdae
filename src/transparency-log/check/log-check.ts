import { appendLeaves, erasedEntry, TILE_WIDTH, type TileHashes, tilePath, wordOf } from '@signet/verify/internal/log';
import { isSignedBy, leafHash, readCheckpoint, readLogKey } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { equalBytes, sha256 } from '../../crypto/hashing.js';
import type { RecordKind, RecordKinds } from '../../ledger/record-kind.js';
import { LogFinding } from './log-finding.js';
import { MapCheck } from './map-check.js';
import { HeadFiles } from '../signing/heads/head-files.js';
import { type Head, HEAD_COLUMNS, type SignedHead } from '../signing/heads/signed-head.js';
import type { LogState } from '../signing/heads/log-snapshot.js';
import { endsWithMap, type LoggedNumbers, nothingLogged } from '../tree/tree-state.js';
import { readErased, readErasures } from '../tree/records/erasure-rows.js';
import { entryOf } from '../tree/records/feed-records.js';

/** Leaves that are read and compared at a time: whole tiles. */
const BATCH = 4 * TILE_WIDTH;
const MAX_BATCH_BYTES = 16_000_000;

/** A record whose text is gone without an erasure. */
const hiddenSql = ({ name, feed: { table, number } }: RecordKind): string => `
  select ${number} as id from ${table} where erased is not null
    and not exists (select from erasure where kind = '${name}' and record_id = ${table}.${number}) limit 1`;

interface LeafRow {
  kind: string;
  recordId: number;
  entry: string;
}

/** What a record of the database gives. */
interface Expected {
  id: number;
  entry: string;
}

/**
 * Recomputes the whole tree from the records and erasures that the database holds now, and the map from that,
 * and compares: every entry, the stored tiles of both, every stored tree head with its signature, and the tree head
 * that the files in DATA_DIR and in LOG_HEAD_FOLDERS remember.
 */
export class LogCheck {
  /** Entries that were compared. */
  checked = 0;
  private readonly last: LoggedNumbers;
  /** Tiles that can still grow, by their path. */
  private readonly growing = new Map<string, TileHashes>();
  private heads: SignedHead[] = [];
  private readonly map: MapCheck;
  /** Whether there was an entry of the map, and whether the newest that was compared is one. */
  private hasMap = false;
  private endsWithMap = false;

  constructor(
    private readonly manager: EntityManager,
    private readonly state: LogState,
    private readonly environment: Environment,
    private readonly kinds: RecordKinds,
  ) {
    this.last = nothingLogged(kinds);
    this.map = new MapCheck(manager);
  }

  /** @returns how many tree heads were compared. @throws LogFinding */
  async run(): Promise<number> {
    this.heads = await this.manager.query(`select ${HEAD_COLUMNS} from log_checkpoint as head order by size`);
    const remembered = await new HeadFiles(this.environment, this.state.origin).read();
    if (remembered && remembered.size > (this.heads.at(-1)?.size ?? -1)) {
      throw new LogFinding(
        `A tree head of ${remembered.size} entries was signed; the newest in the database has ${this.heads.at(-1)?.size ?? 'none'}.`,
      );
    }
    const sizes = [...new Set([...this.heads.map(({ size }) => size), ...(remembered ? [remembered.size] : [])])];
    const stops = [...sizes, this.state.size].sort((one, other) => one - other);
    for (const stop of stops) await this.checkHeadsAt(stop, await this.growTo(stop), remembered);
    for (const tile of this.growing.values()) await this.compareTile(tile);
    this.assertCounted();
    await this.assertErasuresKnown();
    if (endsWithMap(this.state)) await this.map.assertStored();
    return this.heads.length;
  }

  /** The root of the first `size` entries. */
  private async growTo(size: number): Promise<Uint8Array> {
    for (;;) {
      // Up to the end of a tile, so that batches of any heads come out alike.
      const end = Math.min(size, (Math.floor(this.checked / BATCH) + 1) * BATCH);
      const leaves = await this.readLeaves(this.checked, end - this.checked);
      const hashes = leaves.map(({ entry }) => leafHash(Buffer.from(entry), sha256));
      await this.compareRecords(leaves);
      const grown = await appendLeaves(
        this.checked,
        hashes,
        async (tiles) => tiles.map(({ level, number }) => this.growing.get(tilePath({ level, number }))!.hashes),
        sha256,
      );
      for (const tile of grown.tiles) await this.keep(tile);
      this.checked = end;
      if (this.checked === size) return grown.root;
    }
  }

  private async keep(tile: TileHashes): Promise<void> {
    const key = tilePath({ level: tile.level, number: tile.number });
    if (tile.width < TILE_WIDTH) return void this.growing.set(key, tile);
    this.growing.delete(key);
    await this.compareTile(tile);
  }

  /** @throws LogFinding */
  private async compareTile({ level, number, hashes }: TileHashes): Promise<void> {
    const sql = 'select hashes from log_tile where level = $1 and number = $2';
    const [row] = await this.manager.query<{ hashes: Buffer }[]>(sql, [level, number]);
    if (!row || !equalBytes(row.hashes, hashes)) {
      throw new LogFinding(`The tile ${number} of level ${level} is not the one that the entries give.`);
    }
  }

  /** @throws LogFinding */
  private async checkHeadsAt(size: number, root: Uint8Array, remembered: Head | null): Promise<void> {
    if (remembered?.size === size && !equalBytes(remembered.root, root)) {
      throw new LogFinding(`The tree head of ${size} entries that was signed had another root than the entries give.`);
    }
    for (const head of this.heads.filter((one) => one.size === size)) {
      const checkpoint = readCheckpoint(head.note);
      const key = readLogKey(this.state.verifierKey);
      const isRight = equalBytes(head.root, root) && checkpoint && equalBytes(checkpoint.root, root);
      if (!isRight || checkpoint.size !== size || checkpoint.origin !== this.state.origin) {
        throw new LogFinding(`The stored tree head of ${size} entries is not the one that the entries give.`);
      }
      if (!key || !isSignedBy(checkpoint.note, key)) {
        throw new LogFinding(`The stored tree head of ${size} entries has no valid signature of the log.`);
      }
      // From the first entry of the map on, each tree head ends with one.
      if (this.hasMap && !this.endsWithMap) {
        throw new LogFinding(`The tree head of ${size} entries does not end with an entry of the map.`);
      }
    }
  }

  /** Whether each entry is that of the next record of its kind as the database holds it now. @throws LogFinding */
  private async compareRecords(leaves: LeafRow[]): Promise<void> {
    const expected = new Map<string, Expected[]>();
    for (const kind of this.kinds) {
      const count = leaves.filter((leaf) => leaf.kind === kind.name).length;
      expected.set(kind.name, await this.nextEntries(kind, count));
    }
    const erasures = await this.erasureEntries(leaves.filter(({ kind }) => this.kinds.erasedBy(kind)).length);
    for (const [index, { kind: name, recordId, entry }] of leaves.entries()) {
      const where = `Entry ${this.checked + index}`;
      this.endsWithMap = name === 'map';
      if (name === 'map') {
        this.hasMap = true;
        this.last.map += 1;
        this.map.assertEntry(entry);
        continue;
      }
      if (this.kinds.erasedBy(name)) {
        if (erasures.shift() !== entry)
          throw new LogFinding(`${where}: what the database shows as erased is not the erasure that was logged.`);
        this.map.apply(entry);
        continue;
      }
      const kind = this.kinds.find(name);
      if (!kind) throw new LogFinding(`${where} is of the kind ${name}, which this version does not know.`);
      const due = this.last[name]! + 1;
      this.last[name] = due;
      if (recordId !== due) throw new LogFinding(`${where} is about ${wordOf(kind)} ${recordId}, not ${due}.`);
      const found = expected.get(name)!.shift();
      if (found?.id !== recordId)
        throw new LogFinding(`${where}: ${wordOf(kind)} ${recordId} is not in the database any more.`);
      if (found.entry !== entry)
        throw new LogFinding(`${where}: ${wordOf(kind)} ${recordId} is not the one that was logged.`);
      this.map.apply(entry);
    }
  }

  /** The entries of the next erasures; null where the database does not show that the record is erased. */
  private async erasureEntries(count: number): Promise<(string | null)[]> {
    const rows = await readErasures(this.manager, this.last.erasure, count);
    this.last.erasure = rows.at(-1)?.id ?? this.last.erasure;
    const entries: (string | null)[] = [];
    for (const row of rows) {
      const erased = await readErased(this.manager, this.kinds, row);
      entries.push(erased && erasedEntry(erased.kind, erased.record, sha256));
    }
    return entries;
  }

  /** @throws LogFinding if the numbers of the last records, behind which the log goes on, are those of another tree */
  private assertCounted(): void {
    for (const [kind, last] of Object.entries({ ...this.last, ...this.state.last })) {
      const counted = this.last[kind];
      if (last !== counted) throw new LogFinding(`log_feed says ${last} for ${kind}, and the entries say ${counted}.`);
    }
  }

  /** A text that is gone without an erasure, which the log would have, was hidden. @throws LogFinding */
  private async assertErasuresKnown(): Promise<void> {
    for (const kind of this.kinds.erasable) {
      const [hidden] = (await this.manager.query(hiddenSql(kind))) as { id: number }[];
      if (hidden) throw new LogFinding(`The text of ${wordOf(kind)} ${hidden.id} is gone, and no erasure says so.`);
    }
  }

  /** What the next `count` records of a kind give; fewer where the database has no more. */
  private async nextEntries(kind: RecordKind, count: number): Promise<Expected[]> {
    const entries: Expected[] = [];
    while (entries.length < count) {
      const after = entries.at(-1)?.id ?? this.last[kind.name]!;
      const rows = await kind.feed.readIn(this.manager, after, count - entries.length, MAX_BATCH_BYTES);
      if (rows.length === 0) break;
      for (const row of rows) entries.push({ id: row.id, entry: entryOf(kind, row) });
    }
    return entries;
  }

  /** @throws LogFinding */
  private async readLeaves(start: number, count: number): Promise<LeafRow[]> {
    const rows: (LeafRow & { index: number })[] = await this.manager.query(
      'select leaf_index as index, kind, record_id as "recordId", entry from log_leaf where leaf_index >= $1 and leaf_index < $2 order by leaf_index',
      [start, start + count],
    );
    const gap = rows.findIndex(({ index }, place) => index !== start + place);
    if (gap >= 0 || rows.length < count) {
      throw new LogFinding(`Entry ${start + (gap >= 0 ? gap : rows.length)} is not in the database any more.`);
    }
    return rows;
  }
}
