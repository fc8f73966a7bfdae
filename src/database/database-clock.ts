import type { DataSource } from 'typeorm';

/**
 * The time of the database, which is the same for all servers: read once, and carried on by a counter that no step of
 * this server's clock moves. For times that one server writes and another reads; where the database itself can add an
 * interval to its own time, let it.
 */
export class DatabaseClock {
  private aheadMs = 0;
  private readMs = 0;
  private readAtMs = 0;

  private constructor(private readonly dataSource: DataSource) {}

  /** @param as the time to begin with; absent: that of the database. Tests let time pass by it. */
  static async start(dataSource: DataSource, as?: Date): Promise<DatabaseClock> {
    const clock = new DatabaseClock(dataSource);
    await clock.sync();
    if (as) clock.aheadMs = as.getTime() - clock.readMs;
    return clock;
  }

  /** Reads the time of the database again; a process that was stopped for a while may have fallen behind. */
  async sync(): Promise<void> {
    const [row]: { now: Date }[] = await this.dataSource.query('select clock_timestamp() as now');
    this.readMs = row!.now.getTime();
    this.readAtMs = performance.now();
  }

  now(): Date {
    return new Date(this.readMs + this.aheadMs + (performance.now() - this.readAtMs));
  }
}
