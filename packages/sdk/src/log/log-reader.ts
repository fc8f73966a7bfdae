import {
  consistencyFromTiles,
  decodeBundle,
  type ReadTiles,
  TILE_WIDTH,
  type TilePath,
  tilePath,
} from '@signet/verify/internal/log';
import { isConsistent, type MapQuestion, readCheckpoint, type TreeHead } from '@signet/verify/log';
import type { Erasure } from '@signet/verify';
import { NoLogError, NoMapError, NotFoundError, nullWhereNotFound, SignetError } from '../errors.js';
import { pause, type Transport } from '../transport.js';
import type { AnyRecord, FollowedKind } from './record-kinds.js';

/** The members of the answer of `GET /v1/log` that are used here. */
export interface LogInfo {
  origin: string;
  verifier_key: string;
  /** `ok`, `catching_up` or `refused`. Servers of early versions leave the following out. */
  state?: string;
  /** Why nothing is signed; empty unless `refused`. */
  problem?: string;
  /** Entries of the newest tree head. */
  size?: number;
  /** Records that are not in the log yet. */
  waiting?: number;
  /** Logs of the deployment that have ended, each with the note by which its key names the next one; empty without. */
  ended?: { origin: string; next: string }[];
}

/** A patch of the feed `GET /v1/kv/changes`. */
export interface FeedPatch {
  id: number;
  avatar: string;
  platform: string;
  identity: string;
  patch: object;
  created_at: number;
  uuid: string;
  signature: string;
  signature_payload: string;
  erased?: Erasure;
}

const GRACE_MS = 5_000;
const LOOK_AGAIN_MS = 250;
const TILES_TOGETHER = 8;
const RECORDS_PER_REQUEST = 100;
/** The least that a server answers a page of. */
const LEAST_RECORDS = 10;
/** What files of the log have at most: 256 hashes of 32 bytes, and some hundred bytes for an entry or a signature. */
const MAX_TILE_BYTES = 8 * 1024;
const MAX_BUNDLE_BYTES = 1 << 20;
const MAX_NOTE_BYTES = 64 * 1024;
/** A checkpoint behind 64 hashes and an entry. */
const MAX_PROOF_BYTES = 256 * 1024;
/** Three proofs, and a thousand holders. */
const MAX_MAP_BYTES = 1 << 20;

/** Reads the log of a server (C2SP tlog-tiles below `/log`). Verifies nothing: what it reads has to. */
export class LogReader {
  constructor(
    private readonly transport: Transport,
    private readonly signal?: AbortSignal,
    /** For how long a tile that is not there yet is waited for: another server may be a moment behind. */
    private readonly graceMs = GRACE_MS,
  ) {}

  /** @throws NoLogError where the server keeps none */
  info(): Promise<LogInfo> {
    return this.ofLog(this.transport.call({ path: '/v1/log', signal: this.signal }));
  }

  /**
   * The newest signed tree head. One of fewer than `least` entries is taken for an old copy, and read again for as long
   * as a tile is waited for.
   * @throws SignetError (`log_catching_up`) while there is none; NoLogError
   */
  async checkpoint(least = 0): Promise<string> {
    for (const endsAt = Date.now() + this.graceMs; ;) {
      const note = await this.ofLog(this.text('/log/checkpoint', MAX_NOTE_BYTES));
      if ((readCheckpoint(note)?.size ?? Infinity) >= least || Date.now() >= endsAt) return note;
      await pause(LOOK_AGAIN_MS, this.signal);
    }
  }

  /**
   * The newest tree head with the cosignatures that the log's own policy asks for.
   * @throws NotFoundError while there is none, and where the log has no such policy
   */
  cosignedCheckpoint(): Promise<string> {
    return this.text('/log/cosigned/checkpoint', MAX_NOTE_BYTES);
  }

  /**
   * The proof file of a record, or of its erasure, which is meant by a uuid without a kind where there is one.
   * @throws NotFoundError (`not_yet_logged` while it waits); NoLogError
   */
  proof(query: { uuid: string; kind?: string } | { kind: string; id: number }): Promise<string> {
    return this.ofLog(this.text('/v1/log/proof', MAX_PROOF_BYTES, query));
  }

  /**
   * What the server says that the map has: see `verifyMapAnswer`.
   * @throws NoMapError where it keeps none; SignetError (`log_catching_up`, `map_catching_up`) while there is none yet
   */
  async map(question: MapQuestion): Promise<unknown> {
    try {
      const query = { ...question };
      return await this.ofLog(
        this.transport.call({
          path: '/v1/log/map',
          query,
          maxBytes: MAX_MAP_BYTES,
          isFresh: true,
          signal: this.signal,
        }),
      );
    } catch (error) {
      if (!(error instanceof NoLogError)) throw error;
      await this.info();
      throw new NoMapError(this.transport.baseUrl, error);
    }
  }

