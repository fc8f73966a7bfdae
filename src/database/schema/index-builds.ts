import type { SqlSource } from '../sql-source.js';

/**
 * `absent`: there is none of this name; `invalid`: a build was cut short and left half of one, which is of no use and
 * costs every write (PostgreSQL manual, "Building Indexes Concurrently").
 */
export type IndexState = 'absent' | 'invalid' | 'building' | 'valid';

/** How far a build is that runs on the database server now. */
export interface BuildProgress {
  /** Thousandths, as a rule of thumb: PostgreSQL does not know how long its phases will take. */
  permille: number;
  /** As PostgreSQL names it, such as `building index: scanning table`. */
  phase: string;
  /** Process id of the session whose transaction the build waits for; 0 if it waits for none. */
  waitsFor: number;
}

/**
 * Where the phases of `create index concurrently` begin and end, in thousandths (PostgreSQL manual, "CREATE INDEX
 * Progress Reporting"). The table is read twice.
 */
const PHASES: [begin: string, from: number, to: number][] = [
  ['initializing', 0, 0],
  ['waiting for writers before build', 0, 0],
  ['building index', 0, 500],
  ['waiting for writers before validation', 500, 500],
  ['index validation: scanning index', 500, 550],
  ['index validation: sorting tuples', 550, 600],
  ['index validation: scanning table', 600, 990],
  ['waiting', 990, 990],
];

/** The state of the index `name` in the schema of the service. */
export async function indexState(source: SqlSource, name: string): Promise<IndexState> {
  const [row] = (await source.query(
    `select index.indisvalid and index.indisready as "isValid",
       exists (select from pg_stat_progress_create_index where index_relid = index.indexrelid) as "isBuilding"
     from pg_index index where index.indexrelid = to_regclass($1)`,
    [name],
  )) as { isValid: boolean; isBuilding: boolean }[];
  if (!row) return 'absent';
  if (row.isValid) return 'valid';
  return row.isBuilding ? 'building' : 'invalid';
}

/** How far the build of the index `name` is; null if none runs. Builds of other users of the server are not seen. */
export async function buildProgress(source: SqlSource, name: string): Promise<BuildProgress | null> {
  const [row] = (await source.query(
    `select phase, current_locker_pid as locker,
       case when blocks_total > 0 then blocks_done::float8 / blocks_total
         when tuples_total > 0 then tuples_done::float8 / tuples_total else 0 end as part
     from pg_stat_progress_create_index where index_relid = to_regclass($1)`,
    [name],
  )) as { phase: string; locker: number | null; part: number }[];
  if (!row) return null;
  const [, from, to] = PHASES.find(([begin]) => row.phase.startsWith(begin)) ?? PHASES[0]!;
  const permille = Math.floor(from + (to - from) * Math.min(1, row.part));
  return { permille, phase: row.phase, waitsFor: row.locker ?? 0 };
}
