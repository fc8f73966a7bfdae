import { canonicalJson } from '@signet/verify';
import { identityKeyText, PatchReplay } from '@signet/verify/internal/chains';
import { identityKeySql } from '../incomplete-entries.js';
import type { IdentityName } from '../../domain/identity-name.js';

/** Runs a reading statement. */
export type Read = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

/** An entry as it was behind a patch: canonical JSON, or null where it was not there yet. */
export interface EntryThen extends IdentityName {
  content: string | null;
}

const PATCHES_AT_ONCE = 100;
/** The highest that the column can hold. */
const LAST_POSITION = 2_147_483_647;

/** Parameters: the Avatar, and positions in its chain: patches behind the first one, up to the second one. */
const CHANGED_BEHIND = `
  with behind as materialized (
    select distinct platform, identity, erased ->> 'identity_key' as erased_key
    from kv_patch where avatar = $1 and position_in_chain > $2 and position_in_chain <= $3
  )
  select platform, identity from kv_entry entry where avatar = $1 and (
    (platform, identity) in (select platform, identity from behind where erased_key is null)
    or ${identityKeySql('entry')} in (select erased_key from behind where erased_key is not null)
  )`;

interface EntryPatch {
  id: number;
  /** In the chain of the Avatar, from 1. */
  position: number;
  /** Canonical JSON. */
  patch: string;
  isErased: boolean;
}

/** The entries that patches behind `position`, up to `last`, have changed, as they were before these. */
export async function entriesThen(read: Read, avatar: string, position: number, last: number): Promise<EntryThen[]> {
  const names = await read<IdentityName>(CHANGED_BEHIND, [avatar, position, last]);
  const entries: EntryThen[] = [];
  for (const name of names) entries.push({ ...name, content: await contentThen(read, avatar, name, position) });
  return entries;
}

/** The content of an entry behind the patch at `position`, as canonical JSON; null where it was not there yet. */
export async function contentThen(
  read: Read,
  avatar: string,
  { platform, identity }: IdentityName,
  position: number,
): Promise<string | null> {
  const replay = new PatchReplay();
  const erased = { at: 0, identity_key: identityKeyText({ platform, identity }), reason: '', record: '' };
  for await (const row of entryPatches(read, avatar, { platform, identity }, position)) {
    const item = { platform, identity, patch: JSON.parse(row.patch) as unknown };
    replay.add(row.isErased ? { ...item, erased } : item);
  }
  const [entry] = replay.entries.values();
  return entry ? canonicalJson(entry.content) : null;
}

/**
 * The patches of an entry up to a position in the chain of its Avatar, erased ones included, oldest first, some at a
 * time: each may have 64 KiB.
 */
export async function* entryPatches(
  read: Read,
  avatar: string,
  name: IdentityName,
  upTo = LAST_POSITION,
): AsyncGenerator<EntryPatch, void> {
  const { platform, identity } = name;
  for (let last = 0; ;) {
    const rows = await read<EntryPatch>(
      `select feed_id::float8 as id, position_in_chain as position, patch, erased is not null as "isErased" from kv_patch
       where avatar = $1 and (platform = $2 and identity = $3 or erased ->> 'identity_key' = $4)
         and position_in_chain > $5 and position_in_chain <= $6
       order by position_in_chain limit $7`,
      [avatar, platform, identity, identityKeyText(name), last, upTo, PATCHES_AT_ONCE],
    );
    yield* rows;
    if (rows.length < PATCHES_AT_ONCE) return;
    last = rows.at(-1)!.position;
  }
}
