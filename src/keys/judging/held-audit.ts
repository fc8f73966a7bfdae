import { type SignedKeyEvent, verifyHolds } from '@signet/verify/key-events';
import { AuditFinding, type AuditQuery } from '../../ledger/audited-kind.js';
import { KEY_COLUMNS, KEYS_TABLE, type StoredKeyEvent, toSignedKeyEvent } from '../key-rows.js';

const BATCH = 100;

/** Avatars behind `$1` whose keys have stopped their writes at some time. */
const STOPPED = `
  select distinct avatar from ${KEYS_TABLE}
  where action in ('key.freeze', 'key.succeed') and avatar > $1 order by avatar limit ${BATCH}`;
const EVENTS = `
  select ${KEY_COLUMNS.selectedFrom('event')} from ${KEYS_TABLE} event where avatar = $1 order by position_in_chain`;
const timesSql = (table: string) => `
  select coalesce(array_agg(floor(extract(epoch from recorded_at))::float8 order by position_in_chain), '{}') as times
  from ${table} where avatar = $1`;

/**
 * Finds links and patches that were recorded while the keys of their Avatar had stopped its writes: the database
 * refuses them, unless somebody has taken its triggers away.
 * @throws AuditFinding
 */
export async function auditHolds(query: AuditQuery): Promise<void> {
  for (let last = ''; ;) {
    const avatars = await query<{ avatar: string }>(STOPPED, [last]);
    for (const { avatar } of avatars) await auditOne(query, avatar);
    if (avatars.length < BATCH) return;
    last = avatars.at(-1)!.avatar;
  }
}

/** @throws AuditFinding */
async function auditOne(query: AuditQuery, avatar: string): Promise<void> {
  const events = await keyEventsOf(query, avatar);
  const links = await timesOf(query, 'chain_link', avatar);
  const patches = await timesOf(query, 'kv_patch', avatar);
  const { steps } = verifyHolds(events, { links, patches, now: Date.now() / 1000 });
  const bad = steps.find(({ state }) => state === 'failed');
  if (bad) throw new AuditFinding(`Of Avatar ${avatar}: ${bad.detail}`);
}

/** The key events of an Avatar, oldest first; the rules bound how many there are. */
export async function keyEventsOf(query: AuditQuery, avatar: string): Promise<SignedKeyEvent[]> {
  return (await query<StoredKeyEvent>(EVENTS, [avatar])).map(toSignedKeyEvent);
}

async function timesOf(query: AuditQuery, table: string, avatar: string): Promise<number[]> {
  const [row] = await query<{ times: number[] }>(timesSql(table), [avatar]);
  return row!.times;
}
