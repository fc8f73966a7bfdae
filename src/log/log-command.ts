import type { DataSource } from 'typeorm';
import { type Environment, loadEnvironment } from '../config/environment.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { assertSchemaThere, sayingOf, withDatabase } from '../database/command-database.js';
import { DeploymentSettings } from '../database/deployment-settings.js';
import { LogCheck, LogFinding } from './log-check.js';
import { LOG_KEY_SETTING, LogIdentities, newLogKey } from './log-identity.js';
import { LogStore } from './log-store.js';

/** All is well, or done; something is wrong; nothing could be checked or done. */
type ExitCode = 0 | 1 | 2;

const PROGRESS_MS = 5_000;

export const LOG_USAGE = `Usage: npm run log -- check                     recomputes the log from the links and patches, and compares
       npm run log -- new-origin "<reason>"     ends the log of this deployment and begins another; see docs/log.md`;

/**
 * `npm run log`: what an operator does with the log while no program is asked. A server may go on serving the same
 * PostgreSQL meanwhile; an embedded database is open once at a time.
 */
export async function logCommand(
  variables: Record<string, string | undefined>,
  words: string[],
  say: (line: string) => void,
): Promise<ExitCode> {
  const [verb, reason] = words;
  const isKnown = verb === 'check' ? words.length === 1 : verb === 'new-origin' && words.length === 2;
  // A reason without a word explains nothing.
  if (!isKnown || reason?.trim() === '') {
    say(LOG_USAGE);
    return 2;
  }
  try {
    const environment = loadEnvironment(variables);
    return await withDatabase(environment, async (source) => {
      await assertSchemaThere((sql, values) => source.query(sql, values));
      return verb === 'check' ? check(source, environment, say) : beginNewOrigin(source, environment, reason!, say);
    });
  } catch (error) {
    say(sayingOf(error));
    return 2;
  }
}

/** Reads one snapshot and changes nothing. */
async function check(source: DataSource, environment: Environment, say: (line: string) => void): Promise<ExitCode> {
  return source.transaction('REPEATABLE READ', async (manager) => {
    await manager.query('set transaction read only');
    const { state } = await new LogStore(source).outlook(manager);
    if (!state) {
      say('There is no log in this database yet.');
      return 0;
    }
    const audit = new LogCheck(manager, state, environment.DATA_DIR);
    const progress = setInterval(() => say(`${audit.checked} of ${state.size} entries`), PROGRESS_MS);
    try {
      const heads = await audit.run();
      say(`${state.origin}: ${state.size} entries and ${heads} stored tree heads. All is as it was signed.`);
      if (state.refusal !== '') say(`Nothing is signed any more: ${state.refusal}`);
      return state.refusal === '' ? 0 : 1;
    } catch (error) {
      if (!(error instanceof LogFinding)) throw error;
      say(`${state.origin}: BAD. ${error.message}`);
      return 1;
    } finally {
      clearInterval(progress);
    }
  });
}

/** Ends the log: its entries are made anew under another name, from what the database holds now. */
async function beginNewOrigin(
  source: DataSource,
  environment: Environment,
  reason: string,
  say: (line: string) => void,
): Promise<ExitCode> {
  return source.transaction(async (manager) => {
    await manager.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.log})`);
    const { state } = await new LogStore(source).outlook(manager);
    if (!state) {
      say('There is no log in this database yet; nothing has to end.');
      return 0;
    }
    const settings = new DeploymentSettings(source);
    if (environment.LOG_KEY === undefined && environment.LOG_ORIGIN === undefined) {
      await settings.replace(manager, LOG_KEY_SETTING, newLogKey());
    } else if ((await new LogIdentities(environment, settings).current()).origin === state.origin) {
      say(`Set LOG_ORIGIN to another name than ${state.origin} first: two histories under one name are a fork.`);
      return 2;
    }
    await manager.query(
      `insert into log_past_origin (origin, verifier_key, note, reason, started_at)
       select origin, verifier_key, coalesce((select note from log_checkpoint order by size desc limit 1), ''), $1, started_at
       from log_state
       on conflict (origin) do update set note = excluded.note, reason = excluded.reason, ended_at = clock_timestamp()`,
      [reason],
    );
    await manager.query('truncate log_state, log_leaf, log_tile, log_checkpoint, log_cosignature');
    say(
      `The log ${state.origin} has ended. The next one takes in all links and patches when a server runs, and signs then.`,
    );
    return 0;
  });
}
