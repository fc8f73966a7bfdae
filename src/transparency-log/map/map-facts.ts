import { encodeHex } from '@signet/verify';
import { avatarKey, holderKey, identityKey, valueText } from '@signet/verify/map';
import type { AvatarState, HolderState, IdentityState } from '@signet/verify/map';
import type { EntityManager } from 'typeorm';
import { Turns } from '../../concurrency/turns.js';
import { sha256 } from '../../crypto/hashing.js';
import { digitOf, WIDTH } from './map-tile.js';
import { type MapLeaf, rootOf } from './map-slot.js';
import type { KeyChange, KeyToLoad, MapTrees } from './map-trees.js';

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

  /** Adds what entries say, in their order. */
  async add(facts: Fact[]): Promise<this> {
    const turns = new Turns();
    for (const fact of facts) {
      await turns.next();
      if (fact.kind === 'link' || fact.kind === 'kv') note(this.avatars, fact, avatarKey);
      if (!fact.action) continue;
      const tree = treeOf(fact);
      const holders = this.identities.get(tree) ?? new Map<string, Changed>();
      this.identities.set(tree, holders);
      note(holders, fact, holderKey);
    }
    return this;
  }

  /** These changes in parts, of which none needs a tile of another one, but the highest tile of the map. */
  inParts(count: number): MapChanges[] {
    const parts = Array.from({ length: count }, () => new MapChanges());
    const partOf = (key: Uint8Array) => parts[Math.floor((digitOf(key, 0) * count) / WIDTH)]!;
    for (const [avatar, changed] of this.avatars) partOf(changed.key).avatars.set(avatar, changed);
    for (const [tree, holders] of this.identities) partOf(bytesOf(tree)).identities.set(tree, holders);
    return parts;
  }

  /** All keys that may change. */
  keys(): KeyToLoad[] {
    const avatars = [...this.avatars.values()].map(({ key }): KeyToLoad => ({ key }));
    const identities = [...this.identities].map(([identity, holders]): KeyToLoad => {
      return { key: bytesOf(identity), holders: [...holders.values()].map(({ key }) => key) };
    });
    return [...avatars, ...identities];
  }

  /** Brings the changes into trees that have these keys loaded. @returns the root of the map */
  async applyTo(trees: MapTrees): Promise<Uint8Array> {
    const changes = [...this.avatars.values()].map(({ key, facts }): KeyChange => {
      const before = valueOf<AvatarState>(trees.leafOf(key));
      const state = facts.reduce(stateAfter, before ?? { link: null, links: 0, patch: null, patches: 0 });
      return [key, { key, value: valueText(state) }];
    });
    const turns = new Turns();
    for (const [identity, avatars] of this.identities) {
      await turns.next();
      const key = bytesOf(identity);
      const leaf = trees.leafOf(key);
      const tree = leaf?.holders ?? null;
      let count = valueOf<IdentityState>(leaf)?.holders ?? 0;
      const changesOfHolders: KeyChange[] = [];
      for (const [avatar, holder] of avatars) {
        const before = valueOf<HolderState>(trees.holderOf(tree, holder.key))?.link ?? null;
        const link = holder.facts.reduce(linkAfter, before);
        count += Number(link !== null) - Number(before !== null);
        const value = link === null ? null : { key: holder.key, value: valueText({ link }), avatar };
        changesOfHolders.push([holder.key, value]);
      }
      const holders = await trees.changeHolders(tree, changesOfHolders);
      const value = valueText({ holders: count, root: encodeHex(rootOf(holders)) });
      changes.push([key, count > 0 ? { key, value, holders } : null]);
    }
    return trees.change(changes);
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

function valueOf<Value>(leaf: MapLeaf | null): Value | null {
  return leaf && (JSON.parse(leaf.value) as Value);
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
