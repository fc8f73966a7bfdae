import { DatabaseClient } from '../connections/database-client.js';
import { DatabaseUnusableError } from '../database.js';
import { isConnectionLost } from '../pg-errors.js';

/** Of SQLSTATE: insufficient_privilege, and invalid_schema_name, which comes of a schema that may not be used. */
const STATES = ['42501', '3F000'];

/**
 * The error to show people when `error` came of bringing the schema up to date: where the role lacks a right, one that
 * has the statements which give it; `error` itself where it has another cause.
 */
export async function explainMissingRights(url: string, error: unknown): Promise<unknown> {
  const { code, message, driverError } = error as { code?: string; message: string; driverError?: { code?: string } };
  // A role that may not connect is another matter, and may be allowed to by now.
  if (isConnectionLost(error) || !STATES.includes(code ?? driverError?.code ?? '')) return error;
  const client = new DatabaseClient({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ role: string; database: string; schema: string }>(`
      select quote_ident(current_user) as role, quote_ident(current_database()) as database,
        quote_ident(coalesce(current_schema(), 'public')) as schema`);
    return new DatabaseUnusableError(`${whatToDo(rows[0]!, message)} PostgreSQL says: ${message}.`, { cause: error });
  } catch {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}

function whatToDo(names: { role: string; database: string; schema: string }, message: string): string {
  const { role, database, schema } = names;
  if (/owner|table|sequence|function/.test(message)) {
    return (
      `The role ${role} may not change the tables in the schema ${schema} of the database ${database}, because another role made them. ` +
      `Name that role in DATABASE_URL, or run as a superuser: GRANT <that role> TO ${role};`
    );
  }
  return (
    `The role ${role} may not create what it needs in the schema ${schema} of the database ${database}. Run as its owner: ` +
    `GRANT CONNECT, TEMPORARY, CREATE ON DATABASE ${database} TO ${role}; GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`
  );
}
