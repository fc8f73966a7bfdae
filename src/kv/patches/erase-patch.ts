import { canonicalJson, type Erasure } from '@signet/verify';
import { isObject } from '@signet/verify/internal';
import { identityKeyText, PatchReplay } from '@signet/verify/internal/chains';
import type { EntityManager } from 'typeorm';
import { CONTENT_THEN_TABLE } from '../../holds/avatar-holds.js';
import type { NumberedPatch } from '../kv-feed.js';
import { contentThen, entryPatches, type Read } from './content-since.js';

const OF_ENTRY = 'where avatar = $1 and platform = $2 and identity = $3';

/** What became of the content of an entry. */
export interface ErasedContent {
  /** Canonical JSON; null where no other patch has made the entry, which is gone then. */
  content: string | null;
  /** Members, as JSON pointers, that other patches had made, and that the content does not have any more. */
  goesToo: string[];
}

/** A patch by its number, and the name of its entry. */
type NamedPatch = Pick<NumberedPatch, 'id' | 'avatar' | 'platform' | 'identity'>;

/**
 * What the content of an entry would be with one of its patches erased: what the patches behind that one add up to
 * (`PatchReplay`). What the others had made before, it may have changed, and nobody can compute that any more.
 */
export async function contentWithout(
  manager: EntityManager,
  { id, avatar, platform, identity }: NamedPatch,
): Promise<ErasedContent> {
  const entry = [avatar, platform, identity];
  const key = identityKeyText({ platform, identity });
  const gone: Erasure = { at: 0, identity_key: key, reason: '', record: '' };
  const [erased, others] = [new PatchReplay(), new PatchReplay()];
  for await (const row of entryPatches(readIn(manager), avatar, { platform, identity })) {
    const item = { platform, identity, patch: JSON.parse(row.patch) as unknown };
    erased.add(row.isErased || row.id === id ? { ...item, erased: gone } : item);
    if (row.id !== id) others.add(row.isErased ? { ...item, erased: gone } : item);
  }
  const [[after], [other]] = [[...erased.entries.values()], [...others.entries.values()]];
  const [before] = await manager.query<{ content: string }[]>(`select content from kv_entry ${OF_ENTRY}`, entry);
  const was: unknown = JSON.parse(before?.content ?? '{}');
  const own = newIn(was, other?.content ?? {}, '');
  const goesToo = newIn(was, after?.content ?? {}, '').filter((member) => !own.includes(member));
  return { content: after ? canonicalJson(after.content) : null, goesToo };
}

/**
 * Erases the texts of a patch, in the transaction of `manager`, which has locked its chain.
 * @param content of its entry then, see `contentWithout`
 */
export async function erasePatch(
  manager: EntityManager,
  { id, avatar, platform, identity }: NamedPatch,
  erased: Erasure,
  content: string | null,
): Promise<void> {
  await manager.query(
    `update kv_patch set identity = '', patch = '{}', signature_payload = '', erased = $2 where feed_id = $1`,
    [id, JSON.stringify(erased)],
  );
  await manager.query('insert into incomplete_entry values ($1, $2) on conflict do nothing', [
    avatar,
    erased.identity_key,
  ]);
  const entry = [avatar, platform, identity];
  if (content === null) await manager.query(`delete from kv_entry ${OF_ENTRY}`, entry);
  else {
    const sql = `update kv_entry set content = $4, updated_at = clock_timestamp() ${OF_ENTRY}`;
    await manager.query(sql, [...entry, content]);
  }
  if (content === null) await manager.query(`delete from ${CONTENT_THEN_TABLE} ${OF_ENTRY}`, entry);
  else await eraseThen(manager, { avatar, platform, identity });
}

/** Computes anew what the entry was behind the owner's last patch, for each succession that has named one. */
async function eraseThen(manager: EntityManager, { avatar, ...name }: Omit<NamedPatch, 'id'>): Promise<void> {
  const rows = await manager.query<{ event: string; position: number }[]>(
    `select event, since_position as position from ${CONTENT_THEN_TABLE} where avatar = $1 and platform = $2 and identity = $3`,
    [avatar, name.platform, name.identity],
  );
  for (const { event, position } of rows) {
    const then = await contentThen(readIn(manager), avatar, name, position);
    const sql = `update ${CONTENT_THEN_TABLE} set content = $4 where event = $1 and platform = $2 and identity = $3`;
    await manager.query(sql, [event, name.platform, name.identity, then]);
  }
}

function readIn(manager: EntityManager): Read {
  return (sql, values) => manager.query(sql, values);
}

/** JSON pointers (RFC 6901) of the members of `after` that `before` does not have so. */
function newIn(after: unknown, before: unknown, path: string): string[] {
  if (!isObject(after) || !isObject(before)) return canonicalJson(after) === canonicalJson(before) ? [] : [path];
  return Object.entries(after).flatMap(([name, value]) => {
    const there = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return Object.hasOwn(before, name) ? newIn(value, before[name], there) : [there];
  });
}
