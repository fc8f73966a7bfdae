import { encodeHex } from '@signet/verify';
import {
  avatarKey,
  holderKey,
  identityKey,
  provenValue,
  readMapEntry,
  SparseTree,
  type AvatarState,
  type HolderState,
  type IdentityState,
} from '@signet/verify/internal/map';
import { writeLogProof } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../crypto/hashing.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { PublishedCheckpoint } from './published-checkpoint.js';
import type { SignedHead } from '../signing/heads/signed-head.js';
import { noHeadYet, noMapYet } from '../signing/heads/log-errors.js';
import { HeadStore } from '../signing/heads/head-store.js';
import { LogStore } from '../signing/heads/log-store.js';
import { TreeStore } from '../tree/tree-store.js';
import { type LogMapDto, type LogMapHolderDto, MAX_HOLDERS } from './log-map.dto.js';
import { findKey, type FoundKey } from '../tree/map/map-proofs.js';
import { endOf, type Slot } from '../tree/map/map-slot.js';
import { MapStore } from '../tree/map/map-store.js';

/** Tree heads whose entry and proof are kept: the newest and the newest cosigned one, and those that follow them. */
const KEPT_HEADS = 4;

const NOT_SIGNED = 'The map of this server is not the one that was signed.';

/** What is asked: an Avatar; the holders of an identity; or whether one Avatar holds it. */
export type MapQuestion = { avatar: string } | { platform: string; identity: string; avatar?: string };

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
  /** By the notes of tree heads. */
  private readonly committed = new LRUCache<string, CommittedMap, SignedHead>({
    max: KEPT_HEADS,
    ignoreFetchAbort: true,
    fetchMethod: (_note, _stale, { context }) => this.readCommitted(context),
  });

  constructor(
    private readonly published: PublishedCheckpoint,
    private readonly store: LogStore,
    private readonly tree: TreeStore,
    private readonly heads: HeadStore,
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
      try {
        const committed = await this.committed.fetch(head.note, { context: head });
        if (committed) return await this.read(question, committed);
        isBroken = false;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        isBroken = true;
      }
    }
    if (!isBroken) throw noMapYet();
    // While the map is computed anew, the tiles are gone that tree heads from before had.
    const { state } = await this.store.snapshot();
    if (state && state.mapSize < state.size) throw noMapYet();
    throw new UnavailableError(NOT_SIGNED, 'log_refused');
  }

  /** Undefined where the tree head does not end with a map. @throws RangeError if a tile of the log is missing */
  private async readCommitted({ size, note }: SignedHead): Promise<CommittedMap | undefined> {
    if (size === 0) return undefined;
    const index = size - 1;
    const [extra] = await this.tree.entries(index, 1);
    const entry = extra && readMapEntry(extra);
    const number = await this.heads.mapTopOf(size);
    if (!extra || entry?.size !== index || number === null) return undefined;
    const proof = await this.tree.inclusionProof(index, size);
    const logProof = writeLogProof({ index, proof, extra, checkpoint: note });
    const root = Buffer.from(entry.root, 'hex');
    return { root, tree: number > 0 ? { hash: root, number } : null, logProof };
  }

  /** @throws RangeError if the tiles are no longer, or not, those of this state */
  private async read(question: MapQuestion, { root, tree, logProof }: CommittedMap): Promise<LogMapDto> {
    const isOfIdentity = 'platform' in question;
    const key = isOfIdentity
      ? identityKey(question.platform, question.identity, sha256)
      : avatarKey(question.avatar, sha256);
    const at = await this.find(tree, key);
    const answer = { key: encodeHex(key), holders: null, holder: null, log_proof: logProof };
    if (!isOfIdentity) return { ...answer, ...proven<AvatarState>(root, key, at) };
    const found = { ...answer, ...proven<IdentityState>(root, key, at) };
    if (!found.value) return question.avatar === undefined ? { ...found, holders: [] } : found;
    const held = at.leaf?.holders ?? null;
    if (question.avatar === undefined) return { ...found, holders: await this.holders(found.value, held) };
    const holding = holderKey(question.avatar, sha256);
    const rootOfHolders = Buffer.from(found.value.root, 'hex');
    return { ...found, holder: proven<HolderState>(rootOfHolders, holding, await this.find(held, holding)) };
  }

  /** Null where there are too many to name them. @throws RangeError if the tiles do not have those of this state */
  private async holders({ holders, root }: IdentityState, tree: Slot): Promise<LogMapHolderDto[] | null> {
    if (holders > MAX_HOLDERS) return null;
    const leaves = await this.map.leavesOf(tree, MAX_HOLDERS);
    const stored = new SparseTree(sha256);
    for (const leaf of leaves) stored.set(holderKey(leaf.avatar ?? '', sha256), endOf(leaf).valueHash);
    if (leaves.length !== holders || encodeHex(stored.root()) !== root) throw new RangeError(NOT_SIGNED);
    leaves.sort((one, other) => Buffer.compare(one.key, other.key));
    return leaves.map(({ avatar, value }) => ({ avatar: avatar!, link: (JSON.parse(value) as HolderState).link }));
  }

  private find(tree: Slot, key: Uint8Array): Promise<FoundKey> {
    return findKey((...path) => this.map.readPath(...path), tree, key);
  }
}

/** What was found for a key. @throws RangeError if that does not lead to the root of the tree */
function proven<Value>(root: Uint8Array, key: Uint8Array, { leaf, proof }: FoundKey) {
  if (!provenValue(root, key, proof, sha256)) throw new RangeError(NOT_SIGNED);
  const { siblings, end } = proof;
  return {
    value: leaf && (JSON.parse(leaf.value) as Value),
    proof: {
      siblings: siblings.map((hash) => encodeHex(hash)),
      end: end && { key: encodeHex(end.key), value_hash: encodeHex(end.valueHash) },
    },
  };
}
