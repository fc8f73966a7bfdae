import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DatabaseUnusableError } from '../database/database.js';
import { type MoveSource, type MoveTarget, readMove, replaceMove, whereItIs } from '../database/schema/moved.js';
import type { SqlSource } from '../database/sql-source.js';
import type { LogStore } from '../transparency-log/signing/heads/log-store.js';
import { inOneText, type MovedTable, movedTables, type MoveSide } from './moved-tables.js';

const FROZEN = 'signet_moved';

/**
 * Marks the source, which signs and takes nothing from here on: its log is refused, and triggers refuse each change of
 * its tables, whoever asks for it. All in one transaction.
 * @throws DatabaseUnusableError if servers use the database, or if it was moved elsewhere
 */
export async function markSource(side: MoveSide, store: LogStore, other: string): Promise<MoveSource> {
  const tables = await movedTables(side);
  return side.source.transaction(async (manager) => {
    await store.lock(manager);
    const before = await readMove(manager);
    if (before?.role === 'target') throw new DatabaseUnusableError(whereItIs(before));
    if (before && (before.isOver || before.other === other)) return before;
    await assertNoServers(manager);
    const id = randomUUID();
    const at = new Date().toISOString();
    // A move that has not ended may go elsewhere: its target is not used, and never will be.
    if (before) await thaw(manager, tables);
    const said = await store.handOver(manager, `This database was moved to ${other}.`);
    const refusal = before?.refusal ?? said;
    const note: MoveSource = { role: 'source', id, other, at, isOver: false, refusal };
    await replaceMove(manager, before, note);
    await freeze(manager, tables, other);
    return note;
  });
}

/** Takes the mark away, so that the source may be used again. */
export async function unmarkSource(side: MoveSide, store: LogStore, note: MoveSource): Promise<void> {
  const tables = await movedTables(side);
  await side.source.transaction(async (manager) => {
    await store.lock(manager);
    await replaceMove(manager, note, null);
    await thaw(manager, tables);
    await store.restoreRefusal(manager, note.refusal);
  });
}

/** @throws DatabaseUnusableError */
async function assertNoServers(source: SqlSource): Promise<void> {
  const sql = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'signet' and pid <> pg_backend_pid()`;
  const [{ count }] = await source.query<[{ count: number }]>(sql);
  if (count === 0) return;
  throw new DatabaseUnusableError(
    `Servers have ${count} connections to the database that is to be moved: stop them first.`,
  );
}

/** Standbys refuse changes with the same SQLSTATE, so a server that still runs answers as it does then. */
async function freeze(manager: EntityManager, tables: MovedTable[], other: string): Promise<void> {
  await manager.query(`
    create function ${FROZEN}() returns trigger language plpgsql as $body$
    begin
      raise exception using errcode = 'read_only_sql_transaction', message = $text$This database was moved to ${other}.$text$;
    end $body$`);
  for (const { name } of tables) {
    await manager.query(`
      create trigger ${FROZEN} before insert or update or delete or truncate on ${name}
      for each statement execute function ${FROZEN}()`);
  }
}

async function thaw(manager: EntityManager, tables: MovedTable[]): Promise<void> {
  for (const { name } of tables) await manager.query(`drop trigger ${FROZEN} on ${name}`);
  await manager.query(`drop function ${FROZEN}()`);
}

/** @throws DatabaseUnusableError if a table has rows that no migration has put there */
export async function assertEmpty(source: SqlSource, tables: MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    // Migrations note there what they leave to servers.
    if (name === 'upgrade_step') continue;
    const rows = await source.query(`select from ${name} limit 1`);
    if (rows.length > 0) throw new DatabaseUnusableError(`The target is not empty: its table ${name} has rows.`);
  }
}

/**
 * Makes an empty database of this version the target of this move, so that no server uses it before the end.
 * @throws DatabaseUnusableError if it is not empty, or the target of another move
 */
export async function prepareTarget(side: MoveSide, { id }: MoveSource, other: string): Promise<MoveTarget> {
  const tables = await movedTables(side);
  return side.source.transaction(async (manager) => {
    const before = await readMove(manager);
    if (before?.role === 'target' && before.id === id) return before;
    if (before) throw new DatabaseUnusableError(`The target is not empty. ${whereItIs(before)}`);
    await assertEmpty(manager, tables);
    const keys = (await manager.query(`
      select conrelid::regclass as name, quote_ident(conname) as key, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`)) as {
      name: string;
      key: string;
      definition: string;
    }[];
    for (const { name, key } of keys) await manager.query(`alter table ${name} drop constraint ${key}`);
    for (const { name } of tables) await manager.query(`alter table ${name} disable trigger user`);
    const references = keys.map(
      ({ name, key, definition }) => `alter table ${name} add constraint ${key} ${definition}`,
    );
    const note: MoveTarget = { role: 'target', id, other, references, copied: {} };
    await replaceMove(manager, null, note);
    return note;
  });
}

/** What the target lacks when all rows are there: references, triggers, the next numbers, and settings. */
export async function completeTarget(from: MoveSide, to: MoveSide, note: MoveTarget): Promise<MoveTarget> {
  const tables = await movedTables(to);
  const numbers = await from.source.query<{ name: string; value: string | null }[]>(
    'select quote_ident(sequencename) as name, last_value::text as value from pg_sequences where schemaname = current_schema()',
  );
  const settings = await from.source.query<{ name: string; value: string }[]>(
    "select name, value from deployment_setting where name <> 'move'",
  );
  const next = { ...note, references: [] };
  await inOneText(to, async (manager) => {
    for (const statement of note.references) await manager.query(statement);
    for (const { name } of tables) await manager.query(`alter table ${name} enable trigger user`);
    for (const { name, value } of numbers) {
      // That of the migrations is the target's own.
      if (value !== null && name !== 'migrations_id_seq') await manager.query('select setval($1, $2)', [name, value]);
    }
    for (const { name, value } of settings) {
      await manager.query(
        'insert into deployment_setting (name, value) values ($1, $2) on conflict (name) do update set value = $2',
        [name, value],
      );
    }
    await replaceMove(manager, note, next);
  });
  return next;
}

/** From here on the source is never written to again, and the target may be used once it knows that. */
export async function endSource({ source }: MoveSide, note: MoveSource): Promise<MoveSource> {
  const over = { ...note, isOver: true };
  await source.transaction((manager) => replaceMove(manager, note, over));
  return over;
}

/** Lets servers use the target: the log is signed there from now on. */
export async function releaseTarget(side: MoveSide, store: LogStore, note: MoveTarget, refusal: string): Promise<void> {
  await side.source.transaction(async (manager) => {
    await store.lock(manager);
    await replaceMove(manager, note, null);
    await store.restoreRefusal(manager, refusal);
    await store.recordPlace(manager, `moved from ${note.other}`);
  });
}
