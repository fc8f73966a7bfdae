import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { headOfRecords } from './log-client.js';
import { oldLinks } from './old-records.js';
import { tamper } from './tampering.js';

const LINKS = 250;
const MOST = 100;

/** Ends the session that writes the map of more than `MOST` entries at once, as where its server is too slow. */
const CUT = [
  'create sequence cuts',
  `create function cut() returns trigger language plpgsql as $$
   begin
     if (select count(*) from log_leaf) - (select size from log_state) > ${MOST} then
       perform nextval('cuts');
       perform pg_terminate_backend(pg_backend_pid());
     end if;
     return null;
   end $$`,
  'create trigger cut before insert on map_tile for each statement execute function cut()',
];

describe('a batch whose session ends while its map is computed', () => {
  let database: TestDatabase;
  let server: RunningApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    await tamper(database.url, ...oldLinks(LINKS), ...CUT);
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  it('is followed by smaller ones until one of them comes through', async () => {
    server = await startApp({ databaseUrl: database.url });
    await headOfRecords(server, LINKS);

    const [{ cuts }] = await server.app
      .get(DataSource)
      .query<[{ cuts: number }]>('select last_value::int as cuts from cuts');
    // Of 1000, 500, 250 and 125 links; a larger one is tried again behind each that came through.
    expect(cuts).toBeGreaterThanOrEqual(4);
  });
});
