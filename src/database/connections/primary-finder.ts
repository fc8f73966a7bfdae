import pg from 'pg';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { withTimeout } from '../../concurrency/with-timeout.js';
import type { DatabaseAddress, DatabaseHost } from './database-address.js';
import { ConnectionFailedError, isServerAway } from '../pg-errors.js';
import { assertAccepted, ServerState, StandbyError } from './server-state.js';

/** Milliseconds for which a result is used again, so that a burst of new connections asks once. */
const FRESH_MS = 1000;
/** Connect timeout for each host, in milliseconds. A host that is down may stay silent instead of refusing. */
const ANSWER_MS = 2000;
/** Milliseconds after the first answer in which another host may show that it is a newer primary. */
const GRACE_MS = 200;

/**
 * The timeline of a primary: the first eight hexadecimal digits of the name of a WAL file. Each promotion adds one to
 * it, so a lower timeline reveals a former primary that came back without knowing its successor.
 */
const TIMELINE = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline';

interface Answer {
  host: DatabaseHost;
  timeline: number;
}

/** Finds the primary among several hosts by asking all of them at the same time. */
export class PrimaryFinder {
  private readonly looks = new SingleFlight<DatabaseHost>();
  private found: { host: DatabaseHost; at: number } | undefined;

  constructor(private readonly address: DatabaseAddress) {}

  /**
   * The host to connect to now.
   * @throws StandbyError if none of them is a primary, or the driver's own error where one refuses us for a reason that
   *   does not pass, such as a wrong password.
   */
  async find(): Promise<DatabaseHost> {
    if (!this.hasSeveral) return this.address.hosts[0];
    if (this.found && performance.now() - this.found.at < FRESH_MS) return this.found.host;
    return this.looks.join(() => this.probeHosts());
  }

  /** Whether there is a choice. */
  get hasSeveral(): boolean {
    return this.address.hosts.length > 1;
  }

  /** Whether the primary is there. @throws what `find` throws */
  async isAt(host: string, port: number): Promise<boolean> {
    const there = new pg.Client({ connectionString: (await this.find()).url });
    return there.host === host && there.port === port;
  }

  /** Says that the host which was found last is not the primary any more. */
  forget(): void {
    this.found = undefined;
  }

  private async probeHosts(): Promise<DatabaseHost> {
    this.found = undefined;
    const answers: Answer[] = [];
    const asked = this.address.hosts.map(async (host) => answers.push({ host, timeline: await this.probeHost(host) }));
    try {
      await Promise.any(asked);
    } catch (error) {
      throw this.reasonOf((error as AggregateError).errors as Error[]);
    }
    await withTimeout(Promise.allSettled(asked), GRACE_MS, () => []);
    const [newest] = answers.sort((one, other) => other.timeline - one.timeline);
    this.found = { host: newest!.host, at: performance.now() };
    return newest!.host;
  }

  /** The timeline of a primary. */
  private async probeHost({ name, url }: DatabaseHost): Promise<number> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'signet',
      connectionTimeoutMillis: ANSWER_MS,
    });
    client.on('error', () => {});
    const state = new ServerState(client);
    try {
      await client.connect();
      assertAccepted(name, state, this.address.accepts);
      const { rows } = await withTimeout(client.query<{ timeline: string }>(TIMELINE), ANSWER_MS, () => {
        throw new StandbyError(`${name} says nothing`);
      });
      return parseInt(rows[0]!.timeline, 16);
    } finally {
      void client.end().catch(() => {});
    }
  }

  private reasonOf(errors: Error[]): Error {
    const lasting = errors.find((error) => !isServerAway(new ConnectionFailedError(error)));
    if (lasting) return lasting;
    const names = this.address.hosts.map(({ name }) => name).join(', ');
    return new StandbyError(`none of ${names} is a primary now (${errors.map(({ message }) => message).join('; ')})`);
  }
}
