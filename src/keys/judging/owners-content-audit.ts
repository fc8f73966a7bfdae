import { AuditFinding, type AuditQuery } from '../../ledger/audited-kind.js';
import { CONTENT_THEN_TABLE } from '../../holds/avatar-holds.js';
import { entriesThen, type EntryThen } from '../../kv/patches/content-since.js';
import { KEYS_TABLE } from '../key-rows.js';

/** A succession, with the patches that it speaks of. */
interface NamedSuccession {
  id: number;
  uuid: string;
  avatar: string;
  /** The place of the owner's last patch in the chain; 0 where there is none. */
  position: number;
  /** How many patches there were when it was recorded. */
  patches: number;
}

type StoredEntry = EntryThen & { position: number };

const BATCH = 100;

/** Behind the number `$1`: those behind whose `since_patch` there are patches, or of which content is stored. */
const SUCCESSIONS = `
  select event.id::float8 as id, event.uuid, event.avatar, event.patches,
    coalesce(patch.position_in_chain, 0) as position
  from ${KEYS_TABLE} event
  left join kv_patch patch on patch.avatar = event.avatar and patch.uuid::text = event.fields::json ->> 'since_patch'
  where event.action = 'key.succeed' and event.id > $1 and (
    event.patches > coalesce(patch.position_in_chain, 0)
    or exists (select from ${CONTENT_THEN_TABLE} entry where entry.event = event.uuid)
  )
  order by event.id limit ${BATCH}`;
const STORED = `
  select platform, identity, content, since_position as position from ${CONTENT_THEN_TABLE} where event = $1`;
const STRAY = `
  select avatar from ${CONTENT_THEN_TABLE} entry
  where not exists (
    select from ${KEYS_TABLE} event
    where event.uuid = entry.event and event.avatar = entry.avatar and event.action = 'key.succeed'
  ) limit 1`;

/**
 * Compares the content that is kept of the owners of Avatars that were succeeded with what their patches add up to at
 * the last one that each succession names.
 * @throws AuditFinding
 */
export async function auditOwnersContent(query: AuditQuery): Promise<void> {
  const [stray] = await query<{ avatar: string }>(STRAY);
  if (stray) throw new AuditFinding(`Content of an owner is kept for ${stray.avatar}, and no succession asks for it.`);
  for (let last = 0; ;) {
    const successions = await query<NamedSuccession>(SUCCESSIONS, [last]);
    for (const succession of successions) await compare(query, succession);
    if (successions.length < BATCH) return;
    last = successions.at(-1)!.id;
  }
}

/** @throws AuditFinding */
async function compare(query: AuditQuery, { uuid, avatar, position, patches }: NamedSuccession): Promise<void> {
  const stored = new Map((await query<StoredEntry>(STORED, [uuid])).map((entry) => [nameOf(entry), entry]));
  for (const entry of await entriesThen(query, avatar, position, patches)) {
    const kept = stored.get(nameOf(entry));
    if (!kept) throw found(avatar, entry, uuid, 'is missing');
    if (kept.content !== entry.content || kept.position !== position) {
      throw found(avatar, entry, uuid, 'is not what the patches up to it add up to');
    }
    stored.delete(nameOf(entry));
  }
  const [more] = stored.values();
  if (more) throw found(avatar, more, uuid, 'is kept, and no patch behind it has changed that');
}

function nameOf({ platform, identity }: EntryThen): string {
  return `${platform} ${identity}`;
}

function found(avatar: string, { platform, identity }: EntryThen, uuid: string, what: string): AuditFinding {
  return new AuditFinding(
    `The content of Avatar ${avatar} under "${identity}" on ${platform} at the last patch that succession ${uuid} names ${what}.`,
  );
}
