import type { Erasure } from '@signet/verify';
import type { EntityManager } from 'typeorm';

/** The number of the link of this number or uuid, in the transaction of `manager`; null if there is none. */
export async function linkIdOf(manager: EntityManager, name: string): Promise<number | null> {
  const column = name.includes('-') ? 'uuid' : 'id';
  const rows: { id: number }[] = await manager.query(`select id from chain_link where ${column} = $1`, [name]);
  return rows[0]?.id ?? null;
}

/** Erases the texts of a link, in the transaction of `manager`. */
export async function eraseLink(manager: EntityManager, id: number, erased: Erasure): Promise<void> {
  await manager.query(
    `update chain_link set identity = '', proof_location = '', signature_payload = '', extra = '{}', erased = $2
     where id = $1`,
    [id, JSON.stringify(erased)],
  );
}

/** Whether the Avatar has a link about this identity, in the transaction of `manager`. */
export async function hasLinkOf(
  manager: EntityManager,
  { avatar, platform, identity }: { avatar: string; platform: string; identity: string },
): Promise<boolean> {
  const sql = 'select id from chain_link where avatar = $1 and platform = $2 and identity = $3 limit 1';
  return ((await manager.query(sql, [avatar, platform, identity])) as unknown[]).length > 0;
}
