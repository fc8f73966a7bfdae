import type { EntityManager } from 'typeorm';

/** The id in the archive of the document of a link; null if it was not sent there. */
export async function sentDocument(manager: EntityManager, linkId: number): Promise<string | null> {
  const sql = "select archive_id from archive_item where link_id = $1 and state <> 'signed'";
  return ((await manager.query(sql, [linkId])) as { archive_id: string }[])[0]?.archive_id ?? null;
}

/**
 * Erases the signed document of a link, in the transaction of `manager`, so that it is not sent any more. Documents of
 * later links name it all the same, since they are signed. What was sent before stays in the archive.
 * @returns its id in the archive if it was sent; null otherwise
 */
export async function eraseDocument(manager: EntityManager, linkId: number): Promise<string | null> {
  const [item] = (await manager.query(
    'select archive_id, state, batch_id from archive_item where link_id = $1 for update',
    [linkId],
  )) as { archive_id: string; state: string; batch_id: number | null }[];
  if (!item) return null;
  await manager.query(`update archive_item set signed_bytes = '', state = 'confirmed' where link_id = $1`, [linkId]);
  // A transaction that was packed with it is packed anew, without it, or not needed any more.
  await manager.query(
    `update archive_batch set parcel = case when sent_at is null then '' else parcel end,
       next_at = case when exists (select from archive_item where batch_id = $1 and state <> 'confirmed') then next_at end
     where id = $1`,
    [item.batch_id],
  );
  return item.state === 'signed' ? null : item.archive_id;
}
