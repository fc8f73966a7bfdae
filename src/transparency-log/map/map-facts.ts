import { avatarKey, holderKey, identityKey } from '@signet/verify/map';
import type { AvatarState, HolderState, IdentityState } from '@signet/verify/map';
import { valueText } from '@signet/verify/map';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../../crypto/hashing.js';
import { type KeyChange, MAP_TREE, type MapTrees, type TreeKey } from './map-trees.js';

/** What the map takes from an entry of the log. */
interface Fact {
  /** The number of the entry. */
  index: number;
  kind: string;
  /** Of the record. */
  avatar: string;
  /** Of links and their erasures; null otherwise. */
  action: 'create' | 'delete' | null;
  platform: string | null;
  identity: string | null;
  /** Of a link whose text is erased: hex of the key of its identity. */
  identityKey: string | null;
  /** Of the erasure of a link: the entry of that link. */
  linkIndex: number | null;
}

/** Entries of the map itself say nothing for it. */
const FACTS = `
  select leaf_index as index, leaf.kind, coalesce(link.avatar, entry::json ->> 'avatar') as avatar,
    link.action, link.platform, link.identity, link.erased ->> 'identity_key' as "identityKey",
    case when leaf.kind = 'erased_link' then (
      select leaf_index from log_leaf where kind = 'link' and record_id = leaf.record_id
    ) end as "linkIndex"
  from log_leaf leaf
  left join chain_link link on leaf.kind in ('link', 'erased_link') and link.id = leaf.record_id
  where leaf_index >= $1 and leaf_index < $2 and leaf.kind <> 'map'
  order by leaf_index`;

/** What some entries say, in their order, in the transaction of `manager`. */
export function readFacts(manager: EntityManager, from: number, to: number): Promise<Fact[]> {
  return manager.query(FACTS, [from, to]);
}

/** The Avatars and identities that some entries change, and what becomes of them. */
export class MapChanges {
  private readonly avatars = new Map<string, Uint8Array>();
  /** By the hex of the key of an identity: the Avatars that come or go, with their keys in its tree. */
  private readonly identities = new Map<string, Map<string, Uint8Array>>();

  constructor(private readonly facts: Fact[]) {
    for (const fact of facts) {
      if (fact.kind !== 'erased_kv') this.addAvatar(fact.avatar);
      if (fact.action) this.holdersOf(fact).set(fact.avatar, holderKey(fact.avatar, sha256));
    }
  }

  /** All keys that may change. */
  keys(): TreeKey[] {
    const keys = [...this.avatars.values(), ...[...this.identities.keys()].map(bytesOf)];
    const holders = [...this.identities].flatMap(([tree, avatars]) =>
      [...avatars.values()].map((key): TreeKey => ({ tree, key })),
    );
    return [...keys.map((key): TreeKey => ({ tree: MAP_TREE, key })), ...holders];
  }

  /** Brings the changes into trees that have these keys loaded. @returns the root of the map */
  async applyTo(trees: MapTrees): Promise<Uint8Array> {
    const changes = this.changesOfAvatars(trees);
    for (const [tree, changesOfHolders] of this.changesOfHolders(trees)) {
      const key = bytesOf(tree);
      const before = trees.leafOf({ tree: MAP_TREE, key });
      const was = before ? (JSON.parse(before.value) as IdentityState).holders : 0;
      let holders = was;
      for (const [holder, leaf] of changesOfHolders) {
        holders += Number(leaf !== null) - Number(trees.leafOf({ tree, key: holder }) !== null);
      }
      const root = await trees.change(tree, changesOfHolders);
      const value: IdentityState = { holders, root: Buffer.from(root).toString('hex') };
      changes.push([key, holders > 0 ? { key, value: valueText(value) } : null]);
    }
    return trees.change(MAP_TREE, changes);
  }

  private changesOfAvatars(trees: MapTrees): KeyChange[] {
    const states = new Map<string, AvatarState>();
    for (const { index, kind, avatar } of this.facts) {
      const state = states.get(avatar) ?? stateOf(trees, this.avatars.get(avatar));
      if (kind === 'link') states.set(avatar, { ...state, link: index, links: state.links + 1 });
      if (kind === 'kv') states.set(avatar, { ...state, patch: index, patches: state.patches + 1 });
    }
    return [...states].map(([avatar, state]) => {
      const key = this.avatars.get(avatar)!;
      return [key, { key, value: valueText(state) }];
    });
  }

  private changesOfHolders(trees: MapTrees): Map<string, KeyChange[]> {
    /** By identity and Avatar: the entry of the link that made the binding; null if there is none. */
    const links = new Map<string, Map<string, number | null>>();
    for (const fact of this.facts.filter(({ action }) => action !== null)) {
      const { index, kind, avatar, action, linkIndex } = fact;
      const tree = treeOf(fact);
      const held = links.get(tree) ?? new Map<string, number | null>();
      links.set(tree, held);
      const key = this.identities.get(tree)!.get(avatar)!;
      const before = held.has(avatar) ? held.get(avatar)! : linkOfHolder(trees, { tree, key });
      // The binding of a link whose text is erased is no longer shown.
      if (kind === 'erased_link') held.set(avatar, before === linkIndex ? null : before);
      else held.set(avatar, action === 'create' ? index : null);
    }
    return new Map(
      [...links].map(([tree, held]) => [
        tree,
        [...held].map(([avatar, link]): KeyChange => {
          const key = this.identities.get(tree)!.get(avatar)!;
          return [key, link === null ? null : { key, value: valueText({ link }), avatar }];
        }),
      ]),
    );
  }

  private addAvatar(avatar: string): void {
    if (!this.avatars.has(avatar)) this.avatars.set(avatar, avatarKey(avatar, sha256));
  }

  private holdersOf(fact: Fact): Map<string, Uint8Array> {
    const tree = treeOf(fact);
    const holders = this.identities.get(tree) ?? new Map<string, Uint8Array>();
    this.identities.set(tree, holders);
    return holders;
  }
}

function treeOf({ platform, identity, identityKey: known }: Fact): string {
  return known ?? Buffer.from(identityKey(platform!, identity!, sha256)).toString('hex');
}

function stateOf(trees: MapTrees, key: Uint8Array | undefined): AvatarState {
  const leaf = key && trees.leafOf({ tree: MAP_TREE, key });
  return leaf ? (JSON.parse(leaf.value) as AvatarState) : { link: null, links: 0, patch: null, patches: 0 };
}

function linkOfHolder(trees: MapTrees, key: TreeKey): number | null {
  const leaf = trees.leafOf(key);
  return leaf && (JSON.parse(leaf.value) as HolderState).link;
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
