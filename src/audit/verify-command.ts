import { loadEnvironment } from '../config/environment.js';
import { assertDatabaseThere, assertSchemaThere, type ExitCode, errorText } from '../database/command-database.js';
import { DatabaseClient } from '../database/connections/database-client.js';
import { openDatabase, type OpenDatabase } from '../database/database.js';
import { readPlaceChange, whatToDo } from '../transparency-log/heads/log-place.js';
import { type ChainPosition, type ChainVisitor, walkChains } from './chain-walk.js';
import { LinkAudit } from './link-audit.js';
import { PatchAudit } from './patch-audit.js';
import { AuditFinding } from './signed-text.js';

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
  const areLinksGood = await audit(print, 'ProofChains', new LinkAudit(client), (links) => {
    const doubt =
      links.contractWallets > 0 ? ` (${links.contractWallets} signatures of contract wallets not asked)` : '';
    return `${links.links} links in ${links.chains} chains, ${links.bindings} bindings${erasedText(links.erased)}${doubt}`;
  });
  const arePatchesGood = await audit(print, 'Key-value', new PatchAudit(client), (kv) => {
    return `${kv.patches} patches in ${kv.chains} chains, ${kv.entries} entries${erasedText(kv.erased)}`;
  });
  return areLinksGood && arePatchesGood;
}

type Audit<Row extends ChainPosition> = ChainVisitor<Row> & {
  read(after: ChainPosition): Promise<Row[]>;
  conclude(): Promise<void>;
};

/** Runs one audit and prints its result. Returns whether everything verifies. */
async function audit<Row extends ChainPosition, Kind extends Audit<Row>>(
  print: (line: string) => void,
  name: string,
  kind: Kind & Audit<Row>,
  totals: (audit: Kind) => string,
): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  const progress = setInterval(() => print(`${name}: ${totals(kind)} after ${seconds()} s`), PROGRESS_MS);
  try {
    await walkChains((after) => kind.read(after), kind);
    await kind.conclude();
    print(`${name}: ${totals(kind)}. All verify (${seconds()} s).`);
    return true;
  } catch (error) {
    if (!(error instanceof AuditFinding)) throw error;
    print(`${name}: BAD after ${totals(kind)}. ${error.message}`);
    return false;
  } finally {
    clearInterval(progress);
  }
}

function erasedText(count: number): string {
  return count > 0 ? `, ${count} texts erased` : '';
}
