import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Environment } from '../config/environment.js';

const LEVELS: Record<Environment['LOG_LEVEL'], LogLevel[]> = {
  debug: ['fatal', 'error', 'warn', 'log', 'debug'],
  info: ['fatal', 'error', 'warn', 'log'],
  warn: ['fatal', 'error', 'warn'],
  error: ['fatal', 'error'],
};

/** What Nest tells of its own wiring; of interest only to somebody who changes it. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** One JSON object a line. Nest's account of its wiring is kept for the level `debug`. */
export class ServiceLogger extends ConsoleLogger {
  private readonly showsWiring: boolean;

  constructor(level: Environment['LOG_LEVEL']) {
    super({ json: true, logLevels: LEVELS[level] });
    this.showsWiring = level === 'debug';
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!this.showsWiring && WIRING.has(String(rest.at(-1)))) return;
    super.log(message, ...rest);
  }
}
