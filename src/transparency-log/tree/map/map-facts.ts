import { encodeHex } from '@signet/verify';
import type { LinkEntry } from '@signet/verify/log';
import {
  avatarKey,
  countedFor,
  holderKey,
  NOTHING,
  stateAfter,
  valueText,
  type AvatarState,
  type HolderState,
  type IdentityState,
} from '@signet/verify/internal/map';
import type { EntityManager } from 'typeorm';
import { Turns } from '../../../concurrency/turns.js';
import { sha256 } from '../../../crypto/hashing.js';
import { erasureOf, type RecordKind, type RecordKinds } from '../../../ledger/record-kind.js';
import type { NewLeaf } from '../records/new-leaves.js';
import { digitOf } from './map-tile.js';
import { WIDTH } from './map-tile-layout.js';
import { type MapLeaf, rootOf } from './map-slot.js';
import type { KeyChange, KeyToLoad, MapTrees } from './map-trees.js';

/** What the map takes from an entry of the log. */
interface Fact {
  /** The number of the entry. */
  index: number;
  kind: string;
  /** The Avatar whose record it is, or was. */
  avatar: string;
  /** Whether it counts for that Avatar: records do, and their erasures do not. */
  isCounted: boolean;
  /** Hex of the key of the identity that a binding is about which the entry makes or ends; null otherwise. */
  identity: string | null;
  /** Of a record that makes or ends a binding; null otherwise. */
  action: 'create' | 'delete' | null;
  /** Of an erasure: the entry of the erased record that could make a binding; null otherwise. */
  madeIndex: number | null;
}

/**
 * Entries of the map itself say nothing for it; that of an erasure names the record, whose entry says the rest.
 * Parameters: from, to, kinds of records, and of these the ones that make bindings.
 */
const FACTS = `
  select leaf.leaf_index as index, leaf.entry, leaf.kind = any($4) as "isBinding",
    made.leaf_index as "madeIndex", made.entry as made
  from log_leaf leaf
  left join lateral (
    select leaf_index, entry from log_leaf
    where leaf.kind = any($5) and kind = substr(leaf.kind, ${erasureOf('').length + 1}) and record_id = leaf.record_id limit 1
  ) as made on true
  where leaf.leaf_index >= $1 and leaf.leaf_index < $2 and (leaf.kind = any($3) or leaf.kind = any($5))
  order by leaf.leaf_index`;

interface FactRow {
  index: number;
  entry: string;
  isBinding: boolean;
  madeIndex: number | null;
  made: string | null;
}

/** What some entries say, in their order, in the transaction of `manager`. */
export async function readFacts(
  manager: EntityManager,
  { all, names }: RecordKinds,
  from: number,
  to: number,
): Promise<Fact[]> {
  const binding = bindingNames(all);
  const rows: FactRow[] = await manager.query(FACTS, [from, to, names, binding, binding.map(erasureOf)]);
  return rows.map(factOf);
}

/**
 * What leaves say that were just written, the first of which has the number `first`; null if some are of erasures,
 * whose records have to be read.
 */
export function factsOf({ all, names }: RecordKinds, leaves: NewLeaf[], first: number): Fact[] | null {
  const binding = bindingNames(all);
  if (leaves.some(({ kind }) => kind !== 'map' && !names.includes(kind))) return null;
  return leaves.flatMap(({ kind, entry }, place) => {
    const row = { index: first + place, entry, isBinding: binding.includes(kind), madeIndex: null, made: null };
    return kind === 'map' ? [] : [factOf(row)];
  });
}

function bindingNames(kinds: readonly RecordKind[]): string[] {
  return kinds.filter(({ bindsIdentities }) => bindsIdentities).map(({ name }) => name);
}

function factOf({ index, entry, isBinding, madeIndex, made }: FactRow): Fact {
  const own = JSON.parse(entry) as LinkEntry;
  const about = made !== null ? (JSON.parse(made) as LinkEntry) : isBinding ? own : null;
  const action = isBinding ? own.action : null;
  const identity = about?.identity_key ?? null;
  const isCounted = countedFor(own) !== null;
  return { index, kind: own.kind, avatar: own.avatar, isCounted, identity, action, madeIndex };
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
      if (fact.isCounted) note(this.avatars, fact, avatarKey);
      const { identity: tree } = fact;
      if (tree === null) continue;
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
      const before = valueOf<AvatarState>(trees.leafOf(key)) ?? NOTHING;
      const state = facts.reduce((known, { kind, index }) => stateAfter(known, kind, index), before);
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

/** The entry of the link that made the binding of a holder; null if it holds the identity no more. */
function linkAfter(before: number | null, { index, action, madeIndex }: Fact): number | null {
  // The binding of a link whose text is erased is no longer shown.
  if (madeIndex !== null) return before === madeIndex ? null : before;
  return action === 'create' ? index : null;
}

function valueOf<Value>(leaf: MapLeaf | null): Value | null {
  return leaf && (JSON.parse(leaf.value) as Value);
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
