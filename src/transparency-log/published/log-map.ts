import { encodeHex } from '@signet/verify';
import {
  avatarKey,
  EMPTY_ROOT,
  holderKey,
  identityKey,
  mapLeafHash,
  readMapEntry,
  SparseTree,
  type HolderState,
  type IdentityState,
  type MapProof,
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
import { type LogMapHolderDto, MAX_HOLDERS } from './log-map.dto.js';
import type { FoundKey } from '../tree/map/map-proofs.js';
import { endOf, isLeaf, rootOf, type Slot } from '../tree/map/map-slot.js';
import { MapStore } from '../tree/map/map-store.js';

/** Tree heads whose entry and proof are kept: the newest and the newest cosigned one, and those that follow them. */
const KEPT_HEADS = 4;

const NOT_SIGNED = 'The map of this server is not the one that was signed.';

/** What is asked: an Avatar; the holders of an identity; or whether one Avatar holds it. */
export type MapQuestion = { avatar: string } | { platform: string; identity: string; avatar?: string };

/** The newest entry of a tree head, where that commits to the map. */
interface CommittedMap {
  tree: Slot;
  /** C2SP tlog-proof of that entry, the last one of its checkpoint: JSON, a character for each byte of its UTF-8. */
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
   * @returns the JSON of a LogMapDto: objects would be made of it only to write them again
   * @throws UnavailableError (`log_catching_up`, `map_catching_up`; `log_refused` if what is stored is not what was
   *   signed)
   */
  async answer(question: MapQuestion): Promise<Buffer> {
    const { newest, cosigned } = await this.published.both();
    if (!newest) throw noHeadYet();
    const heads = cosigned && cosigned.size !== newest.size ? [cosigned, newest] : [cosigned ?? newest];
    let isBroken = false;
    for (const head of heads) {
      try {
        const known = this.committed.get(head.note);
        const committed = known ?? (await this.committed.fetch(head.note, { context: head }));
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

  /**
   * Undefined where the tree head does not end with a map.
   * @throws RangeError if a tile of the log is missing, or the map has no tile and is not empty
   */
  private async readCommitted({ size, note }: SignedHead): Promise<CommittedMap | undefined> {
    if (size === 0) return undefined;
    const index = size - 1;
    const [extra] = await this.tree.entries(index, 1);
    const entry = extra && readMapEntry(extra);
    const number = await this.heads.mapTopOf(size);
    if (!extra || entry?.size !== index || number === null) return undefined;
    const proof = await this.tree.inclusionProof(index, size);
    const logProof = JSON.stringify(writeLogProof({ index, proof, extra, checkpoint: note }));
    const hash = Buffer.from(entry.root, 'hex');
    if (number === 0 && !hash.equals(EMPTY_ROOT)) throw new RangeError(NOT_SIGNED);
    return { tree: number > 0 ? { hash, number } : null, logProof: Buffer.from(logProof).toString('latin1') };
  }

  /** @throws RangeError if the tiles are no longer, or not, those of this state */
  private async read(question: MapQuestion, { tree, logProof }: CommittedMap): Promise<Buffer> {
    const key = keyOf(question);
    const at = await this.map.find(tree, key);
    const isOfIdentity = 'platform' in question;
    const state = isOfIdentity && at.leaf ? (JSON.parse(at.leaf.value) as IdentityState) : null;
    const named = isOfIdentity && question.avatar !== undefined ? question.avatar : null;
    const held = at.leaf?.holders ?? null;
    const holders = isOfIdentity && named === null ? await this.holders(state, held) : null;
    const holder = state && named !== null ? await this.holder(state, held, named) : null;
    return Buffer.from(
      `{"key":"${encodeHex(key)}","holders":${JSON.stringify(holders)},"holder":${holder},"log_proof":${logProof},${provenText(at)}}`,
      'latin1',
    );
  }

  /** Null where there are too many to name them. @throws RangeError if the tiles do not have those of this state */
  private async holders(state: IdentityState | null, tree: Slot): Promise<LogMapHolderDto[] | null> {
    if (!state) return [];
    if (state.holders > MAX_HOLDERS) return null;
    const leaves = isLeaf(tree) ? [tree] : await this.map.leavesOf(tree, MAX_HOLDERS);
    const ends = leaves.map((leaf) => ({ ...endOf(leaf), key: holderKey(leaf.avatar ?? '', sha256) }));
    if (ends.length !== state.holders || encodeHex(rootOfLeaves(ends)) !== state.root) throw new RangeError(NOT_SIGNED);
    leaves.sort((one, other) => Buffer.compare(one.key, other.key));
    return leaves.map(({ avatar, value }) => ({ avatar: avatar!, link: (JSON.parse(value) as HolderState).link }));
  }

  /** Whether an Avatar holds an identity, as JSON. @throws RangeError as `holders` */
  private async holder({ root }: IdentityState, tree: Slot, avatar: string): Promise<string> {
    if (encodeHex(rootOf(tree)) !== root) throw new RangeError(NOT_SIGNED);
    return `{${provenText(await this.map.find(tree, holderKey(avatar, sha256)))}}`;
  }
}

function keyOf(question: MapQuestion): Uint8Array {
  if (!('platform' in question)) return avatarKey(question.avatar, sha256);
  return identityKey(question.platform, question.identity, sha256);
}

/** The root of the tree that has these leaves, at least one. */
function rootOfLeaves(leaves: NonNullable<MapProof['end']>[]): Uint8Array {
  if (leaves.length === 1) return mapLeafHash(leaves[0]!, sha256);
  const tree = new SparseTree(sha256);
  for (const { key, valueHash } of leaves) tree.set(key, valueHash);
  return tree.root();
}

/** What was found for a key, as members of JSON: values are stored as such. */
function provenText({ leaf, proof }: FoundKey): string {
  return `"value":${leaf ? leaf.value : null},"proof":${proof}`;
}
