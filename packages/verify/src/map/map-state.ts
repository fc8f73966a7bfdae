/**
 * Computes the map from the entries of a log and the records that they name, entry by entry, as monitors do. The state
 * is a function of the log: two who read the same entries have the same roots.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '../text/encoding.js';
import type { Sha256 } from '../log/tree.js';
import { avatarKey, holderKey, identityKey } from './map-keys.js';
import { type AvatarState, valueText } from './map-values.js';
import { type MapProof, SparseTree, valueHash } from './sparse-tree.js';

/** What the map keeps of a link. */
export interface LinkFact {
  kind: 'link';
  /** Compressed key. */
  avatar: string;
  action: 'create' | 'delete';
  /** See `identityKey`; an erased link names the key without the text. */
  identity: Uint8Array;
}

/** What the map keeps of a patch. */
export interface PatchFact {
  kind: 'kv';
  /** Compressed key. */
  avatar: string;
}

/** What the map keeps of an entry; null for entries that it knows nothing of, those of the map itself among them. */
export type MapFact = LinkFact | PatchFact | null;

interface Holders {
  key: Uint8Array;
  /** By Avatar: the entry of the link that made the binding. */
  links: Map<string, number>;
  tree: SparseTree;
}

export class MapState {
  private readonly avatars = new Map<string, AvatarState>();
  /** By the hex of the key of the identity. */
  private readonly identities = new Map<string, Holders>();
  private readonly tree: SparseTree;
  private readonly changedAvatars = new Set<string>();
  private readonly changedIdentities = new Set<string>();
  private count = 0;

  /** `hash` may be a faster SHA-256. */
  constructor(private readonly hash: Sha256 = sha256) {
    this.tree = new SparseTree(hash);
  }

  /** How many entries were applied. */
  get size(): number {
    return this.count;
  }

  /** Takes the next entry of the log. */
  apply(fact: MapFact): void {
    const index = this.count++;
    if (!fact) return;
    const state = this.avatars.get(fact.avatar) ?? { link: null, links: 0, patch: null, patches: 0 };
    this.avatars.set(fact.avatar, state);
    this.changedAvatars.add(fact.avatar);
    if (fact.kind === 'kv') {
      state.patch = index;
      state.patches += 1;
      return;
    }
    state.link = index;
    state.links += 1;
    this.bind(fact, index);
  }

  /** The root of the map, 32 bytes. */
  root(): Uint8Array {
    this.settle();
    return this.tree.root();
  }

  /** What an Avatar has signed; null if it has no entry. `avatar` is a compressed key. */
  avatar(avatar: string): AvatarState | null {
    const state = this.avatars.get(avatar);
    return state ? { ...state } : null;
  }

  /** The Avatars that hold an identity, with the entries of their links. */
  holders(platform: string, identity: string): Map<string, number> {
    return new Map(this.identities.get(encodeHex(identityKey(platform, identity, this.hash)))?.links);
  }

  /** The proof for a key of the map: see `avatarKey` and `identityKey`. */
  prove(key: Uint8Array): MapProof {
    this.settle();
    return this.tree.prove(key);
  }

  private bind({ avatar, action, identity }: LinkFact, index: number): void {
    const name = encodeHex(identity);
    const held = this.identities.get(name) ?? { key: identity, links: new Map(), tree: new SparseTree(this.hash) };
    const isBound = action === 'create';
    if (!isBound && !held.links.delete(avatar)) return;
    if (isBound) held.links.set(avatar, index);
    held.tree.set(holderKey(avatar, this.hash), isBound ? this.hashOf(valueText({ link: index })) : null);
    this.identities.set(name, held);
    this.changedIdentities.add(name);
  }

  /** Brings what has changed into the tree. */
  private settle(): void {
    for (const avatar of this.changedAvatars) {
      this.tree.set(avatarKey(avatar, this.hash), this.hashOf(valueText(this.avatars.get(avatar)!)));
    }
    for (const name of this.changedIdentities) {
      const { key, links, tree } = this.identities.get(name)!;
      const value = { holders: links.size, root: encodeHex(tree.root()) };
      this.tree.set(key, links.size > 0 ? this.hashOf(valueText(value)) : null);
      if (links.size === 0) this.identities.delete(name);
    }
    this.changedAvatars.clear();
    this.changedIdentities.clear();
  }

  private hashOf(text: string): Uint8Array {
    return valueHash(text, this.hash);
  }
}
