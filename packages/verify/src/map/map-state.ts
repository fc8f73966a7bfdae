/**
 * Computes the map from the entries of a log, entry by entry, as monitors do. The state is a function of the log: two
 * who read the same entries have the same roots.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeHex, encodeHex } from '../text/encoding.js';
import type { ErasureEntry, LinkEntry, OtherEntry, PatchEntry } from '../log/entry.js';
import type { Sha256 } from '../log/tree.js';
import { avatarKey, holderKey, identityKey } from './map-keys.js';
import {
  type AvatarState,
  isCountedKind,
  loadState,
  NOTHING,
  type SavedState,
  saveState,
  valueText,
} from './map-values.js';
import { type MapProof, SparseTree, valueHash } from './sparse-tree.js';

type LinkFact = Pick<LinkEntry, 'kind' | 'action' | 'avatar' | 'id' | 'identity_key'>;
type KnownFact = LinkFact | Pick<PatchEntry, 'kind' | 'avatar'> | Pick<ErasureEntry, 'kind' | 'id'>;

/** What the map takes of an entry. */
export type MapFact = KnownFact | OtherEntry;

/** The map as JSON, so that who follows a log can keep it: see `MapState.save`. */
export interface SavedMap {
  size: number;
  /** What each Avatar has signed. */
  avatars: [avatar: string, ...SavedState][];
  /** By the hex of the key of the identity: who holds it, by which entry, and the number of that link in its feed. */
  identities: [key: string, holders: [avatar: string, link: number, id: number][]][];
}

/** The kinds of the first version, and erasures of both. */
const KNOWN = /^(erased_)?(link|kv)$/;
const COMPRESSED = /^0x0[23][0-9a-f]{64}$/;

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

  /**
   * Takes the next entry of the log: of a record or an erasure as `readEntry` reads it, or of another kind as
   * `readOtherEntry` does; null for one of the map, and for what is no entry.
   */
  apply(entry: MapFact | null): void {
    const index = this.count++;
    if (!entry) return;
    const avatar = countedFor(entry);
    if (avatar !== null) {
      this.avatars.set(avatar, stateAfter(this.avatars.get(avatar) ?? NOTHING, entry.kind, index));
      this.changedAvatars.add(avatar);
    }
    if (!isKnown(entry)) return;
    if (entry.kind === 'link') this.bind(entry, index);
    if (entry.kind !== 'erased_link') return;
    const binding = this.bindings.get(entry.id);
    if (binding) this.unbind(binding.identity, binding.avatar);
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
      avatars: [...this.avatars].map(([avatar, state]) => [avatar, ...saveState(state)]),
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
    for (const [avatar, ...state] of avatars) {
      this.avatars.set(avatar, loadState(state));
      this.changedAvatars.add(avatar);
    }
    for (const [name, holders] of identities) {
      for (const [avatar, entry, id] of holders) this.hold(decodeHex(name)!, avatar, { entry, id });
    }
  }

  private bind({ avatar, action, identity_key: key, id }: LinkFact, entry: number): void {
    this.unbind(key, avatar);
    if (action === 'create') this.hold(decodeHex(key)!, avatar, { entry, id });
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

/** What an Avatar has signed once the entry of number `index` counts for it: see `countedFor`. */
export function stateAfter(state: AvatarState, kind: string, index: number): AvatarState {
  const [newest, count] = kind === 'kv' ? ['patch', 'patches'] : [kind, `${kind}s`];
  return { ...state, [newest]: index, [count]: (state[count] ?? 0) + 1 };
}

/** The Avatar, as its compressed key, for which an entry counts; null where the map counts it for none. */
export function countedFor(entry: MapFact): string | null {
  if (isKnown(entry)) return entry.kind === 'link' || entry.kind === 'kv' ? entry.avatar : null;
  const { kind, avatar } = entry;
  return isCountedKind(kind) && typeof avatar === 'string' && COMPRESSED.test(avatar) ? avatar : null;
}

function isKnown(entry: MapFact): entry is KnownFact {
  return KNOWN.test(entry.kind);
}
