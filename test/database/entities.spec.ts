import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { TableColumns } from '../../src/database/table-columns.js';
import { DomainEvent } from '../../src/events/domain-event.entity.js';
import { HiddenItem } from '../../src/hiding/hidden-item.entity.js';
import { KeyEvent } from '../../src/keys/key-event.entity.js';
import { KvEntry } from '../../src/kv/kv-entry.entity.js';
import { KvPatch } from '../../src/kv/patches/kv-patch.entity.js';
import { ChainLink } from '../../src/proof-chain/chain-link.entity.js';
import { ProofEvidence } from '../../src/proof/proof-evidence.entity.js';
import { Proof } from '../../src/proof/proof.entity.js';
import { PushDelivery } from '../../src/push/push-delivery.entity.js';
import { PushSubscription } from '../../src/push/push-subscription.entity.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { WebhookSubscription } from '../../src/webhooks/webhook-subscription.entity.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const TABLES: Record<string, new () => object> = {
  chain_link: ChainLink,
  domain_event: DomainEvent,
  hidden_item: HiddenItem,
  key_event: KeyEvent,
  kv_entry: KvEntry,
  kv_patch: KvPatch,
  proof: Proof,
  proof_evidence: ProofEvidence,
  push_delivery: PushDelivery,
  push_subscription: PushSubscription,
  webhook_delivery: WebhookDelivery,
  webhook_subscription: WebhookSubscription,
};

describe('the columns that a class declares', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  /** Names and types of what a statement answers. */
  async function columnsOf(sql: string, values: unknown[] = []): Promise<[string, number][]> {
    const { fields } = await client.query(sql, values);
    return fields.map(({ name, dataTypeID }) => [name, dataTypeID]);
  }

  it.each(Object.entries(TABLES))('are those of the table %s in the migrated schema', async (table, entity) => {
    const columns = TableColumns.of(entity);
    const declared = await columnsOf(`select * from ${columns.rowsOf('$1')}`, ['[]']);

    expect(declared.length).toBeGreaterThan(3);
    expect(await columnsOf(`select ${columns.names} from ${table} limit 0`)).toEqual(declared);
  });

  it('are compared for every class of a table', () => {
    const files = readdirSync(fileURLToPath(new URL('../../src', import.meta.url)), {
      recursive: true,
      encoding: 'utf8',
    });

    expect(files.filter((name) => name.endsWith('.entity.ts'))).toHaveLength(Object.keys(TABLES).length);
  });
});