  /** The receipt of a record, signed anew. @throws NotFoundError; SignetError (`log_refused`); NoLogError */
  receipt(uuid: string): Promise<string> {
    return this.ofLog(this.text('/v1/log/receipt', MAX_NOTE_BYTES, { uuid }));
  }

  /** The record of this number as the feed of its kind shows it now; null if it is not there. */
  async record({ entry, feedPath: path }: FollowedKind, id: number): Promise<AnyRecord | null> {
    const query = { last_id: id - 1, count: LEAST_RECORDS };
    const call = { path, query, isFresh: true, signal: this.signal };
    const records = (await this.transport.call<Record<string, AnyRecord[]>>(call))[entry.list] ?? [];
    return records.find((record) => record.id === id) ?? null;
  }

  /** Tiles of hashes, a few at a time. */
  readonly readTiles: ReadTiles = async (tiles) => {
    const read: Uint8Array[] = [];
    for (let start = 0; start < tiles.length; start += TILES_TOGETHER) {
      read.push(...(await Promise.all(tiles.slice(start, start + TILES_TOGETHER).map((tile) => this.tile(tile)))));
    }
    return read;
  };

  /** The entries of a bundle, as many as `width` says. @throws SignetError (`invalid_answer`) */
  async entries(number: number, width: number): Promise<Uint8Array[]> {
    const entries = decodeBundle(await this.tile({ level: 'entries', number, width }));
    if (entries && entries.length >= width) return entries.slice(0, width);
    throw new SignetError(`The bundle ${number} has not the entries that it should have.`, { code: 'invalid_answer' });
  }

  /** Entries from `start` up to, but without, `end`, with their indices. */
  async *entriesBetween(start: number, end: number): AsyncGenerator<[index: number, bytes: Uint8Array], void> {
    for (let index = start; index < end;) {
      const number = Math.floor(index / TILE_WIDTH);
      const first = number * TILE_WIDTH;
      const bundle = await this.entries(number, Math.min(TILE_WIDTH, end - first));
      for (const bytes of bundle.slice(index - first)) yield [index++, bytes];
    }
  }

  /** Whether the larger tree continues the smaller one, by what the server itself serves. */
  async isContinued(older: Pick<TreeHead, 'size' | 'root'>, newer: TreeHead): Promise<boolean> {
    const proof = await this.consistencyProof(older.size, newer.size);
    return isConsistent({ size1: older.size, root1: older.root, size2: newer.size, root2: newer.root, proof });
  }

  /** Records of a kind behind the number `after` of its feed, at most `count`. */
  async records(
    { entry, feedPath: path, isOptional }: FollowedKind,
    after: number,
    count = RECORDS_PER_REQUEST,
  ): Promise<AnyRecord[]> {
    const call = { path, query: { last_id: after, count }, signal: this.signal };
    const answer = this.transport.call<Record<string, AnyRecord[]>>(call);
    return (await (isOptional ? answer.catch(nullWhereNotFound) : answer))?.[entry.list] ?? [];
  }

  /** Tiles that are cut short or missing prove nothing. */
  private async consistencyProof(size1: number, size2: number): Promise<Uint8Array[]> {
    try {
      return await consistencyFromTiles(size1, size2, this.readTiles);
    } catch (error) {
      if (error instanceof RangeError || error instanceof NotFoundError) return [];
      throw error;
    }
  }

  /** @throws NotFoundError if it is still not there after `graceMs` */
  private async tile(path: Required<TilePath>): Promise<Uint8Array> {
    for (const endsAt = Date.now() + this.graceMs; ;) {
      const tile = (await this.found(path)) ?? (await this.found({ ...path, width: TILE_WIDTH }));
      if (tile) return tile;
      if (Date.now() >= endsAt) {
        const message = `The log does not serve its ${tilePath(path)}.`;
        throw new NotFoundError(message, { code: 'invalid_answer', status: 404 });
      }
      await pause(LOOK_AGAIN_MS, this.signal);
    }
  }

  /** A partial tile may be gone where the full one is there (C2SP tlog-tiles). */
  private async found(path: Required<TilePath>): Promise<Uint8Array | null> {
    const maxBytes = path.level === 'entries' ? MAX_BUNDLE_BYTES : MAX_TILE_BYTES;
    return this.transport
      .bytes({ path: `/log/${tilePath(path)}`, maxBytes, signal: this.signal })
      .catch((error: unknown) => {
        if (error instanceof NotFoundError) return null;
        throw error;
      });
  }

  private async text(
    path: string,
    maxBytes: number,
    query: Record<string, string | number | undefined> = {},
  ): Promise<string> {
    return new TextDecoder().decode(await this.transport.bytes({ path, query, maxBytes, signal: this.signal }));
  }

  /** Where there is a log, these paths are there; a record that they do not have is refused with other codes. */
  private async ofLog<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      const isPathUnknown = error instanceof NotFoundError && error.code === 'not_found';
      throw isPathUnknown ? new NoLogError(this.transport.baseUrl, error) : error;
    }
  }
}
