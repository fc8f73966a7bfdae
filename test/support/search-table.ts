import type pg from 'pg';
import { SEARCH_INDEX } from '../../src/proof/look-up/search-table.js';

/** Adds all bindings to the table of searches, which the service does in small batches; its index is built at once. */
export async function fillSearchTable(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query<{ indexdef: string }>('select indexdef from pg_indexes where indexname = $1', [
    SEARCH_INDEX,
  ]);
  await client.query(`drop index ${SEARCH_INDEX}`);
  await client.query(`
    insert into proof_search (proof_id, link_id, avatar, platform, identity_folded)
    select id, link_id, avatar, platform, identity_folded from proof order by link_id on conflict do nothing`);
  await client.query(rows[0]!.indexdef);
  await client.query('analyze proof_search');
}
