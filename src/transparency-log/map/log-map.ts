import { identityKey, avatarKey, holderKey, provenValue, readMapEntry } from '@signet/verify/map';
import type { AvatarState, HolderState, IdentityState, MapProof } from '@signet/verify/map';
import { inclusionFromTiles, writeLogProof } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../crypto/hashing.js';
import { UnavailableError } from '../../domain/domain-errors.js';
import { PublishedCheckpoint } from '../heads/published-checkpoint.js';
import type { SignedHead } from '../heads/signed-head.js';
import { NoHeadYetError, NoMapYetError } from '../log-errors.js';
import { LogStore } from '../log-store.js';
import { findKey, type FoundKey, leavesOf } from './map-proofs.js';
import { MapStore } from './map-store.js';
import type { MapTile } from './map-tile.js';
import { MAP_TREE } from './map-trees.js';

/** Holders that an answer names; of an identity that has more, each is proved by itself. */
export const MAX_HOLDERS = 1000;
/** Tree heads whose entry and proof are kept: the newest and the newest cosigned one, and those that follow them. */
const KEPT_HEADS = 4;

/** What is asked: an Avatar; the holders of an identity; or whether one Avatar holds it. */
export type MapQuestion = { avatar: string } | { platform: string; identity: string; avatar?: string };

/** Whether and how a key stands in a tree. */
interface Proven<Value> {
  value: Value | null;
  proof: MapProof;
}

/** What the map says, all from one state. */
export interface MapAnswer extends Proven<AvatarState | IdentityState> {
  key: Uint8Array;
  /** Of an identity: the Avatars that hold it, and the entries of their links; null where they are too many. */
  holders: { avatar: string; link: number }[] | null;
  /** Whether the Avatar that was asked for holds the identity; null where nobody does. */
  holder: Proven<HolderState> | null;
  /** C2SP tlog-proof of the entry that commits to this state, the last one of its checkpoint. */
  logProof: string;
}

/** The newest entry of a tree head, where that commits to the map. */
interface CommittedMap {
  /** Entries that are in the map. */
  size: number;
  root: Uint8Array;
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
   * @throws NoHeadYetError; NoMapYetError; UnavailableError (`log_refused`) if what is stored is not what was signed
   */
  async answer(question: MapQuestion): Promise<MapAnswer> {
    const { newest, cosigned } = await this.published.both();
    if (!newest) throw new NoHeadYetError();
    const heads = cosigned && cosigned.size !== newest.size ? [cosigned, newest] : [cosigned ?? newest];
    let isBroken = false;
    for (const head of heads) {
      const committed = await this.committedBy(head);
      const answer = committed && (await this.read(question, committed));
      if (answer) return answer;
      isBroken = committed !== null;
    }
    if (!isBroken || (await this.isBehind())) throw new NoMapYetError();
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
  private async read(question: MapQuestion, { size, root, logProof }: CommittedMap): Promise<MapAnswer | null> {
    if (!('platform' in question)) {
      const key = avatarKey(question.avatar, sha256);
      const found = proven<AvatarState>(root, key, await this.find(MAP_TREE, key, size));
      return found && { ...found, key, holders: null, holder: null, logProof };
    }
    const { platform, identity, avatar } = question;
    const key = identityKey(platform, identity, sha256);
    const tree = Buffer.from(key).toString('hex');
    const inMap = this.find(MAP_TREE, key, size);
    if (avatar === undefined) {
      const [at, top] = await Promise.all([inMap, this.map.readPath(tree, '', 0, size)]);
      const found = proven<IdentityState>(root, key, at);
      const holders = found && (await this.holders(tree, found.value, top, size));
      return holders && { ...found, key, holders: holders.named, holder: null, logProof };
    }
    const holding = holderKey(avatar, sha256);
    const [at, atHolder] = await Promise.all([inMap, this.find(tree, holding, size)]);
    const found = proven<IdentityState>(root, key, at);
    if (!found?.value) return found && { ...found, key, holders: null, holder: null, logProof };
    const holder = proven<HolderState>(Buffer.from(found.value.root, 'hex'), holding, atHolder);
    return holder && { ...found, key, holders: null, holder, logProof };
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
  return { value: found.leaf && (JSON.parse(found.leaf.value) as Value), proof: found.proof };
}
