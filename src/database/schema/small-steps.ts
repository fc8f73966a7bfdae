import { isUnleased } from '../time-sql.js';
import { hasTable, type SqlSource } from '../sql-source.js';
import { createIndexSql, UPGRADE_STEPS, type UpgradeStep } from './upgrade-steps.js';
import { indexState } from './index-builds.js';

const INDEXES = UPGRADE_STEPS.filter(({ kind }) => kind === 'index').map(({ id }) => id);

/** Steps that are new to the database, and those whose index is gone or was never finished, are to be done. */
const OPEN_STEPS = `
  with added as (
    insert into upgrade_step (id, place) select * from unnest($1::text[], $2::integer[])
    on conflict (id) do nothing
  )
  update upgrade_step set due_at = now(), finished_at = null, done = 0
  where due_at is null and id = any($3::text[])
    and not exists (select from pg_index where indexrelid = to_regclass(id) and indisvalid and indisready)`;

/**
 * Notes the steps of this version in the database and answers with those that are to be done and that no server works
 * on, in their order. Null without the table of steps: the migrations are not all of them, as in a test.
 */
export async function stepsToDo(source: SqlSource): Promise<UpgradeStep[] | null> {
  if (!(await hasTable(source, 'upgrade_step'))) return null;
  await source.query(OPEN_STEPS, [UPGRADE_STEPS.map(({ id }) => id), UPGRADE_STEPS.map(({ place }) => place), INDEXES]);
  const rows = await source.query<{ id: string }[]>('select id from upgrade_step where due_at is not null');
  return UPGRADE_STEPS.filter(({ id }) => rows.some((row) => row.id === id));
}

/**
 * Does a step if its table is no larger than `smallBytes`, in the transaction of `source`, which is short then. A step
 * that another server works on is left to that one.
 */
export async function doSmallStep(source: SqlSource, step: UpgradeStep, smallBytes: number): Promise<void> {
  const rows = await source.query(
    `select from upgrade_step where id = $1 and due_at is not null and ${isUnleased('upgrade_step')}
       and pg_relation_size(to_regclass($2)) <= $3
     for update skip locked`,
    [step.id, step.table, smallBytes],
  );
  if (rows.length === 0) return;
  if (step.kind === 'index') await buildIndex(source, step);
  else if (step.kind === 'task') await step.run(source);
  else await source.query(step.sql, [0, Number.MAX_SAFE_INTEGER]);
  await source.query(
    `update upgrade_step set due_at = null, leased_until = null, started_at = coalesce(started_at, now()),
       finished_at = now(), problem = '' where id = $1`,
    [step.id],
  );
}

async function buildIndex(source: SqlSource, step: UpgradeStep & { kind: 'index' }): Promise<void> {
  if ((await indexState(source, step.id)) === 'invalid') await source.query(`drop index ${step.id}`);
  await source.query(createIndexSql(step, false));
}
