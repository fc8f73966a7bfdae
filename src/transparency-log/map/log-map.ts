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
import { findKey, type FoundKey } from './map-proofs.js';
import type { Slot } from './map-slot.js';
import { MapStore } from './map-store.js';

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
  root: Uint8Array;
  tree: Slot;
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
    const forget = () => this.committed.delete(head.note);
    found.then((committed) => committed ?? forget(), forget);
    return found;
  }

  private async readCommitted({ size, note }: SignedHead): Promise<CommittedMap | null> {
    if (size === 0) return null;
    const index = size - 1;
    const [extra] = await this.store.entries(index, 1);
    const entry = extra && readMapEntry(extra);
    const number = await this.store.mapTopOf(size);
    if (!extra || entry?.size !== index || number === null) return null;
    const proof = await inclusionFromTiles(index, size, (tiles) => this.store.readTiles(tiles), sha256);
    const logProof = writeLogProof({ index, proof, extra, checkpoint: note });
    const root = Buffer.from(entry.root, 'hex');
    return { root, tree: number > 0 ? { hash: root, number } : null, logProof };
  }

  /** Null where the tiles are no longer, or not, those of this state. */
  private async read(question: MapQuestion, { root, tree, logProof }: CommittedMap): Promise<LogMapDto | null> {
    const isOfIdentity = 'platform' in question;
    const key = isOfIdentity
      ? identityKey(question.platform, question.identity, sha256)
      : avatarKey(question.avatar, sha256);
    const answer = (
      found: Proven<AvatarState | IdentityState> | null,
      more: Partial<Pick<LogMapDto, 'holders' | 'holder'>> = {},
    ): LogMapDto | null =>
      found && { key: encodeHex(key), ...found, holders: null, holder: null, ...more, log_proof: logProof };
    const at = await this.find(tree, key);
    if (!isOfIdentity) return answer(proven<AvatarState>(root, key, at));
    const found = proven<IdentityState>(root, key, at);
    const held = at?.leaf?.holders ?? null;
    if (question.avatar === undefined) {
      const holders = found && (await this.holders(found.value, held));
      return holders && answer(found, { holders: holders.named });
    }
    if (!found?.value) return answer(found);
    const holding = holderKey(question.avatar, sha256);
    const holder = proven<HolderState>(Buffer.from(found.value.root, 'hex'), holding, await this.find(held, holding));
    return holder && answer(found, { holder });
  }

  /** Null where the tiles are not those of this state; `named` is null where there are too many to name them. */
  private async holders(state: IdentityState | null, tree: Slot) {
    if (state && state.holders > MAX_HOLDERS) return { named: null };
    const leaves = await this.map.leavesOf(tree, MAX_HOLDERS);
    if (leaves.length !== (state?.holders ?? 0)) return null;
    leaves.sort((one, other) => Buffer.compare(one.key, other.key));
    return {
      named: leaves.map(({ avatar, value }) => ({ avatar: avatar!, link: (JSON.parse(value) as HolderState).link })),
    };
  }

  private find(tree: Slot, key: Uint8Array): Promise<FoundKey | null> {
    return findKey((...path) => this.map.readPath(...path), tree, key).catch((error: unknown) => {
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
