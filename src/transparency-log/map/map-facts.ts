import { encodeHex } from '@signet/verify';
import { avatarKey, holderKey, identityKey, valueText } from '@signet/verify/map';
import type { AvatarState, HolderState, IdentityState } from '@signet/verify/map';
import type { EntityManager } from 'typeorm';
import { sha256 } from '../../crypto/hashing.js';
import { digitOf, WIDTH } from './map-tile.js';
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

/** What entries say of one Avatar, by itself or as a holder of one identity. */
interface Changed {
  /** The key of the Avatar in that tree. */
  key: Uint8Array;
  facts: Fact[];
}

/** The Avatars and identities that some entries change, and what becomes of them. */
export class MapChanges {
  private readonly avatars = new Map<string, Changed>();
  /** By the hex of the key of an identity: the Avatars that come or go. */
  private readonly identities = new Map<string, Map<string, Changed>>();

  constructor(facts: Fact[]) {
    for (const fact of facts) {
      if (fact.kind === 'link' || fact.kind === 'kv') note(this.avatars, fact, avatarKey);
      if (!fact.action) continue;
      const tree = treeOf(fact);
      const holders = this.identities.get(tree) ?? new Map<string, Changed>();
      this.identities.set(tree, holders);
      note(holders, fact, holderKey);
    }
  }

  /** These changes in parts, of which none needs a tile of another one, but the highest tile of the map. */
  inParts(count: number): MapChanges[] {
    const parts = Array.from({ length: count }, () => new MapChanges([]));
    const partOf = (key: Uint8Array) => parts[Math.floor((digitOf(key, 0) * count) / WIDTH)]!;
    for (const [avatar, changed] of this.avatars) partOf(changed.key).avatars.set(avatar, changed);
    for (const [tree, holders] of this.identities) partOf(bytesOf(tree)).identities.set(tree, holders);
    return parts;
  }

  /** All keys that may change. */
  keys(): TreeKey[] {
    const keys = [...[...this.avatars.values()].map(({ key }) => key), ...[...this.identities.keys()].map(bytesOf)];
    const holders = [...this.identities].flatMap(([tree, avatars]) =>
      [...avatars.values()].map(({ key }): TreeKey => ({ tree, key })),
    );
    return [...keys.map((key): TreeKey => ({ tree: MAP_TREE, key })), ...holders];
  }

  /** Brings the changes into trees that have these keys loaded. @returns the root of the map */
  async applyTo(trees: MapTrees): Promise<Uint8Array> {
    const changes = [...this.avatars.values()].map(({ key, facts }): KeyChange => {
      const before = valueOf<AvatarState>(trees, { tree: MAP_TREE, key });
      const state = facts.reduce(stateAfter, before ?? { link: null, links: 0, patch: null, patches: 0 });
      return [key, { key, value: valueText(state) }];
    });
    for (const [tree, avatars] of this.identities) {
      const identity = bytesOf(tree);
      let holders = valueOf<IdentityState>(trees, { tree: MAP_TREE, key: identity })?.holders ?? 0;
      const changesOfHolders: KeyChange[] = [];
      for (const [avatar, { key, facts }] of avatars) {
        const before = valueOf<HolderState>(trees, { tree, key })?.link ?? null;
        const link = facts.reduce(linkAfter, before);
        holders += Number(link !== null) - Number(before !== null);
        changesOfHolders.push([key, link === null ? null : { key, value: valueText({ link }), avatar }]);
      }
      const root = encodeHex(await trees.change(tree, changesOfHolders));
      changes.push([identity, holders > 0 ? { key: identity, value: valueText({ holders, root }) } : null]);
    }
    return trees.change(MAP_TREE, changes);
  }
}

function note(changed: Map<string, Changed>, fact: Fact, keyOf: typeof avatarKey): void {
  const known = changed.get(fact.avatar);
  if (known) known.facts.push(fact);
  else changed.set(fact.avatar, { key: keyOf(fact.avatar, sha256), facts: [fact] });
}

function stateAfter(state: AvatarState, { index, kind }: Fact): AvatarState {
  return kind === 'link'
    ? { ...state, link: index, links: state.links + 1 }
    : { ...state, patch: index, patches: state.patches + 1 };
}

/** The entry of the link that made the binding of a holder; null if it holds the identity no more. */
function linkAfter(before: number | null, { index, kind, action, linkIndex }: Fact): number | null {
  // The binding of a link whose text is erased is no longer shown.
  if (kind === 'erased_link') return before === linkIndex ? null : before;
  return action === 'create' ? index : null;
}

function treeOf({ platform, identity, identityKey: known }: Fact): string {
  return known ?? encodeHex(identityKey(platform!, identity!, sha256));
}

function valueOf<Value>(trees: MapTrees, key: TreeKey): Value | null {
  const leaf = trees.leafOf(key);
  return leaf && (JSON.parse(leaf.value) as Value);
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
