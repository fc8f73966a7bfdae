import { loadEnvironment } from '../config/environment.js';
import { assertDatabaseThere, assertSchemaThere, type ExitCode, errorText } from '../database/command-database.js';
import { DatabaseClient } from '../database/connections/database-client.js';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { readPlaceChange, whatToDo } from '../transparency-log/heads/log-place.js';
import { AuditFinding, ChainAudit } from './chain-audit.js';
import { LINK_AUDIT } from './link-audit.js';
import { PATCH_AUDIT } from './patch-audit.js';

const PROGRESS_MS = 5_000;

const VERIFY_USAGE = 'Usage: npm run verify     checks all chains in the database; it takes no options';

/**
 * `npm run verify`: checks all chains in the database that the settings name, from the stored rows alone, and prints
 * the first finding. It reads one snapshot and changes nothing. Servers may use the same PostgreSQL meanwhile; an
 * embedded database can be opened by one process only.
 */
export async function verifyCommand(
  variables: Record<string, string | undefined>,
  words: string[],
  print: (line: string) => void,
): Promise<ExitCode> {
  if (words.length > 0) {
    print(VERIFY_USAGE);
    return 2;
  }
  try {
    const environment = loadEnvironment(variables);
    assertDatabaseThere(environment);
    const database = await openDatabase(environment);
    print(`Checking ${database.description}`);
    try {
      return await verifyAt(database, print);
    } finally {
      await database.close();
    }
  } catch (error) {
    print(`Not everything was checked. ${errorText(error)}`);
    return 2;
  }
}

async function verifyAt({ directUrl, dataDir }: OpenDatabase, print: (line: string) => void): Promise<ExitCode> {
  const client = new DatabaseClient({ connectionString: directUrl, application_name: 'signet verify' });
  await client.connect();
  try {
    const query = async (sql: string, values?: unknown[]) => (await client.query<object>(sql, values)).rows;
    await assertSchemaThere(query);
    const change = await readPlaceChange(query, dataDir);
    await client.query('begin transaction isolation level repeatable read read only');
    const isGood = await verifyChains(client, print);
    // The signatures of a copy are as good as before; the log must not go on from it without a decision.
    if (change) print(whatToDo(change));
    return isGood ? 0 : 1;
  } finally {
    await client.end();
  }
}

/** Checks what the transaction of `client` sees, and prints the result. @returns whether everything verifies. */
export async function verifyChains(client: DatabaseClient, print: (line: string) => void): Promise<boolean> {
  const areLinksGood = await audit(new ChainAudit(client, LINK_AUDIT), LINK_AUDIT.title, print);
  const arePatchesGood = await audit(new ChainAudit(client, PATCH_AUDIT), PATCH_AUDIT.title, print);
  return areLinksGood && arePatchesGood;
}

/** Runs one audit and prints its result. Returns whether everything verifies. */
async function audit(
  kind: { run(): Promise<void>; totals: string },
  title: string,
  print: (line: string) => void,
): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  const progress = setInterval(() => print(`${title}: ${kind.totals} after ${seconds()} s`), PROGRESS_MS);
  try {
    await kind.run();
    print(`${title}: ${kind.totals}. All verify (${seconds()} s).`);
    return true;
  } catch (error) {
    if (!(error instanceof AuditFinding)) throw error;
    print(`${title}: BAD after ${kind.totals}. ${error.message}`);
    return false;
  } finally {
    clearInterval(progress);
  }
}
