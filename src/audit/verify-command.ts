import { loadEnvironment } from '../config/environment.js';
import { type Command, errorText, readSnapshot, withDatabase } from '../database/command-database.js';
import { whatToDo } from '../transparency-log/signing/heads/log-place.js';
import { openLogStore } from '../transparency-log/signing/heads/log-store.js';
import { AuditFinding, type AuditQuery } from '../ledger/audited-kind.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { ChainAudit } from './chain-audit.js';

const PROGRESS_MS = 5_000;

const VERIFY_USAGE = 'Usage: npm run verify     checks all chains in the database; it takes no options';

/**
 * `npm run verify`: checks all chains in the database that the settings name, from the stored rows alone, and prints
 * the first finding. It reads one snapshot and changes nothing. Servers may use the same PostgreSQL meanwhile; an
 * embedded database can be opened by one process only.
 */
export const verifyCommand: Command = async (variables, words, print) => {
  if (words.length > 0) {
    print(VERIFY_USAGE);
    return 2;
  }
  try {
    return await withDatabase(loadEnvironment(variables), 'verify', async (source, database) => {
      print(`Checking ${database.description}`);
      const log = await openLogStore(source, database, RECORD_KINDS);
      return readSnapshot(source, async (manager) => {
        const { change } = await log.snapshot(manager);
        const isGood = await verifyChains((sql, values) => manager.query(sql, values), print);
        // The signatures of a copy are as good as before; the log must not go on from it without a decision.
        if (change) print(whatToDo(change));
        return isGood ? 0 : 1;
      });
    });
  } catch (error) {
    print(`Not everything was checked. ${errorText(error)}`);
    return 2;
  }
};

/** Checks what the transaction of `query` sees, and prints the result. @returns whether everything verifies. */
export async function verifyChains(
  query: AuditQuery,
  print: (line: string) => void,
  kinds = RECORD_KINDS,
): Promise<boolean> {
  let isGood = true;
  for (const kind of kinds)
    isGood = (await audit(new ChainAudit(query, kind, kinds), kind.audit.title, print)) && isGood;
  return isGood;
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
