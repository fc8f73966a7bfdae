import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Environment } from '../config/environment.js';

const LEVELS: Record<Environment['LOG_LEVEL'], LogLevel[]> = {
  debug: ['fatal', 'error', 'warn', 'log', 'debug'],
  info: ['fatal', 'error', 'warn', 'log'],
  warn: ['fatal', 'error', 'warn'],
  error: ['fatal', 'error'],
};

/** Contexts in which Nest logs its own wiring; of interest only for changes of the wiring. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Lines for standard output, those of one turn of the event loop in one system call: one for each request would be a
 * tenth of what a look-up costs a busy server.
 */
class TurnLines {
  private waiting = '';

  constructor() {
    process.once('exit', () => this.write());
  }

  add(line: string): void {
    if (this.waiting === '') setImmediate(() => this.write());
    this.waiting += line;
  }

  private write(): void {
    const lines = this.waiting;
    this.waiting = '';
    if (lines !== '') process.stdout.write(lines);
  }
}

/** All loggers of the process write to one output. */
const LINES = new TurnLines();

/** What JSON has a form of; for all else Nest has one. */
const FLAT = new Set(['string', 'number', 'boolean', 'undefined']);

/** One JSON object a line. Nest's account of its wiring is kept for the level `debug`. */
export class ServiceLogger extends ConsoleLogger {
  private readonly showsWiring: boolean;

  constructor(level: Environment['LOG_LEVEL']) {
    super({ json: true, logLevels: LEVELS[level] });
    this.showsWiring = level === 'debug';
  }

  /**
   * As Nest prints it, but with a time that people can read, the usual word for the level, and the fields of a message
   * that is an object.
   */
  protected override printAsJson(...[message, options]: Parameters<ConsoleLogger['printAsJson']>): void {
    const { level, timestamp, message: logged, ...rest } = this.getJsonLogObject(message, options);
    const fields = typeof logged === 'object' && logged !== null ? logged : { message: logged };
    const time = new Date(timestamp).toISOString();
    const record = { level: level === 'log' ? 'info' : level, time, ...rest, ...fields };
    const isFlat = Object.values(record).every((value) => FLAT.has(typeof value));
    const line = `${isFlat ? JSON.stringify(record) : this.stringifyJsonLogObject(record)}\n`;
    if (options.writeStreamType === 'stderr') process.stderr.write(line);
    else LINES.add(line);
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!this.showsWiring && WIRING.has(String(rest.at(-1)))) return;
    super.log(message, ...rest);
  }
}
