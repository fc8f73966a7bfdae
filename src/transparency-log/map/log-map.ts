import { encodeHex } from '@signet/verify';
import { identityKey, avatarKey, holderKey, provenValue, readMapEntry } from '@signet/verify/map';
import type { AvatarState, HolderState, IdentityState } from '@signet/verify/map';
import { inclusionFromTiles, writeLogProof } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../crypto/hashing.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { PublishedCheckpoint } from '../heads/published-checkpoint.js';
import type { SignedHead } from '../heads/signed-head.js';
import { noHeadYet, noMapYet } from '../log-errors.js';
import { LogStore } from '../log-store.js';
import { type LogMapDto, type LogMapProofDto, MAX_HOLDERS } from './log-map.dto.js';
import { findKey, type FoundKey, leavesOf } from './map-proofs.js';
import { MapStore } from './map-store.js';
import type { MapTile } from './map-tile.js';
import { MAP_TREE } from './map-trees.js';

/** Tree heads whose entry and proof are kept: the newest and the newest cosigned one, and those that follow them. */
const KEPT_HEADS = 4;

/** What is asked: an Avatar; the holders of an identity; or whether one Avatar holds it. */
export type MapQuestion = { avatar: string } | { platform: string; identity: string; avatar?: string };

/** Whether and how a key stands in a tree. */
interface Proven<Value> {
  value: Value | null;
  proof: LogMapProofDto;
}

/** The newest entry of a tree head, where that commits to the map. */
interface CommittedMap {
  /** Entries that are in the map. */
  size: number;
  root: Uint8Array;
  /** C2SP tlog-proof of that entry, the last one of its checkpoint. */
  logProof: string;
}

/** Answers what the map says, as of a tree head that is published. */
@Injectable()
export class LogMap {
  private readonly committed = new LRUCache<string, Promise<CommittedMap | null>>({ max: KEPT_HEADS });

  constructor(
    private readonly published: PublishedCheckpoint,
    private readonly store: LogStore,
    private readonly map: MapStore,
  ) {}

  /**
   * The answer as of the newest tree head that meets the policy of the log; as of the newest of all where there is no
   * such policy, or where witnesses have been silent for so long that the map of that time is no longer kept.
   * @throws UnavailableError (`log_catching_up`, `map_catching_up`; `log_refused` if what is stored is not what was
   *   signed)
   */
  async answer(question: MapQuestion): Promise<LogMapDto> {
    const { newest, cosigned } = await this.published.both();
    if (!newest) throw noHeadYet();
    const heads = cosigned && cosigned.size !== newest.size ? [cosigned, newest] : [cosigned ?? newest];
    let isBroken = false;
    for (const head of heads) {
      const committed = await this.committedBy(head);
      const answer = committed && (await this.read(question, committed));
      if (answer) return answer;
      isBroken = committed !== null;
    }
    if (!isBroken || (await this.isBehind())) throw noMapYet();
    throw new UnavailableError('The map of this server is not the one that was signed.', 'log_refused');
  }

  /** Whether the map is being computed, at first or anew. */
  private async isBehind(): Promise<boolean> {
    const { state } = await this.store.snapshot();
    return state !== null && state.mapSize < state.size;
  }

  private committedBy(head: SignedHead): Promise<CommittedMap | null> {
    const known = this.committed.get(head.note);
    if (known) return known;
    const found = this.readCommitted(head);
    this.committed.set(head.note, found);
    found.catch(() => this.committed.delete(head.note));
    return found;
  }

  private async readCommitted({ size, note }: SignedHead): Promise<CommittedMap | null> {
    if (size === 0) return null;
    const index = size - 1;
    const [extra] = await this.store.entries(index, 1);
    const entry = extra && readMapEntry(extra);
    if (!extra || entry?.size !== index) return null;
    const proof = await inclusionFromTiles(index, size, (tiles) => this.store.readTiles(tiles), sha256);
    const logProof = writeLogProof({ index, proof, extra, checkpoint: note });
    return { size: index, root: Buffer.from(entry.root, 'hex'), logProof };
  }

  /**
   * Null where the tiles are no longer, or not, those of this state. What is read of both trees is asked for together,
   * so that one statement answers it.
   */
  private async read(question: MapQuestion, { size, root, logProof }: CommittedMap): Promise<LogMapDto | null> {
    const isOfIdentity = 'platform' in question;
    const key = isOfIdentity
      ? identityKey(question.platform, question.identity, sha256)
      : avatarKey(question.avatar, sha256);
    const answer = (
      found: Proven<AvatarState | IdentityState> | null,
      more: Partial<Pick<LogMapDto, 'holders' | 'holder'>> = {},
    ): LogMapDto | null =>
      found && { key: encodeHex(key), ...found, holders: null, holder: null, ...more, log_proof: logProof };
    const inMap = this.find(MAP_TREE, key, size);
    if (!isOfIdentity) return answer(proven<AvatarState>(root, key, await inMap));
    const tree = encodeHex(key);
    if (question.avatar === undefined) {
      const [at, top] = await Promise.all([inMap, this.map.readPath(tree, '', 0, size)]);
      const found = proven<IdentityState>(root, key, at);
      const holders = found && (await this.holders(tree, found.value, top, size));
      return holders && answer(found, { holders: holders.named });
    }
    const holding = holderKey(question.avatar, sha256);
    const [at, atHolder] = await Promise.all([inMap, this.find(tree, holding, size)]);
    const found = proven<IdentityState>(root, key, at);
    if (!found?.value) return answer(found);
    const holder = proven<HolderState>(Buffer.from(found.value.root, 'hex'), holding, atHolder);
    return holder && answer(found, { holder });
  }

  /** Null where the tiles are not those of this state; `named` is null where there are too many to name them. */
  private async holders(tree: string, state: IdentityState | null, top: MapTile[], size: number) {
    if (!state) return { named: [] };
    if (state.holders > MAX_HOLDERS) return { named: null };
    const alone = leavesOf(top);
    const leaves = alone.length === state.holders ? alone : leavesOf(await this.map.readTree(tree, size));
    if (leaves.length !== state.holders) return null;
    return {
      named: leaves.map(({ avatar, value }) => ({ avatar: avatar!, link: (JSON.parse(value) as HolderState).link })),
    };
  }

  private find(tree: string, key: Uint8Array, size: number): Promise<FoundKey | null> {
    return findKey((...path) => this.map.readPath(...path, size), tree, key).catch((error: unknown) => {
      if (error instanceof RangeError) return null;
      throw error;
    });
  }
}

/** What was found for a key, if it leads to the root of the tree. */
function proven<Value>(root: Uint8Array, key: Uint8Array, found: FoundKey | null): Proven<Value> | null {
  if (!found || !provenValue(root, key, found.proof, sha256)) return null;
  const { siblings, end } = found.proof;
  return {
    value: found.leaf && (JSON.parse(found.leaf.value) as Value),
    proof: {
      siblings: siblings.map((hash) => encodeHex(hash)),
      end: end && { key: encodeHex(end.key), value_hash: encodeHex(end.valueHash) },
    },
  };
}
