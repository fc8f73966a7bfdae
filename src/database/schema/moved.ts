import { DatabaseUnusableError } from '../database.js';
import { hasTable, type SqlSource } from '../sql-source.js';

/** Name in the table `deployment_setting`; the value is a `MoveNote` as JSON. */
const MOVE = 'move';

/** What the database says that a move begins in. */
export interface MoveSource {
  role: 'source';
  /** Of this move; its target holds the same one. */
  id: string;
  /** The other database, in words without a password. */
  other: string;
  /** When the move began, ISO 8601. */
  at: string;
  /** Whether the target has all there is, so that this database is never written to again. */
  isOver: boolean;
  /** Why the log signed nothing before the move; empty if all was well. */
  refusal: string;
}

/** What the database says that a move ends in, until it has ended. */
export interface MoveTarget extends Pick<MoveSource, 'id' | 'other'> {
  role: 'target';
  /** Statements that put back the references that are away meanwhile. */
  references: string[];
  /** How far each table was copied: the file that holds it in the source, and blocks of it that are here. */
  copied: Record<string, { file: string; blocks: number }>;
}

export type MoveNote = MoveSource | MoveTarget;

/** Returns what the database says of a move that has begun or ended here, or null. */
export async function readMove(source: SqlSource): Promise<MoveNote | null> {
  if (!(await hasTable(source, 'deployment_setting'))) return null;
  const rows = await source.query<{ value: string }[]>('select value from deployment_setting where name = $1', [MOVE]);
  return rows[0] ? (JSON.parse(rows[0].value) as MoveNote) : null;
}

/**
 * Puts `after` in the place of `before`, in the transaction of `source`; null stands for nothing.
 * @throws DatabaseUnusableError if the database does not say `before` any more
 */
export async function replaceMove(source: SqlSource, before: MoveNote | null, after: MoveNote | null): Promise<void> {
  const rows =
    before === null
      ? await source.query(
          'insert into deployment_setting (name, value) values ($1, $2) on conflict do nothing returning name',
          [MOVE, JSON.stringify(after)],
        )
      : await source.query(
          `with gone as (delete from deployment_setting where name = $1 and value = $2 and $3::text is null returning name),
             put as (update deployment_setting set value = $3 where name = $1 and value = $2 and $3::text is not null returning name)
           select name from gone union all select name from put`,
          [MOVE, JSON.stringify(before), after && JSON.stringify(after)],
        );
  if (rows.length === 0) throw new DatabaseUnusableError('Another run of npm run move works on this database.');
}

/**
 * For servers, and for commands that write.
 * @throws DatabaseUnusableError if the database was moved elsewhere, or is part of a move that has not ended
 */
export async function assertNotMoved(source: SqlSource): Promise<void> {
  const note = await readMove(source);
  if (note === null) return;
  throw new DatabaseUnusableError(whereItIs(note));
}

/** What became of the database, in words for the operator. */
export function whereItIs(note: MoveNote): string {
  const again = 'Run npm run move again, with the words of before, to end that.';
  if (note.role === 'target') return `The move of ${note.other} into this database has not ended. ${again}`;
  if (!note.isOver) return `This database is being moved to ${note.other}. ${again}`;
  return (
    `This database was moved to ${note.other} on ${note.at.slice(0, 10)}, and nothing is written here any more. ` +
    'Set DATABASE_URL or DATA_DIR to where it is now.'
  );
}
