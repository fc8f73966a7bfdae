import { DataSource } from 'typeorm';
import { LEASE_MS } from '../../src/rechecks/recheck.runner.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { DueRechecks } from '../../src/rechecks/due-rechecks.js';
import { type GistWorld, showGists, startGistWorld } from './bound-gist.js';
import { NO_SUCH_GIST, seedDueProofs, seededGists } from './due-proofs.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';

const GIST = 'abcdef0123456789abcdef0123456789';
const LOGIN = 'alice-demo';
const alice = anAvatar('alice');

/** A promise and the way to keep it. */
function aGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('a check in flight', () => {
  let world: GistWorld;

  beforeEach(async () => {
    world = await startGistWorld();
  });
  afterEach(() => world.close());

  /**
   * Starts a recheck that GitHub answers with "gone", but only after `meanwhile`; other requests are answered at once.
   */
  async function whileChecking(due: Date, meanwhile: () => Promise<unknown>) {
    const asked = aGate();
    const answer = aGate();
    let isFirst = true;
    world.github.handle(async (request) => {
      if (!isFirst) return showGists(world.gists)(request);
      isFirst = false;
      asked.open();
      await answer.opened;
      return NO_SUCH_GIST;
    });
    const check = world.rechecks.checkDue(due);
    await asked.opened;
    await meanwhile();
    answer.open();
    return check;
  }

  it('does not touch a proof that was created again meanwhile', async () => {
    const due = await world.bind(alice, GIST, LOGIN);

    const state = () => world.sql('select gone_since, is_valid, next_check_at, checks_done from proof');
    let bound: unknown;
    const totals = await whileChecking(due, async () => {
      await world.bind(alice, GIST, LOGIN);
      bound = await state();
    });

    expect(totals).toMatchObject({ gone: 0, superseded: 1 });
    expect(await state()).toEqual(bound);
    expect(bound).toEqual([{ gone_since: null, is_valid: true, next_check_at: expect.any(Date), checks_done: 0 }]);
    expect(await world.sql('select outcome from proof_check')).toEqual([{ outcome: 'valid' }, { outcome: 'valid' }]);
  });

  it('leaves nothing behind of a proof that was deleted meanwhile', async () => {
    const due = await world.bind(alice, GIST, LOGIN);

    const totals = await whileChecking(due, async () => {
      const names = { action: 'delete', platform: 'github', identity: LOGIN, public_key: alice.key.compressed };
      const { body } = await world.app.post('/v1/proof/payload', names);
      const { uuid, created_at, sign_payload } = body;
      const extra = { signature: alice.sign(sign_payload) };
      expect((await world.app.post('/v1/proof', { ...names, uuid, created_at, extra })).status).toBe(201);
    });

    expect(totals).toMatchObject({ gone: 0, superseded: 1 });
    expect(await world.sql('select 1 from proof')).toEqual([]);
    expect(await world.sql('select 1 from proof_check')).toEqual([]);
    expect(await world.sql(`select 1 from domain_event where name = 'proof.invalidated'`)).toEqual([]);
    expect(await world.sql('select matched_text from proof_evidence')).toEqual([{ matched_text: '' }]);
  });

  it('is not begun a second time by the next tick', async () => {
    const due = await world.bind(alice, GIST, LOGIN);

    const totals = await whileChecking(due, async () => {
      await world.rechecks.sweep({ platform: 'github' }, due);
      expect(await world.rechecks.checkDue(due)).toMatchObject({ valid: 0, gone: 0 });
    });

    // The sweep took the proof away from the check, so its answer counts for nothing, and the next tick asks again.
    expect(totals).toMatchObject({ gone: 0, superseded: 1 });
    expect(await world.rechecks.checkDue(due)).toMatchObject({ valid: 1 });
  });

  it('is finished when the server stops, and the rest is given back', async () => {
    await world.close();
    world = await startGistWorld({ engine: 'postgres' }); // the embedded engine has one server
    const proofs = await seedDueProofs(world.app.app.get(DataSource), { avatar: alice, platform: 'github', count: 20 });
    const stopping = aGate();
    let held = 0;
    const gists = seededGists(alice, proofs);
    world.github.handle(async (request) => {
      held += 1;
      await stopping.opened;
      return gists(request);
    });
    const { sql } = world;
    const check = world.rechecks.checkDue(new Date());
    while (held < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    const other = await startGistWorld({ databaseUrl: world.app.database.directUrl });

    const closed = world.app.app.close();
    setImmediate(stopping.open);
    await closed;

    expect(await check).toMatchObject({ valid: 4, postponed: 16 });
    await expect(sql('select 1')).rejects.toThrow();
    expect(await other.sql('select count(*)::int as due from proof where next_check_at <= now()')).toEqual([
      { due: 16 },
    ]);
    await other.close();
  });
});

describe('a server that dies in the middle', () => {
  it('delays what it had claimed until the lease is over, and no longer', async () => {
    const world = await startGistWorld();
    const proofs = await seedDueProofs(world.app.app.get(DataSource), { avatar: alice, platform: 'github', count: 3 });
    world.github.handle(seededGists(alice, proofs));
    const now = new Date();
    const lease = new Date(now.getTime() + LEASE_MS);
    // What a server does before it dies; nothing of it is in memory afterwards.
    expect(await world.app.app.get(DueRechecks).claimDue(now, 'github', 2, lease)).toHaveLength(2);

    expect(await world.rechecks.checkDue(now)).toMatchObject({ valid: 1 });
    expect(await world.rechecks.checkDue(new Date(lease.getTime() - 5_000))).toMatchObject({ valid: 0 });
    expect(await world.rechecks.checkDue(lease)).toMatchObject({ valid: 2 });

    await world.close();
  });
});

describe('two servers on one database', () => {
  it('never check a proof twice in one round', async () => {
    const database = await createTestDatabase();
    const standIns = [await startStandIn(() => NO_SUCH_GIST), await startStandIn(() => NO_SUCH_GIST)];
    const servers: RunningApp[] = [];
    for (const { baseUrl } of standIns) {
      const env = { REVALIDATION: 'off', GITHUB_API_BASE: baseUrl, GITHUB_TOKEN: 'token' };
      servers.push(await startApp({ databaseUrl: database.url, env }));
    }
    const dataSource = servers[0]!.app.get(DataSource);
    const gists = seededGists(
      alice,
      await seedDueProofs(dataSource, { avatar: alice, platform: 'github', count: 400 }),
    );
    // No answer before both servers have asked, so that both are at it.
    const bothAsked = aGate();
    for (const standIn of standIns) {
      standIn.handle(async (request) => {
        if (standIns.every(({ requests }) => requests.length > 0)) bothAsked.open();
        await bothAsked.opened;
        return gists(request);
      });
    }

    const now = new Date();
    const totals = await Promise.all(servers.map(({ app }) => app.get(RecheckService).checkDue(now)));

    const paths = standIns.flatMap(({ requests }) => requests.map(({ path }) => path));
    expect(paths).toHaveLength(400);
    expect(new Set(paths).size).toBe(400);
    expect(totals.reduce((sum, { valid }) => sum + valid, 0)).toBe(400);
    expect(Math.min(...totals.map(({ valid }) => valid))).toBeGreaterThan(0);
    for (const closing of [...servers, ...standIns]) await closing.close();
    await database.drop();
  });
});
