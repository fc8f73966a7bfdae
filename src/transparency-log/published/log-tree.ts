import { HASH_BYTES, TILE_WIDTH, type TilePath, tileWidth, encodeBundle } from '@signet/verify/internal/log';
import { writeLogProof } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { erasureOf, type RecordKind, RecordKinds } from '../../ledger/record-kind.js';
import { cacheBytes, FullTiles } from './full-tiles.js';
import { type TileFile, tileFile, zippedFile } from './tile-file.js';
import { TreeStore } from '../tree/tree-store.js';
import { noHeadYet, notLoggedYet, recordNotFound } from '../signing/heads/log-errors.js';
import { PublishedCheckpoint } from './published-checkpoint.js';

/** What names a tile, with its width. */
type FullPath = Required<TilePath>;

/** Reads the tree as far as it is published: tiles, bundles of entries, proofs. */
@Injectable()
export class LogTree {
  private tiles: FullTiles | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly store: TreeStore,
    private readonly published: PublishedCheckpoint,
    private readonly kinds: RecordKinds,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * A tile or bundle of the published tree, or null if it has none of this width. None of them ever changes.
   * @param isZipped as clients get it that accept gzip; bundles only
   * @throws UnavailableError (`log_catching_up`) before the first checkpoint
   */
  async file(path: FullPath, isZipped: boolean): Promise<TileFile | null> {
    const { level, number, width } = path;
    const head = await this.published.required();
    if (tileWidth(level, number, head.size) < width) return null;
    // The first line of a note names the log (C2SP tlog-checkpoint).
    const origin = head.note.slice(0, head.note.indexOf('\n'));
    const isZip = isZipped && level === 'entries';
    if (width === TILE_WIDTH) {
      const tiles = this.tilesOf(origin);
      return isZip ? tiles.readZipped(number, head.size) : tiles.read(level, number, head.size);
    }
    const file = tileFile(origin, path, await this.body(path));
    return isZip ? zippedFile(file) : file;
  }

  /**
   * The proof file (C2SP tlog-proof) of one record, with its entry as `extra`: for the newest checkpoint that meets the
   * policy where that one has the entry, otherwise for the newest of all.
   * @throws NotFoundError (`not_yet_logged`, `record_not_found`); UnavailableError (`log_catching_up`) before the first
   *   checkpoint
   */
  async proofOf(kind: string, recordId: number): Promise<string> {
    const { newest, cosigned } = await this.published.both();
    if (!newest) throw noHeadYet();
    const leaf = await this.store.leafOf(kind, recordId);
    if (!leaf && !(await this.isThere(kind, recordId))) throw recordNotFound(this.kinds);
    const head = leaf && cosigned && leaf.index < cosigned.size ? cosigned : newest;
    if (!leaf || leaf.index >= head.size) throw notLoggedYet();
    const { index, entry } = leaf;
    const proof = await this.store.inclusionProof(index, head.size);
    return writeLogProof({ index, proof, extra: Buffer.from(entry), checkpoint: head.note });
  }

  /**
   * The proof file of the record with this uuid; where its text was erased that of the erasure, unless
   * another entry is asked for.
   * @throws as `proofOf`
   */
  async proofOfUuid(uuid: string, wanted?: string): Promise<string> {
    const { kind, id } = await this.find(uuid);
    if (id === null) throw notLoggedYet();
    const newest = (await this.store.isErased(kind.name, id)) ? erasureOf(kind.name) : kind.name;
    if (wanted !== undefined && wanted !== kind.name && wanted !== newest) throw recordNotFound(this.kinds);
    return this.proofOf(wanted ?? newest, id);
  }

  /** The record with this uuid; its number is null while it has none. @throws NotFoundError (`record_not_found`) */
  private async find(uuid: string): Promise<{ kind: RecordKind; id: number | null }> {
    for (const kind of this.kinds) {
      const id = await kind.feed.numberOf(this.dataSource, uuid);
      if (id !== undefined) return { kind, id };
    }
    throw recordNotFound(this.kinds);
  }

  /** A new origin is a new tree. */
  private tilesOf(origin: string): FullTiles {
    if (this.tiles?.origin !== origin) this.tiles = new FullTiles(this.store, origin, cacheBytes(this.environment));
    return this.tiles;
  }

  private async isThere(entryKind: string, recordId: number): Promise<boolean> {
    const erased = this.kinds.erasedBy(entryKind);
    if (erased) return this.store.isErased(erased.name, recordId);
    return recordId >= 1 && recordId <= (await this.kinds.get(entryKind).feed.newestNumber(this.dataSource));
  }

  private async body({ level, number, width }: FullPath): Promise<Buffer> {
    if (level === 'entries')
      return Buffer.from(encodeBundle(await this.store.entries(number * TILE_WIDTH, width)).buffer);
    const [bytes] = await this.store.readTiles([{ level, number, width }]);
    return bytes!.subarray(0, width * HASH_BYTES);
  }
}
