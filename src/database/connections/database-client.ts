import pg from 'pg';
import { ConnectionFailedError } from '../pg-errors.js';
import { type DatabaseAddress, parseDatabaseUrl } from './database-address.js';
import { PrimaryFinder } from './primary-finder.js';
import { assertAccepted, ServerState } from './server-state.js';

/**
 * The server has committed without the standbys that its settings ask for, because the wait for them was cancelled: by
 * a time limit, an operator or a shutdown. A server that is promoted now may not have the change.
 */
export class UnconfirmedCommitError extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007';
}

/** Whether a notice says that; `routine` is the name of the function of PostgreSQL that gives it, in any language. */
export function isUnconfirmedNotice({ routine }: { routine?: string | undefined }): boolean {
  return routine === 'SyncRepWaitForLSN';
}

/** TCP asks after ten seconds of silence whether the database server is still there. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

type Query = (...words: unknown[]) => unknown;

export interface DatabaseClientConfig extends pg.ClientConfig {
  connectionString: string;
  /** For replicas, which are standbys. */
  acceptsStandby?: boolean | undefined;
  /** That of the pool, whose connections all know where the primary was seen last; absent: one of its own. */
  finder?: PrimaryFinder | undefined;
}

/**
 * A connection of the service to its database; all of them are made by this class. Its URL may name several hosts, of
 * which it finds the primary when it connects, and it refuses a standby: one would show old data, and write nothing.
 * Its user learns of its end by the statement that fails, or by the event `end`; Node would end a process for an event
 * `error` without a listener.
 */
export class DatabaseClient extends pg.Client {
  private readonly finder: PrimaryFinder;
  private readonly accepts: DatabaseAddress['accepts'];
  private readonly state: ServerState;
  private isUnconfirmed = false;

  /** @throws Error if the URL cannot be read */
  constructor(config: DatabaseClientConfig) {
    const address = parseDatabaseUrl(config.connectionString);
    const { hosts, accepts } = address;
    super({ ...config, ...KEEP_ALIVE, connectionString: hosts[0].url });
    this.setTypeParser(pg.types.builtins.INT8, parseBigint);
    this.finder = config.finder ?? new PrimaryFinder(address);
    this.accepts = config.acceptsStandby ? 'any' : accepts;
    this.state = new ServerState(this);
    this.on('error', () => {});
    this.on('notice', (notice) => (this.isUnconfirmed ||= isUnconfirmedNotice(notice)));
    this.query = this.confirmed(this.query.bind(this) as Query) as never;
  }

  /** @throws ConnectionFailedError of a StandbyError, where there is no primary now, or of the driver's error */
  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (...outcome: never[]) => void): Promise<pg.Client> | void {
    const connected = this.connectToPrimary().catch((error: unknown) => {
      throw new ConnectionFailedError(error);
    });
    if (!callback) return connected;
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  /** `query`, which fails with an `UnconfirmedCommitError` where the server says so, in both of its forms. */
  private confirmed(plain: Query): Query {
    return (...words) => {
      const last = words.at(-1);
      if (typeof last === 'function') {
        const answer = (error: unknown, ...rest: unknown[]) =>
          (last as Query)(error ?? this.takeUnconfirmed(), ...rest);
        return plain(...words.slice(0, -1), answer);
      }
      const result = plain(...words);
      if (!(result instanceof Promise)) return result;
      return result.then((answer: unknown) => {
        const error = this.takeUnconfirmed();
        if (error) throw error;
        return answer;
      });
    };
  }

  private takeUnconfirmed(): UnconfirmedCommitError | undefined {
    if (!this.isUnconfirmed) return undefined;
    this.isUnconfirmed = false;
    return new UnconfirmedCommitError('the commit was not confirmed by the standbys that the server waits for');
  }

  private async connectToPrimary(): Promise<pg.Client> {
    const { url, name } = await this.finder.find();
    if (this.finder.hasSeveral) this.goTo(url);
    try {
      await super.connect();
      assertAccepted(name, this.state, this.accepts);
      return this;
    } catch (error) {
      this.finder.forget();
      void this.end().catch(() => {});
      throw error;
    }
  }

  /** The host is chosen when the connection is made; all else of the URL is the same for all hosts. */
  private goTo(url: string): void {
    const { host, port } = new pg.Client({ connectionString: url });
    Object.assign(this, { host, port });
  }
}

/**
 * Reads a `bigint` as a number, for all connections of the service: `pg` gives 64-bit integers as decimal text, because
 * a number is exact up to 2^53 - 1 only.
 * @throws RangeError beyond that, or for a text that is not a whole number: a rounded id would name another row.
 */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned ${text}, which is not a safe integer.`);
  }
  return value;
}
