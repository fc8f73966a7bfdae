import pg from 'pg';
import { createApplication } from '../../src/application.js';
import { loadEnvironment } from '../../src/config/environment.js';
import { TEST_DATA_DIR } from '../support/database.js';
import { ENGINES_OF_TIER, openTestDatabase } from '../support/engines.js';
import { until } from '../support/until.js';

/** Bindings of a contract wallet of 0.1.0: more than one round of the back-fill. */
const BINDINGS = 6000;

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

it.each(ENGINES_OF_TIER)(
  'columns of old rows are filled in, and indexes built, by a server that serves (%s)',
  async (engine) => {
    const { database, drop } = await openTestDatabase(engine);
    const { directUrl: url } = database;
    await query(
      url,
      `insert into chain_link (id, avatar, position_in_chain, action, platform, identity, created_at, uuid, signature, signature_payload, extra)
     select number, '0x02' || lpad(to_hex(number), 64, '0'), 1, 'create', 'ethereum', '0xa', now(), gen_random_uuid(), '', '',
       case when number % 2 = 0 then '{"chain_id": 10}'::jsonb else '{}' end
     from generate_series(1, ${BINDINGS}) as number`,
    );
    await query(
      url,
      `insert into proof (avatar, platform, identity, identity_folded, link_id, created_at, last_checked_at, is_valid)
     select avatar, platform, identity, identity, id, now(), now(), true from chain_link`,
    );
    await query(url, 'update proof set chain_id = null');
    await query(url, 'drop index kv_patch_feed, webhook_delivery_dead');
    // As a server of this version left it that died in the middle.
    await query(
      url,
      `update upgrade_step set due_at = now(), finished_at = null, leased_until = now() - interval '1 second', done = 0
     where id in ('proof_chain_id', 'kv_patch_feed', 'webhook_delivery_dead')`,
    );

    const app = await createApplication(
      loadEnvironment({ LOG_LEVEL: 'error', DATA_DIR: TEST_DATA_DIR, HOST: '127.0.0.1' }),
      database,
    );
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as { port: number };
      const ready = async () =>
        (await fetch(`http://127.0.0.1:${port}/readyz`)).json() as Promise<{ upgrade?: object }>;
      await until(async () => (await ready()).upgrade === undefined);
    } finally {
      await app.close();
    }

    const counts = await query(url, 'select chain_id, count(*)::int as count from proof group by chain_id order by 1');
    expect(counts).toEqual([
      { chain_id: '10', count: BINDINGS / 2 },
      { chain_id: null, count: BINDINGS / 2 },
    ]);
    const indexes = `select 1 from pg_index where indisvalid and indexrelid in (to_regclass('kv_patch_feed'), to_regclass('webhook_delivery_dead'))`;
    expect(await query(url, indexes)).toHaveLength(2);
    await drop();
  },
);
