import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The connections behind a `DataSource` that is initialized. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as PostgresDriver).master as pg.Pool;
}

/**
 * What is below a client, and not in the types of `pg`: it emits each message of the server before the statement hears
 * of it, and its bytes go through `stream`, plain or by TLS.
 */
export function connectionOf(client: pg.Client): EventEmitter & { stream: Socket } {
  return (client as unknown as { connection: EventEmitter & { stream: Socket } }).connection;
}
