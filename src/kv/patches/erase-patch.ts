import { canonicalJson, type Erasure, isObject, replayPatches } from '@signet/verify';
import type { EntityManager } from 'typeorm';
import type { NumberedPatch } from '../kv-feed.js';

const OF_ENTRY = 'where avatar = $1 and platform = $2 and identity = $3';

/** What became of the content of an entry. */
export interface ErasedContent {
  /** Canonical JSON; null where no other patch has made the entry, which is gone then. */
  content: string | null;
  /**
   * Members, as JSON pointers, that the content has again because the patch that took them out or replaced them is
   * gone.
   */
  comesBack: string[];
}

/** A patch by its number, and the name of its entry. */
type NamedPatch = Pick<NumberedPatch, 'id' | 'avatar' | 'platform' | 'identity'>;

/** What the content of an entry would be without one of its patches: what the others add up to. */
export async function contentWithout(
  manager: EntityManager,
  { id, avatar, platform, identity }: NamedPatch,
): Promise<ErasedContent> {
  const entry = [avatar, platform, identity];
  const readOthers = `select patch from kv_patch ${OF_ENTRY} and feed_id is distinct from $4 order by position_in_chain`;
  const others = await manager.query<{ patch: string }[]>(readOthers, [...entry, id]);
  const [before] = await manager.query<{ content: string }[]>(`select content from kv_entry ${OF_ENTRY}`, entry);
  const patches = others.map(({ patch }) => ({ platform, identity, patch: JSON.parse(patch) as unknown }));
  const [replayed] = replayPatches(patches);
  const content = replayed ? canonicalJson(replayed.content) : null;
  return { content, comesBack: newIn(replayed?.content ?? {}, JSON.parse(before?.content ?? '{}'), '') };
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
  const entry = [avatar, platform, identity];
  if (content === null) await manager.query(`delete from kv_entry ${OF_ENTRY}`, entry);
  else {
    const sql = `update kv_entry set content = $4, updated_at = clock_timestamp() ${OF_ENTRY}`;
    await manager.query(sql, [...entry, content]);
  }
}

/** JSON pointers (RFC 6901) of the members of `after` that `before` does not have so. */
function newIn(after: unknown, before: unknown, path: string): string[] {
  if (!isObject(after) || !isObject(before)) return canonicalJson(after) === canonicalJson(before) ? [] : [path];
  return Object.entries(after).flatMap(([name, value]) => {
    const there = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return Object.hasOwn(before, name) ? newIn(value, before[name], there) : [there];
  });
}
