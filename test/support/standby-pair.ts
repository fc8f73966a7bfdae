import pg from 'pg';
import { freePort } from './free-port.mjs';
import { REPLICATION, startPostgres, type TestPostgres } from './postgres.mjs';
import { until } from './until.js';

/** A kill of the server, not of the machine: what was written is there without `fsync`. */
const SETTINGS = { ...REPLICATION, fsync: 'off', synchronous_commit: 'on', full_page_writes: 'on' };

/**
 * A primary and a synchronous standby, and the work of whoever looks after them (Patroni, repmgr, a managed service).
 * Each stays at its port, whichever role it has.
 */
export class StandbyPair {
  private constructor(
    private primary: TestPostgres,
    private standby: TestPostgres,
    private readonly ports: [number, number],
  ) {}

  static async start(): Promise<StandbyPair> {
    const ports: [number, number] = [await freePort(), await freePort()];
    const primary = await startPostgres({ durable: true, settings: SETTINGS, port: ports[0] });
    const standby = await followerOf(primary, ports[1]);
    const pair = new StandbyPair(primary, standby, ports);
    await pair.waitForStandby();
    return pair;
  }

  /** Both servers in one URL, in the form of libpq. */
  get url(): string {
    const [one, other] = this.ports;
    return `postgresql://postgres@127.0.0.1:${one},127.0.0.1:${other}/postgres?target_session_attrs=read-write`;
  }

  get primaryUrl(): string {
    return this.primary.url;
  }

  async killPrimary(): Promise<void> {
    await this.primary.kill9();
  }

  async killStandby(): Promise<void> {
    await this.standby.kill9();
  }

  /** Makes the standby the primary, which then waits for nobody; resolves when it is. */
  async promote(): Promise<void> {
    await run(this.standby.url, 'select pg_promote(true, 60)');
    await run(this.standby.url, "alter system set synchronous_standby_names = ''", 'select pg_reload_conf()');
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** What an impatient operator does to a commit that waits for its standby; whether there was one. */
  async cancelWaitForStandby(): Promise<boolean> {
    const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    return (await run(this.primary.url, waiting)).length > 0;
  }

  /** What was killed comes back as a standby, made anew, and commits wait for it from then on. */
  async bringBack(): Promise<void> {
    const port = Number(new URL(this.standby.url).port);
    await this.standby.stop();
    this.standby = await followerOf(this.primary, port);
    await this.waitForStandby();
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary, this.standby].map((server) => server.stop()));
  }

  private async waitForStandby(): Promise<void> {
    await run(this.primary.url, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
    await until(async () => {
      const rows = await run(this.primary.url, "select 1 from pg_stat_replication where sync_state = 'sync'");
      return rows.length === 1;
    });
  }
}

async function followerOf({ url, dataDir }: TestPostgres, port: number): Promise<TestPostgres> {
  return startPostgres({ durable: true, settings: SETTINGS, port, standbyOf: { url, dataDir: dataDir! } });
}

/** Runs statements one after the other; the rows of the last one. */
async function run(url: string, ...statements: string[]): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: object[] = [];
    for (const sql of statements) ({ rows } = await client.query<object>(sql));
    return rows;
  } finally {
    await client.end();
  }
}
