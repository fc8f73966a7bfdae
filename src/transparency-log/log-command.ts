import type { DataSource, EntityManager } from 'typeorm';
import { type Environment, loadEnvironment } from '../config/environment.js';
import { equalBytes } from '../crypto/hashing.js';
import { newSeed } from '../crypto/signing-key.js';
import {
  briefTransaction,
  type Command,
  type ExitCode,
  errorText,
  readSnapshot,
  withDatabase,
} from '../database/command-database.js';
import { unixSeconds } from '../domain/unix-time.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { RECORD_KINDS } from '../records/record-kinds.js';
import { HeadFiles } from './signing/heads/head-files.js';
import { LogCheck } from './check/log-check.js';
import { LogFinding } from './check/log-finding.js';
import { contradicts } from './signing/heads/log-heads.js';
import { LOG_KEY_SETTING, LogIdentities, type LogIdentity } from './signing/heads/log-identity.js';
import { whatToDo } from './signing/heads/log-place.js';
import type { LogSnapshot, LogState } from './signing/heads/log-snapshot.js';
import { type LogStore, openLogStore } from './signing/heads/log-store.js';
import { TreeStore } from './tree/tree-store.js';

const PROGRESS_MS = 5_000;

/** What the verbs work on. */
interface Work {
  source: DataSource;
  environment: Environment;
  store: LogStore;
  print: (line: string) => void;
  /** Of `new-origin`: the next log, and, where no setting gives its key, the seed of a new one, hex. */
  next: LogIdentity | null;
  seed: string | undefined;
  /** Of `new-origin`: the log that ends; null where its key is not at hand. */
  ending: LogIdentity | null;
}

/** What the verbs that write work on, in a transaction that holds the lock of the log. */
type LockedWork = Work & LogSnapshot & { manager: EntityManager; state: LogState };

const WRITING = new Map([
  ['rebuild-map', rebuildMap],
  ['new-origin', beginNewOrigin],
  ['continue', continueLog],
]);

const LOG_USAGE = `Usage: npm run log -- check                     recomputes the log from the records, and compares
       npm run log -- rebuild-map               has the map computed anew from the entries, where its tiles are damaged
       npm run log -- new-origin "<reason>"     ends the log of this deployment and begins another, after a restore
       npm run log -- continue "<reason>"       goes on with it in a database that was moved and lacks nothing that was
                                                signed; see docs/log.md
       npm run log -- erase                     erases the text of a record for legal reasons, and says so in the log`;

/**
 * `npm run log`: what an operator does with the log while no program is asked. A server may go on serving the same
 * PostgreSQL meanwhile; an embedded database is open once at a time.
 */
export const logCommand: Command = async (variables, words, print) => {
  const [verb, reason] = words;
  const write = WRITING.get(verb ?? '');
  const isDecision = verb === 'new-origin' || verb === 'continue';
  const isKnown = (verb === 'check' || write !== undefined) && words.length === (isDecision ? 2 : 1);
  // A reason without a word explains nothing.
  if (!isKnown || reason?.trim() === '') {
    print(LOG_USAGE);
    return 2;
  }
  try {
    const environment = loadEnvironment(variables);
    return await withDatabase(environment, 'log', async (source, database) => {
      const store = await openLogStore(source, database, RECORD_KINDS);
      // Asked before the transaction, which takes the one connection of an embedded database.
      const identities = new LogIdentities(environment, new DeploymentSettings(source), source);
      const isEnd = verb === 'new-origin';
      const seed = isEnd && environment.LOG_KEY === undefined ? newSeed() : undefined;
      const ending = isEnd ? await identities.ending() : null;
      const next = isEnd ? await identities.afterEnd(seed) : null;
      const work = { source, environment, store, print, next, seed, ending };
      if (!write) return check(work);
      return briefTransaction(source, async (manager) => {
        await store.lock(manager);
        const { state, ...snapshot } = await store.snapshot(manager);
        if (state) return write({ ...work, ...snapshot, state, manager }, reason!);
        if (work.next && environment.LOG_KEY !== undefined) return beginLog(work, work.next, manager, reason!);
        print('There is no log in this database yet; there is nothing to do.');
        return 0;
      });
    });
  } catch (error) {
    print(errorText(error));
    return 2;
  }
};

