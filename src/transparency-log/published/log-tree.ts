import { HASH_BYTES, TILE_WIDTH, type TilePath, tileWidth, encodeBundle } from '@signet/verify/internal/log';
import { writeLogProof } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { GatheredRead } from '../../database/connections/gathered-read.js';
import { NotFoundError } from '../../domain/domain-errors.js';
import { erasureOf, type RecordKind, RecordKinds } from '../../ledger/record-kind.js';
import { cacheBytes, FullTiles } from './full-tiles.js';
import { type TileFile, tileFile, zippedFile } from './tile-file.js';
import { TreeStore } from '../tree/tree-store.js';
import type { SignedHead } from '../signing/heads/signed-head.js';
import { noHeadYet, notLoggedYet, recordNotFound } from '../signing/heads/log-errors.js';
import { PublishedCheckpoint } from './published-checkpoint.js';

/** What names a tile, with its width. */
type FullPath = Required<TilePath>;

/** The record of which a proof is wanted, and which of its entries: `link`, `link_erased`; absent: the newest. */
export interface UuidAsked {
  uuid: string;
  kind?: string;
}

/** The tree heads that a proof may lead to. */
interface Heads {
  newest: SignedHead;
  /** The newest that meets the policy. */
  cosigned: SignedHead | null;
}

/** An entry, and the tree head that its proof leads to. */
interface Placed {
  index: number;
  entry: string;
  head: SignedHead;
}

/** Reads the tree as far as it is published: tiles, bundles of entries, proofs. */
@Injectable()
export class LogTree {
  private tiles: FullTiles | undefined;
  /** For each kind, the numbers of records by their uuid. */
  private readonly numbers: Map<RecordKind, GatheredRead<{ id: number | null }>>;

  constructor(
    private readonly environment: Environment,
    private readonly store: TreeStore,
    private readonly published: PublishedCheckpoint,
    private readonly kinds: RecordKinds,
    private readonly dataSource: DataSource,
  ) {
    this.numbers = new Map([...kinds].map((kind) => [kind, new GatheredRead(dataSource, kind.feed.numbersByUuid)]));
  }

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
    const [proof] = await this.write([await this.place(kind, recordId, await this.heads())]);
    return proof!;
  }

  /**
   * The proof file of the record with this uuid; where its text was erased that of the erasure, unless
   * another entry is asked for.
   * @throws as `proofOf`
   */
  async proofOfUuid(uuid: string, kind?: string): Promise<string> {
    const [proof] = await this.write([await this.placeOfUuid(uuid, kind, await this.heads())]);
    return proof!;
  }

  /**
   * The proof files of several records, read together: for each as `proofOfUuid`, and null for one that it refuses.
   * @throws UnavailableError (`log_catching_up`) before the first checkpoint
   */
  async proofsOfUuids(asked: readonly UuidAsked[]): Promise<(string | null)[]> {
    const heads = await this.heads();
    const placed = await Promise.all(
      asked.map(({ uuid, kind }) => this.placeOfUuid(uuid, kind, heads).catch(nullForNotFound)),
    );
    const proofs = await this.write(placed.filter((one) => one !== null));
    return placed.map((one) => (one === null ? null : proofs.shift()!));
  }

  /** @throws UnavailableError (`log_catching_up`) */
  private async heads(): Promise<Heads> {
    const { newest, cosigned } = await this.published.both();
    if (!newest) throw noHeadYet();
    return { newest, cosigned };
  }

  /** @throws NotFoundError (`not_yet_logged`, `record_not_found`) */
  private async place(kind: string, recordId: number, { newest, cosigned }: Heads): Promise<Placed> {
    const leaf = await this.store.leafOf(kind, recordId);
    if (!leaf && !(await this.isThere(kind, recordId))) throw recordNotFound(this.kinds);
    const head = leaf && cosigned && leaf.index < cosigned.size ? cosigned : newest;
    if (!leaf || leaf.index >= head.size) throw notLoggedYet();
    return { ...leaf, head };
  }

  /** @throws as `place` */
  private async placeOfUuid(uuid: string, wanted: string | undefined, heads: Heads): Promise<Placed> {
    const { kind, id } = await this.find(uuid);
    if (id === null) throw notLoggedYet();
    const newest = (await this.store.isErased(kind.name, id)) ? erasureOf(kind.name) : kind.name;
    if (wanted !== undefined && wanted !== kind.name && wanted !== newest) throw recordNotFound(this.kinds);
    return this.place(wanted ?? newest, id, heads);
  }

  /** The proof files of entries, in their order. */
  private async write(placed: readonly Placed[]): Promise<string[]> {
    const proofs = new Map<Placed, string>();
    for (const head of new Set(placed.map((one) => one.head))) {
      const under = placed.filter((one) => one.head === head);
      const found = await this.store.inclusionProofs(
        under.map(({ index }) => index),
        head.size,
      );
      for (const [at, one] of under.entries()) {
        const { index, entry } = one;
        const file = { index, proof: found[at]!, extra: Buffer.from(entry), checkpoint: head.note };
        proofs.set(one, writeLogProof(file));
      }
    }
    return placed.map((one) => proofs.get(one)!);
  }

  /** The record with this uuid; its number is null while it has none. @throws NotFoundError (`record_not_found`) */
  private async find(uuid: string): Promise<{ kind: RecordKind; id: number | null }> {
    for (const [kind, numbers] of this.numbers) {
      const [row] = await numbers.rows(uuid);
      if (row) return { kind, id: row.id };
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

function nullForNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
