import { createHash } from 'node:crypto';
import { DatabaseClient, type DatabaseClientConfig } from './database-client.js';

/**
 * Distinct statements that get a name. The service has fewer; the limit keeps texts that are built on the fly from
 * filling the server's memory.
 */
const MAX_NAMES = 500;

/** The names of the prepared statements of one pool: one for each text on all its connections. */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** Undefined once there are too many. */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MAX_NAMES) return known;
    const name = `signet_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.names.set(text, name);
    return name;
  }
}

/** A statement that has a plan, and no other one behind it: those that are sent as one message get no name. */
const HAS_PLAN = /^\s*(select|with|insert|update|delete)\b[^;]*$/i;

/**
 * A connection that gives every statement a name, so that PostgreSQL parses and plans it once for each connection
 * instead of once for each call: planning a lookup takes longer than running it. TypeORM sends all its statements
 * without names. Not for transaction poolers, where the next statement may go to another server process.
 */
export class PreparingClient extends DatabaseClient {
  private readonly names: StatementNames;

  constructor(config: DatabaseClientConfig & { statementNames: StatementNames }) {
    super(config);
    this.names = config.statementNames;
  }

  // The many signatures of `query` differ in nothing but their first argument.
  override query(...words: unknown[]): never {
    const [text, values = [], ...rest] = words;
    const isNamed = typeof text === 'string' && Array.isArray(values) && (values.length > 0 || HAS_PLAN.test(text));
    const name = isNamed ? this.names.of(text) : undefined;
    const given = name === undefined ? words : [{ name, text, values }, ...rest];
    return (super.query as (...given: unknown[]) => never)(...given);
  }
}
