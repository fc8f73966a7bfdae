/**
 * Computes the map from the entries of a log and the records that they name, entry by entry, as monitors do. The state
 * is a function of the log: two who read the same entries have the same roots.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeHex, encodeHex } from '../text/encoding.js';
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
  /** The number of the link in its feed, by which an erasure names it. */
  id: number;
  /** See `identityKey`; an erased link names the key without the text. */
  identity: Uint8Array;
}

/** What the map keeps of a patch. */
export interface PatchFact {
  kind: 'kv';
  /** Compressed key. */
  avatar: string;
}

/** What the map keeps of the erasure of a link: its binding is not shown any more, and its Avatar has signed it. */
export interface ErasedLinkFact {
  kind: 'erased_link';
  /** The number of the link in its feed, as the entry of the erasure has it. */
  id: number;
}

/** What the map keeps of an entry; null for entries that change nothing, those of the map itself among them. */
export type MapFact = LinkFact | PatchFact | ErasedLinkFact | null;

/** The map as JSON, so that who follows a log can keep it: see `MapState.save`. */
export interface SavedMap {
  size: number;
  /** By Avatar: entry of the newest link, links, entry of the newest patch, patches. */
  avatars: [avatar: string, link: number | null, links: number, patch: number | null, patches: number][];
  /** By the hex of the key of the identity: who holds it, by which entry, and the number of that link in its feed. */
  identities: [key: string, holders: [avatar: string, link: number, id: number][]][];
}

interface Holders {
  key: Uint8Array;
  /** By Avatar: the entry of the link that made the binding, and its number in the feed. */
  links: Map<string, { entry: number; id: number }>;
  tree: SparseTree;
}

/** The map after the entries that were applied, in memory. Proofs and roots are those of the whole map. */
export class MapState {
  private readonly avatars = new Map<string, AvatarState>();
  /** By the hex of the key of the identity. */
  private readonly identities = new Map<string, Holders>();
  /** Bindings that are held, by the number of their link in the feed. */
  private readonly bindings = new Map<number, { avatar: string; identity: string }>();
  private readonly tree: SparseTree;
  private readonly changedAvatars = new Set<string>();
  private readonly changedIdentities = new Set<string>();
  private count = 0;

  /** `hash` may be a faster SHA-256; `saved` is what `save` returned. */
  constructor(
    private readonly hash: Sha256 = sha256,
    saved?: SavedMap,
  ) {
    this.tree = new SparseTree(hash);
    if (saved) this.load(saved);
  }

  /** How many entries were applied. */
  get size(): number {
    return this.count;
  }

  /** Takes the next entry of the log. */
  apply(fact: MapFact): void {
    const index = this.count++;
    if (!fact) return;
    if (fact.kind === 'erased_link') {
      const binding = this.bindings.get(fact.id);
      if (binding) this.unbind(binding.identity, binding.avatar);
      return;
    }
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
    const held = this.identities.get(encodeHex(identityKey(platform, identity, this.hash)));
    return new Map([...(held?.links ?? [])].map(([avatar, { entry }]) => [avatar, entry]));
  }

  /** All that is needed to go on with the next entry in another process. */
  save(): SavedMap {
    this.settle();
    return {
      size: this.count,
      avatars: [...this.avatars].map(([avatar, { link, links, patch, patches }]) => [
        avatar,
        link,
        links,
        patch,
        patches,
      ]),
      identities: [...this.identities].map(([name, { links }]) => [
        name,
        [...links].map(([avatar, { entry, id }]) => [avatar, entry, id]),
      ]),
    };
  }

  /** The proof for a key of the map: see `avatarKey` and `identityKey`. */
  prove(key: Uint8Array): MapProof {
    this.settle();
    return this.tree.prove(key);
  }

  private load({ size, avatars, identities }: SavedMap): void {
    this.count = size;
    for (const [avatar, link, links, patch, patches] of avatars) {
      this.avatars.set(avatar, { link, links, patch, patches });
      this.changedAvatars.add(avatar);
    }
    for (const [name, holders] of identities) {
      for (const [avatar, entry, id] of holders) this.hold(decodeHex(name)!, avatar, { entry, id });
    }
  }

  private bind({ avatar, action, identity, id }: LinkFact, entry: number): void {
    this.unbind(encodeHex(identity), avatar);
    if (action === 'create') this.hold(identity, avatar, { entry, id });
  }

  private hold(key: Uint8Array, avatar: string, link: { entry: number; id: number }): void {
    const name = encodeHex(key);
    const held = this.identities.get(name) ?? { key, links: new Map(), tree: new SparseTree(this.hash) };
    held.links.set(avatar, link);
    held.tree.set(holderKey(avatar, this.hash), this.hashOf(valueText({ link: link.entry })));
    this.bindings.set(link.id, { avatar, identity: name });
    this.identities.set(name, held);
    this.changedIdentities.add(name);
  }

  private unbind(name: string, avatar: string): void {
    const held = this.identities.get(name);
    const link = held?.links.get(avatar);
    if (!held || !link) return;
    held.links.delete(avatar);
    held.tree.set(holderKey(avatar, this.hash), null);
    this.bindings.delete(link.id);
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
