/** read_only_sql_transaction: the server is a standby, as for a moment after a fail-over. */
export const READ_ONLY_STATE = '25006';

/** SQLSTATEs with which a server ends a session or takes none now (PostgreSQL manual, appendix A). */
const AWAY_STATES = new Set([
  '25P03', // idle_in_transaction_session_timeout: the session is closed
  '25P04', // transaction_timeout: the session is closed
  '57P01', // admin_shutdown: also what a terminated session hears
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, recovering or shutting down
  '57P04', // database_dropped: while sessions of it were open
  '57P05', // idle_session_timeout
  '53300', // too_many_connections: of the server, the database or the role
]);
/** What else is not a fault of the request, when a statement fails with it. */
const UNREACHABLE_STATES = new Set([
  ...AWAY_STATES,
  '53200', // out_of_memory
  '58030', // io_error
  READ_ONLY_STATE,
]);
const CONNECTION_EXCEPTION = /^08/; // class 08: connection_exception and its kin, and all that PgBouncer refuses

/**
 * SQLSTATEs of refused connections that an operator can mend on the server alone, in addition to `AWAY_STATES`:
 * maintenance, or a lack of resources. Waiting does not help with other reasons, which are faults of our settings:
 * 28000 (no such role, no login, or no entry in pg_hba.conf), 28P01 (wrong password), 3D000 (no such database), 0A000,
 * 22023 and 42704 (an unknown parameter of the connection).
 */
const PASSING_REFUSALS = new Set([
  '55000', // object_not_in_prerequisite_state: `allow_connections false`, or a `drop database` that was cut short
  '42501', // insufficient_privilege: `revoke connect`
  '57014', // query_canceled: the server did not get through its own authentication in time
  '53000', // insufficient_resources
  '53100', // disk_full
  '53200', // out_of_memory
  '53400', // configuration_limit_exceeded
  '58000', // system_error
  '58030', // io_error
]);

/** The server gave up a statement that was right, because others were in its way or it took too long. */
const SLOW_STATES = new Set([
  '57014', // query_canceled: the statement timeout, or an operator
  '55P03', // lock_not_available: the lock timeout
  '40P01', // deadlock_detected
  '40001', // serialization_failure: on a replica, a conflict with what it has to catch up with
]);
const DATA_EXCEPTION = /^22/;
const DISK_FULL = '53100';
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** What Node says when a socket cannot be opened or breaks. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT', // the unix-domain socket is gone
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
]);
const SOCKET_CALLS = /^(connect|read|write|getaddrinfo)$/;

/**
 * The driver gives these no code. They come from `pg` (client.js), `pg-pool` (index.js) and TypeORM's PostgresDriver.
 */
const DRIVER_MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Client has encountered a connection error and is not queryable$/,
  /^Client was closed and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^Driver not Connected$/,
  // TypeORM gives a connection back as soon as it hears of its end; the transaction that was using it learns so by its
  // next statement.
  /^Query runner already released/,
  /^Database connection provided by a query runner was already released/,
];

/**
 * No connection could be made, for the reason that `driverError` is. The same SQLSTATE means something else when a
 * statement fails with it: 42501 is then a missing right on a table, and 55000 a wrong use of an object.
 */
export class ConnectionFailedError extends Error {
  readonly driverError: unknown;
  /** That of the driver's error: a SQLSTATE or a code of Node. */
  readonly code: unknown;

  constructor(cause: unknown) {
    const { message, code } = cause as ErrorShape;
    super(String(message), { cause });
    this.name = 'ConnectionFailedError';
    this.driverError = cause;
    this.code = code;
  }
}

interface ErrorShape {
  code?: unknown;
  /** Of an error that the server has sent. */
  severity?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: unknown;
  errors?: unknown;
}

/**
 * Whether the error means that the database cannot be reached or went away, as raised by `pg` or TypeORM: worth a 503,
 * because the same request may succeed later. A failed attempt to connect is one for any reason, because it is
 * never a fault of the request. A transaction in progress may or may not have been committed if this was the answer to
 * its commit.
 */
export function isConnectionLost(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof ConnectionFailedError || isBrokenConnection(cause) || UNREACHABLE_STATES.has(String(cause.code)),
  );
}

/**
 * Whether no server answers there or it takes no connections now, so that waiting may help: not so for a wrong
 * password or a missing database.
 */
export function isServerAway(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      isBrokenConnection(cause) ||
      AWAY_STATES.has(String(cause.code)) ||
      (cause instanceof ConnectionFailedError && PASSING_REFUSALS.has(String(cause.code))),
  );
}

/** Whether the server gave up a statement for the time that it took or waited; the same request may succeed later. */
export function isTooSlow(error: unknown): boolean {
  return causesOf(error).some(({ code }) => SLOW_STATES.has(String(code)));
}

/** Whether the server itself refused a statement, so that the transaction of it ends without a change. */
export function isRefusedByServer(error: unknown): boolean {
  return (
    !isConnectionLost(error) &&
    causesOf(error).some(({ code, severity }) => severity !== undefined && SQLSTATE.test(String(code)))
  );
}

/** Whether a value was one that the server cannot store or read (class 22), such as text with a NUL. */
export function isDataException(error: unknown): boolean {
  return causesOf(error).some(({ code }) => DATA_EXCEPTION.test(String(code)));
}

/** Whether the server has no space left on its disk. */
export function isStorageFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === DISK_FULL);
}

function isBrokenConnection({ code, syscall, message }: ErrorShape): boolean {
  if (typeof code !== 'string') return DRIVER_MESSAGES.some((pattern) => pattern.test(String(message)));
  return SOCKET_CODES.has(code) ? SOCKET_CALLS.test(String(syscall)) : CONNECTION_EXCEPTION.test(code);
}

/** The error, what TypeORM wrapped into it, and the tries of a host with several addresses. */
function causesOf(error: unknown): ErrorShape[] {
  if (typeof error !== 'object' || error === null) return [];
  const { driverError, errors } = error as ErrorShape;
  return [error, ...causesOf(driverError), ...(Array.isArray(errors) ? errors.flatMap(causesOf) : [])];
}
