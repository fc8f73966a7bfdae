import { SERVICE_VERSION } from '../config/version.js';
import { LAST_MIGRATIONS, MIGRATIONS } from '../database/schema/migrations/index.js';
import { readMove, whereItIs } from '../database/schema/moved.js';
import { hasTable, type SqlSource } from '../database/sql-source.js';
import { UPGRADE_STEPS, type UpgradeStep } from '../database/schema/upgrade-steps.js';
import { readSchemaVersions, upgradeProblem } from '../database/schema/schema-version.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { bytesOfStep, logForecast, searchForecast, secondsOfStep, tableSize } from './forecast.js';

/** Work that is left, and what it needs. */
interface PlannedWork {
  title: string;
  rows: number;
  seconds: number;
  bytes: number;
}

/** What an upgrade to this version would do with a database. */
export interface UpgradePlan {
  /** Why it cannot be upgraded by this version, as one sentence; null if it can. Then the rest is empty. */
  refusal: string | null;
  /** The version that the schema is of, such as `0.1.0`; null for an empty database. */
  schema: string | null;
  /** Names of the migrations that are to be applied at the start. */
  migrations: string[];
  /** What a server does afterwards while it serves. */
  work: PlannedWork[];
}

/** Looks at the database and changes nothing. `serviceName` is that of the settings. */
export async function planUpgrade(source: SqlSource, serviceName: string, hasLog: boolean): Promise<UpgradePlan> {
  const refused = (refusal: string): UpgradePlan => ({ refusal, schema: null, migrations: [], work: [] });
  const tables = await values(source, TABLES);
  if (tables.length === 0) return { refusal: null, schema: null, migrations: names(MIGRATIONS), work: [] };
  const applied = tables.includes('migrations') ? await values(source, APPLIED) : [];
  if (!applied.includes(MIGRATIONS[0]!.name)) {
    return refused(
      `This database belongs to another program: it holds ${tables.slice(0, 3).join(', ')}, and no schema of Signet.`,
    );
  }
  const move = await readMove(source);
  const moveProblem = move && whereItIs(move);
  const problem = moveProblem ?? (await serviceProblem(source, serviceName)) ?? (await schemaProblem(source, applied));
  if (problem !== null) return refused(problem);
  const { schema } = await readSchemaVersions(source);
  return {
    refusal: null,
    schema: schema ?? versionOf(applied),
    migrations: names(MIGRATIONS).filter((name) => !applied.includes(name)),
    work: [
      ...(await stepsLeft(source)),
      ...(await searchLeft(source)),
      ...(hasLog ? await logLeft(source, tables) : []),
    ],
  };
}

function names(classes: { name: string }[]): string[] {
  return classes.map(({ name }) => name);
}

/** The texts of the column `value` of the rows, without those that are null. */
async function values(source: SqlSource, sql: string): Promise<string[]> {
  return (await source.query<{ value: string | null }[]>(sql)).flatMap(({ value }) => value ?? []);
}

/** Tables in the schema of the service, those of extensions aside. */
const TABLES = 'select tablename as value from pg_tables where schemaname = current_schema() order by tablename';
/** Names of the migrations that were applied. The table of another program may have other columns. */
const APPLIED = `select to_jsonb(migrations) ->> 'name' as value from migrations`;

async function serviceProblem(source: SqlSource, serviceName: string): Promise<string | null> {
  const [stored] = await values(source, `select value from deployment_setting where name = 'service_name'`);
  if (stored === undefined || stored === serviceName) return null;
  return `This database belongs to a deployment whose SERVICE_NAME is "${stored}", and the settings say "${serviceName}".`;
}

async function schemaProblem(source: SqlSource, applied: string[]): Promise<string | null> {
  const versions = await readSchemaVersions(source);
  const unknown = applied.filter((name) => !names(MIGRATIONS).includes(name));
  if (versions.schema === null && unknown.length > 0) {
    return `This database has migrations that version ${SERVICE_VERSION} does not know (${unknown[0]}): it is of a newer version.`;
  }
  return upgradeProblem(versions);
}

/** The released version that has exactly these migrations. */
function versionOf(applied: string[]): string {
  const newest = names(MIGRATIONS).findLast((name) => applied.includes(name));
  const released = Object.entries(LAST_MIGRATIONS).find(([, last]) => last === newest);
  return released?.[0] ?? 'a version that was not released';
}

async function stepsLeft(source: SqlSource): Promise<PlannedWork[]> {
  const isThere = await hasTable(source, 'upgrade_step');
  const done = isThere ? await values(source, 'select id as value from upgrade_step where due_at is null') : [];
  const work = UPGRADE_STEPS.filter(({ id }) => !done.includes(id)).map((step) => planStep(source, step));
  return (await Promise.all(work)).filter(({ rows }) => rows > 0);
}

async function planStep(source: SqlSource, step: UpgradeStep): Promise<PlannedWork> {
  const size = await tableSize(source, step.table);
  return { title: step.title, rows: size.rows, seconds: secondsOfStep(step, size), bytes: bytesOfStep(step, size) };
}

/** The table of searches takes in all bindings when it has none. */
async function searchLeft(source: SqlSource): Promise<PlannedWork[]> {
  if ((await tableSize(source, 'proof_search')).bytes > 0) return [];
  const { rows } = await tableSize(source, 'proof');
  return rows === 0 ? [] : [{ title: 'index of searches', rows, ...searchForecast(rows) }];
}

/** The log takes in all records when it has signed nothing yet. */
async function logLeft(source: SqlSource, tables: string[]): Promise<PlannedWork[]> {
  if (tables.includes('log_checkpoint') && (await tableSize(source, 'log_checkpoint')).bytes > 0) return [];
  let [rows, unnumbered] = [0, 0];
  for (const { feed } of RECORD_KINDS) {
    const size = await tableSize(source, feed.table);
    rows += size.rows;
    if (feed.isNumberedLater) unnumbered += size.rows;
  }
  return rows === 0 ? [] : [{ title: 'transparency log', rows, ...logForecast(rows, unnumbered) }];
}
