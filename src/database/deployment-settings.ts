import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseUnusableError } from './database.js';

/**
 * What a deployment remembers about itself, shared by all its servers: made once by the first server, never changed
 * afterwards by a server.
 */
@Injectable()
export class DeploymentSettings {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The stored value of `name`; if there is none, stores what `make` gives. Several servers may ask at once and all get
   * the same.
   */
  async getOrMake(name: string, make: () => string): Promise<string> {
    const read = 'select value from deployment_setting where name = $1';
    const [kept] = await this.dataSource.query<{ value: string }[]>(read, [name]);
    if (kept) return kept.value;
    const add = 'insert into deployment_setting (name, value) values ($1, $2) on conflict (name) do nothing';
    await this.dataSource.query(add, [name, make()]);
    const [row] = await this.dataSource.query<{ value: string }[]>(read, [name]);
    return row!.value;
  }

  /** Puts another value in the place of the stored one, in the transaction of `manager`: for commands of operators. */
  async replace(manager: EntityManager, name: string, value: string): Promise<void> {
    const sql =
      'insert into deployment_setting (name, value) values ($1, $2) on conflict (name) do update set value = $2';
    await manager.query(sql, [name, value]);
  }

  /** @throws DatabaseUnusableError if `name` is stored with another value; stores it if there is none. */
  async assertSame(name: string, value: string): Promise<void> {
    const stored = await this.getOrMake(name, () => value);
    if (stored === value) return;
    throw new DatabaseUnusableError(
      `This database belongs to a deployment whose ${name} is "${stored}", and this one was started with "${value}". ` +
        'Signed payloads, records and folders carry that name, so it cannot change.',
    );
  }
}
