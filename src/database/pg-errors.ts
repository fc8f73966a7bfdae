const UNIQUE_VIOLATION = '23505';

/** SQLSTATEs with which a server says that it is not there for us (PostgreSQL manual, appendix A). */
const UNREACHABLE_STATES = new Set([
  '57P01', // admin_shutdown: also what a terminated session hears
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, recovering or shutting down
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout: the session is closed
  '53300', // too_many_connections
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name: no such database
]);
const CONNECTION_EXCEPTION = /^08/; // class 08: connection_exception and its kin

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

/** The driver gives these no code. They come from `pg` (client.js), `pg-pool` (index.js) and TypeORM's PostgresDriver. */
const DRIVER_MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Client has encountered a connection error and is not queryable$/,
  /^Client was closed and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^Driver not Connected$/,
  // TypeORM gives a connection back as soon as it hears of its end; the transaction that was using it is told so by its next statement.
  /^Query runner already released/,
  /^Database connection provided by a query runner was already released/,
];

interface ErrorShape {
  code?: unknown;
  constraint?: unknown;
  syscall?: unknown;
  message?: unknown;
  driverError?: unknown;
  errors?: unknown;
}

/** Whether the database refused a row because of a unique constraint or index, that named `constraint` if one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return causesOf(error).some(
    (cause) => cause.code === UNIQUE_VIOLATION && (constraint === undefined || cause.constraint === constraint),
  );
}

/**
 * Whether the error means that the database cannot be reached or went away, as raised by `pg` or TypeORM: worth a 503, because the same request
 * may succeed later. A transaction in progress may or may not have been committed if this was the answer to its commit.
 */
export function isConnectionLost(error: unknown): boolean {
  return causesOf(error).some(({ code, syscall, message }) => {
    if (typeof code !== 'string') return DRIVER_MESSAGES.some((pattern) => pattern.test(String(message)));
    if (SOCKET_CODES.has(code)) return SOCKET_CALLS.test(String(syscall));
    return UNREACHABLE_STATES.has(code) || CONNECTION_EXCEPTION.test(code);
  });
}

/** The error, what TypeORM wrapped into it, and the tries of a host with several addresses. */
function causesOf(error: unknown): ErrorShape[] {
  if (typeof error !== 'object' || error === null) return [];
  const { driverError, errors } = error as ErrorShape;
  return [error, ...causesOf(driverError), ...(Array.isArray(errors) ? errors.flatMap(causesOf) : [])];
}
