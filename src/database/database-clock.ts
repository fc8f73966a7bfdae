import type { DataSource } from 'typeorm';

/**
 * The time of the database, which is the same for all servers: read once, and carried on by a counter that no step of
 * this server's clock moves. For times that one server writes and another reads; where the database itself can add an
 * interval to its own time, let it.
 */
export class DatabaseClock {
  private constructor(
    private readonly dataSource: DataSource,
    private readonly aheadMs: number,
    private readMs = 0,
    private readAtMs = 0,
  ) {}

  /** @param as the time to begin with; absent: that of the database. Tests let time pass by it. */
  static async start(dataSource: DataSource, as?: Date): Promise<DatabaseClock> {
    const nowMs = await nowOf(dataSource);
    const clock = new DatabaseClock(dataSource, as ? as.getTime() - nowMs : 0);
    clock.set(nowMs);
    return clock;
  }

  /** Reads the time of the database again; a process that was stopped for a while may have fallen behind. */
  async sync(): Promise<void> {
    this.set(await nowOf(this.dataSource));
  }

  now(): Date {
    return new Date(this.readMs + this.aheadMs + (performance.now() - this.readAtMs));
  }

  private set(nowMs: number): void {
    this.readMs = nowMs;
    this.readAtMs = performance.now();
  }
}

/** Milliseconds since 1970. */
async function nowOf(dataSource: DataSource): Promise<number> {
  const [row]: { now: Date }[] = await dataSource.query('select clock_timestamp() as now');
  return row!.now.getTime();
}