/** Reads one snapshot and changes nothing. */
async function check({ source, environment, store, print }: Work): Promise<ExitCode> {
  return readSnapshot(source, async (manager) => {
    const { state, change } = await store.snapshot(manager);
    if (!state) {
      print('There is no log in this database yet.');
      return 0;
    }
    const audit = new LogCheck(manager, state, environment, RECORD_KINDS);
    const progress = setInterval(() => print(`${audit.checked} of ${state.size} entries`), PROGRESS_MS);
    try {
      const heads = await audit.run();
      print(`${state.origin}: ${state.size} entries and ${heads} stored tree heads. All is as it was signed.`);
      if (state.refusal !== '') print(`Nothing is signed any more: ${state.refusal}`);
      if (change) print(whatToDo(change));
      return state.refusal === '' ? 0 : 1;
    } catch (error) {
      if (!(error instanceof LogFinding)) throw error;
      print(`${state.origin}: BAD. ${error.message}`);
      return 1;
    } finally {
      clearInterval(progress);
    }
  });
}

/** Takes all out of the map; servers compute it anew from the entries, and sign nothing before. */
async function rebuildMap({ store, print, manager, state, change }: LockedWork): Promise<ExitCode> {
  if (change) {
    // The row of the log, once written, would look as if the log was signed where its database is now.
    print(whatToDo(change));
    return 1;
  }
  await store.emptyMap(manager);
  print(
    `A server computes the map of ${state.size} entries anew when it runs; the log is signed again when that is done.`,
  );
  return 0;
}

/** Begins a log of a key that the settings give: the operator says that it has never signed one of this name. */
async function beginLog(
  { environment, store, print }: Work,
  { origin, verifierKey }: LogIdentity,
  manager: EntityManager,
  reason: string,
): Promise<ExitCode> {
  const seen = await new HeadFiles(environment, origin).read();
  if (seen) {
    print(`A tree head of ${seen.size} entries of the log ${origin} was signed: it is not new.`);
    return 1;
  }
  await store.begin(manager, origin, verifierKey);
  await store.recordPlace(manager, reason);
  print(`The log ${origin} begins here. Servers that run need no restart.`);
  return 0;
}

/** Ends the log: its entries are made anew under another name, from what the database holds now. */
async function beginNewOrigin(work: LockedWork, reason: string): Promise<ExitCode> {
  const { source, environment, store, print, manager, state, next, seed, ending } = work;
  const { origin } = next!;
  if (origin === state.origin || (await store.hasEnded(origin, manager))) {
    print(`Set LOG_ORIGIN to another name than ${origin} first: two histories under one name are a fork.`);
    return 2;
  }
  if (seed !== undefined) await new DeploymentSettings(source).replace(manager, LOG_KEY_SETTING, seed);
  const named = ending?.signNext({ next: next!.verifierKey, time: unixSeconds(new Date()) }) ?? '';
  await store.end(manager, reason, named);
  // Of a key that the settings give, a server would not know that it signs here for the first time.
  if (next && environment.LOG_KEY !== undefined) await store.begin(manager, next.origin, next.verifierKey);
  print(`The log ${state.origin} has ended. The next one takes in all records when a server runs, and signs then.`);
  if (named === '')
    print('Its key is not at hand, so nothing tells who holds a receipt of it which log is the next one.');
  return 0;
}

/**
 * Goes on with the log in a database that was moved: the operator says that it holds the newest tree head that was ever
 * shown. What can be held against that is looked at here, and the witnesses when a server starts.
 */
async function continueLog(work: LockedWork, reason: string): Promise<ExitCode> {
  const { source, environment, store, print, manager, state, head, change } = work;
  if (change === null && state.refusal === '') {
    print('The log is signed where it always was; there is nothing to decide.');
    return 0;
  }
  const seen = await new HeadFiles(environment, state.origin).read();
  const root = seen && (await new TreeStore(source).rootOf(seen.size, manager));
  const isBroken = seen && (contradicts(head, seen) || root === null || !equalBytes(root, seen.root));
  const size = head?.size ?? 0;
  const problem = isBroken
    ? `A tree head of ${seen.size} entries was signed that the tree in the database, of ${size}, does not have.`
    : state.refusal;
  if (problem !== '') {
    print(`The log ${state.origin} cannot go on: ${problem} Begin a new one: npm run log -- new-origin "<reason>".`);
    return 1;
  }
  await store.recordPlace(manager, reason);
  print(`The log ${state.origin} goes on here, behind its ${size} entries. Servers that run need no restart.`);
  return 0;
}
