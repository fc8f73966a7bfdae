import { dataSourceOptions } from '../../src/database/data-source.js';
import type { OpenDatabase } from '../../src/database/database.js';

/** What `pg` makes its connections with. */
interface Extra {
  Client: new (config: { connectionString: string }) => { emit(event: string, ...words: unknown[]): boolean };
}

describe('a connection of the pool', () => {
  const url = 'postgres://somewhere/else';

  it.each([
    ['directly', url],
    ['through a pooler', 'postgres://pooler/else'],
  ])('that ends while nobody uses it %s does not end the process', (_way, directUrl) => {
    const database = { url, directUrl, kind: 'postgres', poolSize: 1 } as unknown as OpenDatabase;
    const { Client } = dataSourceOptions(database).extra as Extra;

    const client = new Client({ connectionString: url });
    const isHeard = client.emit('error', new Error('terminating connection due to administrator command'));

    expect(isHeard).toBe(true);
  });
});
