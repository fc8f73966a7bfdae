import { hasTable, type SqlSource } from '../sql-source.js';

interface Step {
  /** Name of the step in the table `upgrade_step`; never changed. Of an index, its own name. */
  id: string;
  /** Steps are done one after the other in this order; new ones come last. */
  place: number;
  /** For people: what is done. */
  title: string;
  /** The table whose size says how long it takes. */
  table: string;
}

/** An index, which is built while others write (`create index concurrently`). */
export interface IndexStep extends Step {
  kind: 'index';
  /** What stands behind `create index <id> on <table>`. */
  definition: string;
  isUnique?: true;
  /** Bytes of the index for each row of the table, at most: for the space that is needed. */
  bytesPerRow: number;
}

/** Columns that are filled in for rows that were there before, range by range of their `id`. */
export interface BackfillStep extends Step {
  kind: 'backfill';
  /** One statement for the rows with `$1 < id and id <= $2`. Doing it twice does no harm. */
  sql: string;
  /** Bytes of new row versions for each row of the table, at most. */
  bytesPerRow: number;
}

/** Some statements over few rows, in one transaction. Doing them twice does no harm. */
interface TaskStep extends Step {
  kind: 'task';
  run(source: SqlSource): Promise<void>;
}

/**
 * Long work of an upgrade. On a large table it is done by one server at a time while all serve; on a small one at the
 * start, like a migration.
 */
export type UpgradeStep = IndexStep | BackfillStep | TaskStep;

/** All steps, in their order. */
export const UPGRADE_STEPS: UpgradeStep[] = [
  {
    // What is due, longest first, for each subscription.
    kind: 'index',
    id: 'webhook_delivery_due',
    place: 10,
    title: 'index of the deliveries that are due',
    table: 'webhook_delivery',
    definition: '(subscription_id, next_attempt_at) where next_attempt_at is not null',
    bytesPerRow: 48,
  },
  {
    // What an operator is shown.
    kind: 'index',
    id: 'webhook_delivery_dead',
    place: 20,
    title: 'index of the deliveries that were given up',
    table: 'webhook_delivery',
    definition: '(dead_at) where dead_letter_id is not null',
    bytesPerRow: 24,
  },
  {
    kind: 'task',
    id: 'webhook_take_over',
    place: 30,
    title: 'deliveries of the job queue of 0.1.0',
    table: 'webhook_delivery',
    run: takeOverDeliveries,
  },
  {
    kind: 'backfill',
    id: 'proof_chain_id',
    place: 40,
    title: 'chains of contract wallets',
    table: 'proof',
    sql: `
      update proof set chain_id = (link.extra->>'chain_id')::bigint
      from chain_link link
      where proof.id > $1 and proof.id <= $2 and proof.platform = 'ethereum' and proof.chain_id is null
        and link.id = proof.link_id and link.extra ? 'chain_id'`,
    bytesPerRow: 0,
  },
  {
    // What has no number in the feed yet.
    kind: 'index',
    id: 'kv_patch_unnumbered',
    place: 50,
    title: 'index of the patches without a number',
    table: 'kv_patch',
    definition: '(id) where feed_id is null',
    bytesPerRow: 24,
  },
  {
    // The feed. Partial, so that giving a number is no change of a key: a writer that adds the next patch of the chain
    // would wait for that.
    kind: 'index',
    id: 'kv_patch_feed',
    place: 60,
    title: 'index of the feed of patches',
    table: 'kv_patch',
    definition: '(feed_id) where feed_id is not null',
    isUnique: true,
    bytesPerRow: 24,
  },
  {
    // Exact lookup by platform and identity, the newest first, however many Avatars hold it.
    kind: 'index',
    id: 'proof_holders',
    place: 80,
    title: 'index of the Avatars that hold an identity',
    table: 'proof',
    definition: '(platform, identity, link_id desc)',
    bytesPerRow: 100,
  },
  {
    // Content under one identity, likewise.
    kind: 'index',
    id: 'kv_entry_newest',
    place: 90,
    title: 'index of the content under an identity',
    table: 'kv_entry',
    definition: '(platform, identity, updated_at desc)',
    bytesPerRow: 100,
  },
  {
    kind: 'task',
    id: 'proof_identity_drop',
    place: 100,
    title: 'the former index of the Avatars that hold an identity goes',
    table: 'proof',
    run: (source) => dropIndex(source, 'proof_identity'),
  },
  {
    kind: 'task',
    id: 'kv_entry_identity_drop',
    place: 110,
    title: 'the former index of the content under an identity goes',
    table: 'kv_entry',
    run: (source) => dropIndex(source, 'kv_entry_identity'),
  },
  {
    // Links about an identity, those that are revoked too.
    kind: 'index',
    id: 'chain_link_identity',
    place: 120,
    title: 'index of the links about an identity',
    table: 'chain_link',
    definition: '(platform, identity, id)',
    bytesPerRow: 100,
  },
  {
    // Links of a name whose texts were erased.
    kind: 'index',
    id: 'chain_link_erased',
    place: 130,
    title: 'index of the links whose texts were erased',
    table: 'chain_link',
    definition: "((erased->>'identity_key'), id) where erased is not null",
    bytesPerRow: 1,
  },
];

/** Steps without which the feed of a name cannot be read. */
export const NAME_FEED_STEPS = ['chain_link_identity', 'chain_link_erased'];

/** Steps without which patches get no numbers, and nothing gets into the log. */
export const FEED_STEPS = ['kv_patch_unnumbered', 'kv_patch_feed'];

/**
 * Jobs that wait for pending deliveries and for batches need nothing: the times stand in their rows. What stands only
 * in jobs: which dead letters are left, since when, and which were replayed a moment before the upgrade.
 */
async function takeOverDeliveries(source: SqlSource): Promise<void> {
  if (!(await hasTable(source, 'pgboss.job'))) return;
  await source.query(`
    update webhook_delivery set dead_at = job.created_on from pgboss.job
    where job.name = 'webhook.dead' and job.state = 'created' and job.id = dead_letter_id and dead_at is null`);
  await source.query(`
    update webhook_delivery set status = 'pending', turn = turn + 1, attempts = 0, round_started_at = now(),
      next_attempt_at = now(), dead_letter_id = null
    from pgboss.job
    where job.name = 'webhook' and job.state in ('created', 'retry', 'active') and status = 'dead'
      and job.data ->> 'delivery' = webhook_delivery.id::text and job.data ->> 'turn' = turn::text`);
  // Dropped by an operator, or gone after their time.
  await source.query(
    `update webhook_delivery set dead_letter_id = null
     where dead_letter_id is not null and dead_at is null and status = 'dead'`,
  );
}

/**
 * Drops an index of 0.1.0 that a new one replaces for servers of 0.1.0 too: it costs each write, and reads every row of
 * a name where the planner takes it. Whoever waits behind the lock waits for a second at most.
 */
async function dropIndex(source: SqlSource, name: string): Promise<void> {
  await source.query("set local lock_timeout = '1s'");
  await source.query(`drop index if exists ${name}`);
}

/** The statement that builds the index of a step. */
export function createIndexSql({ id, table, definition, isUnique }: IndexStep, concurrently: boolean): string {
  const kind = isUnique ? 'unique index' : 'index';
  return `create ${kind}${concurrently ? ' concurrently' : ''} if not exists ${id} on ${table} ${definition}`;
}
