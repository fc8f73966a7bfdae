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
    process[options.writeStreamType ?? 'stdout'].write(`${this.stringifyJsonLogObject(record)}\n`);
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!this.showsWiring && WIRING.has(String(rest.at(-1)))) return;
    super.log(message, ...rest);
  }
}
