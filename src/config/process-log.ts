import { isatty } from 'node:tty';
import { inspect } from 'node:util';

const OUTPUTS = {
  info: { fd: 1, name: 'stdout' },
  warn: { fd: 2, name: 'stderr' },
  error: { fd: 2, name: 'stderr' },
} as const;

/**
 * Writes messages about the process itself: it starts, waits, is ready, cannot start, stops. At a terminal that is
 * plain text; anywhere else it is one JSON object a line with the members of all other log lines (`level`, `time`,
 * `pid`, `context`, `message`), so that a log collector needs one format. No LOG_LEVEL silences it, and it works before
 * the settings are read. Warnings and errors go to standard error.
 * @param fields further members of the JSON object
 * @param plain what a terminal shows instead of the message
 */
export function logProcess(
  level: keyof typeof OUTPUTS,
  message: string,
  fields: Record<string, unknown> = {},
  plain = message,
): void {
  const { fd, name } = OUTPUTS[level];
  const record = { level, time: new Date().toISOString(), pid: process.pid, context: 'Process', message, ...fields };
  // By the descriptor, because the stream of a worker thread does not know.
  process[name].write(`${isatty(fd) ? plain : JSON.stringify(record)}\n`);
}

/** Writes an unexpected error, with its stack and causes. */
export function logProcessFailure(error: unknown): void {
  const stack = inspect(error);
  logProcess('error', error instanceof Error ? error.message : String(error), { stack }, stack);
}
