import type { OpenDatabase } from './database.js';

/** Milliseconds after which a session stops waiting for a lock that all servers need. */
const SHARED_LOCK_MS = 1500;
/** Milliseconds after which a session stops waiting for any other lock, such as that of one Avatar's content. */
const LOCK_MS = 5000;
/** Milliseconds after which a session ends whose server leaves its transaction idle. */
const IDLE_MS = 3000;
/** Milliseconds that one statement may take. */
const STATEMENT_MS = 4000;

export interface WriteLimits {
  /** Whether the transaction takes a lock that all servers need. */
  sharesLock: boolean;
  /** Milliseconds that the whole transaction may take; PostgreSQL knows this limit from version 17 on. */
  totalMs?: number | undefined;
  /** Milliseconds that it waits for a lock, if that is less than usual. */
  lockMs?: number | undefined;
}

/**
 * A statement that bounds the rest of its transaction, for transactions that hold what other servers need: a lock, or
 * the cursor of a listener. A server that is paused in the middle of one loses its session, and the locks with it,
 * after three seconds; one that waits for a lock gives up sooner, so that a queue of paused connections goes too.
 *
 * SET LOCAL works through transaction poolers, which refuse such settings at the start of a session. A tighter limit of
 * the settings stays.
 * @returns null for the embedded engine, which has neither timers nor other servers.
 */
export function writeLimits(database: OpenDatabase, { sharesLock, totalMs, lockMs }: WriteLimits): string | null {
  if (database.kind === 'embedded') return null;
  const settings = [
    set('lock_timeout', tighter(lockMs ?? (sharesLock ? SHARED_LOCK_MS : LOCK_MS), database.lockTimeoutMs)),
    set('statement_timeout', tighter(STATEMENT_MS, database.statementTimeoutMs)),
    set('idle_in_transaction_session_timeout', tighter(IDLE_MS, database.idleInTransactionMs)),
    ...(totalMs === undefined
      ? []
      : [`case when ${KNOWS_TRANSACTION_TIMEOUT} then ${set('transaction_timeout', totalMs)} end`]),
  ];
  return `select ${settings.join(', ')}`;
}

/** For the rest of a transaction: how long it waits for a lock that all servers need. Null as above. */
export function sharedLockLimit(database: OpenDatabase): string | null {
  if (database.kind === 'embedded') return null;
  return `select ${set('lock_timeout', tighter(SHARED_LOCK_MS, database.lockTimeoutMs))}`;
}

const KNOWS_TRANSACTION_TIMEOUT = `current_setting('server_version_num')::integer >= 170000`;

function set(name: string, ms: number): string {
  return `set_config('${name}', '${ms}', true)`;
}

/** A setting of 0 sets no limit. */
function tighter(limitMs: number, settingMs: number): number {
  return settingMs === 0 ? limitMs : Math.min(limitMs, settingMs);
}
