import { appendLeaves, inclusionFromTiles, linkEntry, type TileHashes, tilePath } from '@signet/verify/internal/log';
import { decodeHex, leafHash, readEntry, writeLogProof } from '@signet/verify/log';
import { type NoteSigner, signCheckpoint } from '@signet/verify/log-sign';
import { writeMapEntry } from '@signet/verify/internal/map';
import pg from 'pg';
import { endOf, isBelow, isLeaf, type MapLeaf } from '../../src/transparency-log/tree/map/map-slot.js';
import { MapTile } from '../../src/transparency-log/tree/map/map-tile.js';
import { MapTrees } from '../../src/transparency-log/tree/map/map-trees.js';
import type { LogServer } from '../transparency-log/log-client.js';
import { readEntries, readHead } from '../transparency-log/log-client.js';
import { MapReplay } from '../transparency-log/map-replay.js';
import { readFeed } from '../support/chain-checks.js';
import { COUNTED, tamper, WRITTEN_HERE } from '../transparency-log/tampering.js';

type FeedLink = Parameters<typeof linkEntry>[0];

interface StoredEntry {
  kind: string;
  recordId: number;
  text: string;
}

/** Tiles by their numbers, and the number of the highest one. */
interface Tiles {
  top: number;
  tiles: Map<number, MapTile>;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const inHex = (bytes: Uint8Array) => `decode('${hexOf(bytes)}', 'hex')`;

/**
 * A log in the hands of an operator who has its database and its key, and signs whatever he likes behind what the log
 * has. Nothing is written before `sign`.
 */
export class ForgedLog {
  private mapTiles: Tiles | null = null;
  private tree: TileHashes[] = [];
  private note = '';

  private constructor(
    private readonly url: string,
    private readonly signer: NoteSigner,
    readonly entries: StoredEntry[],
    private readonly links: FeedLink[],
  ) {}

  /** All that the log of a server has. */
  static async of(server: LogServer, url: string, signer: NoteSigner): Promise<ForgedLog> {
    const head = (await readHead(server))!;
    const entries = (await readEntries(server, head.size)).map(({ bytes, entry }, index) => ({
      kind: entry.kind,
      recordId: entry.id ?? index,
      text: Buffer.from(bytes).toString(),
    }));
    return new ForgedLog(url, signer, entries, (await readFeed(server)) as unknown as FeedLink[]);
  }

  get size(): number {
    return this.entries.length;
  }

  /** The number of the entry of a link, from 0. */
  indexOf(linkId: number): number {
    return this.entries.findIndex(({ kind, recordId }) => kind === 'link' && recordId === linkId);
  }

  /** The map as the first `size` entries make it, to be changed. */
  map(size = this.size): MapReplay {
    const replay = new MapReplay();
    for (const { text } of this.entries.slice(0, size)) {
      const entry = readEntry(Buffer.from(text));
      if (entry) replay.apply(entry);
      else replay.pass();
    }
    return replay;
  }

  /** Adds an entry, of whatever form. */
  append(kind: string, recordId: number, text: string): void {
    this.entries.push({ kind, recordId, text });
  }

  /** Adds the entry of a link that waits, with the time at which the database says that it was recorded. */
  async appendLink(link: FeedLink): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    const { rows } = await client
      .query<{ at: number }>('select floor(extract(epoch from recorded_at))::int as at from chain_link where id = $1', [
        link.id,
      ])
      .finally(() => client.end());
    this.links[link.id - 1] = link;
    this.append('link', link.id, linkEntry(link, rows[0]!.at));
  }

  /**
   * Adds an entry of the map, by default the right one. `map` is stored as well, as the map of the entries before;
   * `root` and `size` are what the entry says instead of it.
   */
  async appendMap({
    map = this.map(),
    root,
    size = this.size,
  }: { map?: MapReplay; root?: string; size?: number } = {}) {
    await this.store(map);
    this.appendRoot(root ?? map.root(), size);
  }

  /**
   * Adds an entry of the map over tiles that nobody would make: where the way of the key `to` ends stands the leaf of
   * the key `from`, both 64 hex digits.
   */
  async appendMisplaced({ from, to }: { from: string; to: string }): Promise<void> {
    await this.store(this.map());
    const { tiles, top } = this.mapTiles!;
    const leaves = [...tiles.values()].flatMap((tile) => tile.all()).filter(isLeaf);
    const tile = tiles.get(top)!;
    tile.set(
      parseInt(to[0]!, 16),
      leaves.find(({ key }) => hexOf(key) === from)!,
    );
    this.appendRoot(hexOf(tile.root()), this.size);
  }

