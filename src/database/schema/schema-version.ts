import { compareVersions, nextMinor, SERVICE_VERSION } from '../../config/version.js';
import { MIGRATIONS, OLDEST_VERSION_BESIDE } from './migrations/index.js';
import { hasTable, type SqlSource } from '../sql-source.js';

/** What the database knows of the versions that use it. Without entries it is of 0.1.0, or empty. */
export interface SchemaVersions {
  /** The newest version that has changed the schema; null if none noted it. */
  schema: string | null;
  /** The oldest version whose servers may work on it. */
  oldest: string | null;
}

/** Names in the table `deployment_setting`. */
const SCHEMA = 'schema_version';
const OLDEST = 'oldest_version';

/** This version is too old for the database, which a newer one has changed. */
export class VersionTooOldError extends Error {
  override readonly name = 'VersionTooOldError';
}

/** What the database says of versions. */
export async function readSchemaVersions(source: SqlSource): Promise<SchemaVersions> {
  if (!(await hasTable(source, 'deployment_setting'))) return { schema: null, oldest: null };
  const rows = (await source.query('select name, value from deployment_setting where name = any($1::text[])', [
    [SCHEMA, OLDEST],
  ])) as { name: string; value: string }[];
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value ?? null;
  return { schema: valueOf(SCHEMA), oldest: valueOf(OLDEST) };
}

/** Names of the migrations of this build that the database has not had. */
export async function missingMigrations(source: SqlSource): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>('select name from migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
}

/** Notes that this version has brought the schema up to date, unless a newer one has; for servers of other versions. */
export async function noteVersion(source: SqlSource): Promise<void> {
  const { schema, oldest } = await readSchemaVersions(source);
  const news = [
    { name: SCHEMA, value: SERVICE_VERSION, stored: schema },
    { name: OLDEST, value: OLDEST_VERSION_BESIDE, stored: oldest },
  ].filter(({ value, stored }) => stored === null || compareVersions(stored, value) < 0);
  for (const { name, value, stored } of news) {
    await source.query(
      `insert into deployment_setting (name, value) values ($1, $2)
       on conflict (name) do update set value = $2 where deployment_setting.value = $3`,
      [name, value, stored],
    );
  }
}

/**
 * Why servers of `version` may not use the database, as one sentence; null if they may. The next minor version only
 * adds to the schema, and what it drops is what the one before it has stopped using.
 */
export function versionProblem({ schema, oldest }: SchemaVersions, version = SERVICE_VERSION): string | null {
  const isTooOld = oldest !== null && compareVersions(version, oldest) < 0;
  if (!isTooOld) return null;
  return (
    `The schema of this database is of version ${schema ?? oldest} and needs servers of version ${oldest} or newer; this is ${version}. ` +
    'Start a newer version, or restore the backup from before the upgrade.'
  );
}

/** Why this version may not upgrade the database, as one sentence; null if it may, or has nothing to do. */
export function upgradeProblem(versions: SchemaVersions, version = SERVICE_VERSION): string | null {
  const problem = versionProblem(versions, version);
  if (problem !== null || versions.schema === null) return problem;
  if (compareVersions(versions.schema, `${nextMinor(version)}.999999`) <= 0) return null;
  return (
    `The schema of this database is of version ${versions.schema}, which is newer than the version after this one ` +
    `(${nextMinor(version)}; this is ${version}). Use the version that it is of.`
  );
}

/** @throws VersionTooOldError if this version is too old for the database */
export async function assertVersionFits(source: SqlSource): Promise<void> {
  const problem = versionProblem(await readSchemaVersions(source));
  if (problem !== null) throw new VersionTooOldError(problem);
}