  /** What the stored tiles prove of a key of the map (64 hex digits), as `GET /v1/log/map` has it. */
  proofOfKey(key: string) {
    const { tiles, top } = this.mapTiles!;
    const siblings: string[] = [];
    for (let number = top, depth = 0; ; depth++) {
      const path = tiles.get(number)!.path(decodeHex(key)!, depth);
      siblings.unshift(...path.siblings.map(hexOf).reverse());
      if (!isBelow(path.end)) {
        const end = path.end && endOf(path.end);
        return { siblings, end: end && { key: hexOf(end.key), value_hash: hexOf(end.valueHash) } };
      }
      number = path.end.number;
    }
  }

  /** Writes it all over what the database has: entries, tiles, map, and a tree head with a valid signature. */
  async sign(): Promise<void> {
    const leaves = this.entries.map(({ text }) => leafHash(Buffer.from(text)));
    const { tiles, root } = await appendLeaves(0, leaves, async () => []);
    this.tree = tiles;
    this.note = signCheckpoint({ origin: this.signer.key.name, size: this.size, root }, this.signer);
    const stored = [...(this.mapTiles?.tiles ?? [])].map(([number, tile]) => `(${number}, ${inHex(tile.encode())})`);
    const top = this.mapTiles?.top ?? '(select map_top from log_state)';
    const entries = this.entries.map(
      ({ kind, recordId, text }, index) => `(${index}, '${kind}', ${recordId}, ${pg.escapeLiteral(text)})`,
    );
    const tilesOfLog = tiles.map(({ level, number, hashes }) => `(${level}, ${number}, ${inHex(hashes)})`);
    const newestMap = this.entries.findLastIndex(({ kind }) => kind === 'map');
    await tamper(
      this.url,
      'delete from log_leaf',
      `insert into log_leaf (leaf_index, kind, record_id, entry) values ${entries.join(', ')}`,
      'delete from log_tile',
      `insert into log_tile (level, number, hashes) values ${tilesOfLog.join(', ')}`,
      ...(stored.length > 0
        ? ['delete from map_past', 'delete from map_tile', `insert into map_tile values ${stored.join(', ')}`]
        : []),
      `insert into log_checkpoint (size, root, note, map_top)
         values (${this.size}, ${inHex(root)}, ${pg.escapeLiteral(this.note)}, ${top})`,
      `update log_state set size = ${this.size}, map_size = ${newestMap + 1}, map_index = ${newestMap}, map_top = ${top}`,
      COUNTED,
      ...WRITTEN_HERE,
    );
  }

  /** The proof file of an entry, by the tree head that was signed last. */
  async proofOf(index: number): Promise<string> {
    const tiles = new Map(this.tree.map((tile) => [tilePath({ level: tile.level, number: tile.number }), tile.hashes]));
    const proof = await inclusionFromTiles(index, this.size, async (wanted) =>
      wanted.map(({ level, number }) => tiles.get(tilePath({ level, number }))!),
    );
    return writeLogProof({ index, proof, extra: Buffer.from(this.entries[index]!.text), checkpoint: this.note });
  }

  private appendRoot(root: string, size: number): void {
    this.append('map', this.size, writeMapEntry({ recorded_at: now(), root, size }));
  }

  /** Makes the tiles of a map. */
  private async store(map: MapReplay): Promise<void> {
    const trees = new MapTrees(async () => new Map(), { top: 0, next: 1, isShown: false });
    const changesOf = (leaves: Iterable<[string, Omit<MapLeaf, 'key'>]>) =>
      [...leaves].map(([name, leaf]): [Uint8Array, MapLeaf] => {
        const key = decodeHex(name)!;
        return [key, { key, ...leaf }];
      });
    const { '': leaves, ...holders } = Object.fromEntries(map.trees());
    const changes = changesOf(leaves!);
    for (const [key, leaf] of changes) {
      const held = holders[hexOf(key)];
      if (held) leaf.holders = await trees.changeHolders(null, changesOf(held));
    }
    await trees.change(changes);
    const { numbers, tiles } = trees.takeChanges(true);
    this.mapTiles = {
      top: trees.top,
      tiles: new Map(tiles.map((bytes, index) => [numbers[index]!, MapTile.decode(bytes)])),
    };
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
