import { DataSource } from 'typeorm';
import { EventRelay } from '../../src/events/event-relay.js';
import { RecheckScheduler } from '../../src/rechecks/recheck.scheduler.js';
import { type GistWorld, HOUR_MS, hoursAfter, nextCheckOf, showGists, startGistWorld } from './bound-gist.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { jsonReply } from '../../packages/look/test/support/stand-in-server.js';

const GIST = 'abcdef0123456789abcdef0123456789';
const LOGIN = 'alice-demo';
const alice = anAvatar('alice');

let world: GistWorld;

beforeEach(async () => {
  world = await startGistWorld();
});
afterEach(() => world.close());

const names = `platform=github&identity=${LOGIN}&public_key=${alice.key.compressed}`;
const state = async () => (await world.app.get(`/v1/proof/exists?${names}`)).body;
const history = async (): Promise<string[]> =>
  (await world.app.get(`/v1/proof/history?${names}`)).body.checks.map((check: { outcome: string }) => check.outcome);
const events = () =>
  world.sql<{ name: string; payload: Record<string, unknown> }>('select name, payload from domain_event order by draw');
const eventNames = async () => (await events()).map(({ name }) => name);
const dueAt = () => nextCheckOf(world, LOGIN);

/** Looks when it is due, `count` times. */
async function lookWhenDue(count = 1): Promise<Date> {
  let due = await dueAt();
  for (let look = 0; look < count; look++) {
    due = await dueAt();
    world.forgetFailures();
    await world.rechecks.checkDue(due);
  }
  return due;
}

describe('the schedule of a bound gist', () => {
  it('is an hour after the create, then a day later, then every three days, give or take a tenth', async () => {
    await world.bind(alice, GIST, LOGIN);
    let last = Number((await state()).last_checked_at) * 1000;

    const gaps: number[] = [];
    for (let round = 0; round < 4; round++) {
      const due = await dueAt();
      gaps.push((due.getTime() - last) / HOUR_MS);
      expect((await world.rechecks.checkDue(new Date(due.getTime() - 1000))).valid).toBe(0);
      expect((await world.rechecks.checkDue(due)).valid).toBe(1);
      last = due.getTime();
    }

    for (const [index, hours] of [1, 24, 72, 72].entries()) {
      expect(gaps[index]).toBeGreaterThan(hours * 0.899);
      expect(gaps[index]).toBeLessThan(hours * 1.101);
    }
    expect(await state()).toMatchObject({ is_valid: true, last_checked_at: String(Math.floor(last / 1000)) });
    expect(await eventNames()).toEqual(['proof.bound']);
  });

  it('starts again when the gist is bound again', async () => {
    await world.bind(alice, GIST, LOGIN);
    await lookWhenDue(3);

    const due = await world.bind(alice, GIST, LOGIN);

    expect((due.getTime() - Date.now()) / HOUR_MS).toBeCloseTo(1, 0);
  });

  it('is not reset by an event that is delivered late', async () => {
    await world.bind(alice, GIST, LOGIN);
    await lookWhenDue();
    const due = await dueAt();

    await world.sql(`update event_handler set position = 0 where name = 'revalidation'`);
    world.app.app.get(EventRelay).wake();
    await listenerIsDone();

    expect(await dueAt()).toEqual(due);
  });

  it('does not exist for a wallet, whose signature does not age', async () => {
    await linkWallet(world.app, alice, aWallet('alice'));
    await listenerIsDone();

    expect(await world.sql('select next_check_at from proof')).toEqual([{ next_check_at: null }]);
  });

  it('is followed by the ticks of a server only if REVALIDATION is on', async () => {
    await world.close();
    world = await startGistWorld({ engine: 'postgres' }); // two servers need one
    await world.bind(alice, GIST, LOGIN);
    await world.sql(`update proof set next_check_at = now() - interval '1 minute'`);
    const other = await startGistWorld({ databaseUrl: world.app.database.directUrl, env: { REVALIDATION: 'on' } });
    other.gists.set(GIST, world.gists.get(GIST)!);

    await world.app.app.get(RecheckScheduler).tick();
    const before = await history();
    await other.app.app.get(RecheckScheduler).tick();
    await other.close();

    expect(before).toEqual(['valid']);
    expect(await history()).toEqual(['valid', 'valid']);
  });

  async function listenerIsDone(): Promise<void> {
    const [bound] = await world.app.app.get(DataSource).query('select count(*) as count from domain_event');
    for (;;) {
      const rows = await world.sql<{ position: string }>(
        `select position from event_handler where name = 'revalidation'`,
      );
      if (rows[0]?.position === bound.count) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

describe('a gist that is deleted', () => {
  it('turns the proof invalid at a second look an hour later, and that is told once', async () => {
    const first = await world.bind(alice, GIST, LOGIN);
    const before = await state();
    world.gists.delete(GIST);

    await world.rechecks.checkDue(first);
    expect(await state()).toEqual(before);
    expect((await dueAt()).getTime() - first.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
    await world.rechecks.checkDue(hoursAfter(first, 0.99));
    expect(await history()).toEqual(['gone', 'valid']);
    const second = await lookWhenDue();
    await lookWhenDue();

    expect(await state()).toMatchObject({ is_valid: false, invalid_reason: 'There is no such gist.' });
    expect(await history()).toEqual(['gone', 'gone', 'gone', 'valid']);
    expect((await events()).slice(1)).toEqual([
      {
        name: 'proof.invalidated',
        payload: {
          avatar: alice.key.compressed,
          platform: 'github',
          identity: LOGIN,
          reason: 'There is no such gist.',
          checked_at: String(Math.floor(second.getTime() / 1000)),
        },
      },
    ]);
  });

  it('does not count as seen twice when an operator asks again within the hour', async () => {
    const first = await world.bind(alice, GIST, LOGIN);
    world.gists.delete(GIST);
    await world.rechecks.checkDue(first);

    await world.rechecks.sweep({ platform: 'github' }, hoursAfter(first, 0.5));
    await world.rechecks.checkDue(hoursAfter(first, 0.5));

    expect(await history()).toEqual(['gone', 'gone', 'valid']);
    expect(await state()).toMatchObject({ is_valid: true });
    expect(((await dueAt()).getTime() - first.getTime()) / HOUR_MS).toBeCloseTo(1, 1);
  });

  it('leaves no trace when it is back at the second look', async () => {
    await world.bind(alice, GIST, LOGIN);
    const gist = world.gists.get(GIST)!;
    world.gists.delete(GIST);
    await lookWhenDue();
    world.gists.set(GIST, gist);

    await lookWhenDue();

    expect(await state()).toMatchObject({ is_valid: true, invalid_reason: '' });
    expect(await world.sql('select gone_since from proof')).toEqual([{ gone_since: null }]);
    expect(await eventNames()).toEqual(['proof.bound']);
  });

  it('makes the proof valid again when it is restored later', async () => {
    await world.bind(alice, GIST, LOGIN);
    const gist = world.gists.get(GIST)!;
    world.gists.delete(GIST);
    await lookWhenDue(2);
    world.gists.set(GIST, gist);

    const restored = await lookWhenDue();
    await lookWhenDue();

    expect(await state()).toMatchObject({ is_valid: true, invalid_reason: '' });
    expect(await eventNames()).toEqual(['proof.bound', 'proof.invalidated', 'proof.restored']);
    expect((await events())[2]!.payload).toEqual({
      avatar: alice.key.compressed,
      platform: 'github',
      identity: LOGIN,
      checked_at: String(Math.floor(restored.getTime() / 1000)),
    });
  });
});

describe('a gist that changes hands or text', () => {
  it('proves nothing when the name belongs to another account', async () => {
    await world.bind(alice, GIST, LOGIN, 7);
    world.gists.get(GIST)!.accountId = 8;

    await lookWhenDue(2);

    expect(await state()).toMatchObject({
      is_valid: false,
      invalid_reason: `"${LOGIN}" on github is another account now than the one that was bound`,
    });
  });

  it('proves nothing when the signature was edited away, and the reason repeats none of its text', async () => {
    await world.bind(alice, GIST, LOGIN);
    world.gists.get(GIST)!.content = 'call 555-0199 now';

    await lookWhenDue(2);

    const { is_valid, invalid_reason } = await state();
    expect(is_valid).toBe(false);
    expect(invalid_reason).not.toBe('');
    expect(invalid_reason).not.toContain('555');
  });

  it('keeps as evidence what was seen last', async () => {
    await world.bind(alice, GIST, LOGIN);
    const seen = async () => (await world.app.get(`/v1/proof/evidence?${names}`)).body;
    const before = await seen();
    world.gists.get(GIST)!.content += '\nand more';

    const due = await lookWhenDue();

    const after = await seen();
    expect(after.sha256).not.toBe(before.sha256);
    expect(after.seen_at).toBe(String(Math.floor(due.getTime() / 1000)));
  });
});

describe('a platform that cannot be asked', () => {
  it('flips no proof by answering 500 for a day, and is asked again ever later', async () => {
    const first = await world.bind(alice, GIST, LOGIN);
    const before = await state();
    world.github.handle(() => jsonReply({ message: 'oh' }, 500));

    let tries = 0;
    for (let due = first; due < hoursAfter(first, 24); due = await dueAt(), tries++) await lookWhenDue();

    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(20);
    expect(await state()).toEqual(before);
    expect(new Set((await history()).slice(0, tries))).toEqual(new Set(['unavailable']));
    expect(await eventNames()).toEqual(['proof.bound']);
    world.github.handle(showGists(world.gists));
    const due = await lookWhenDue();
    expect(await state()).toMatchObject({ is_valid: true, last_checked_at: String(Math.floor(due.getTime() / 1000)) });
  });

  it('neither clears nor confirms an earlier doubt', async () => {
    await world.bind(alice, GIST, LOGIN);
    world.gists.delete(GIST);
    await lookWhenDue();
    world.github.handle(() => jsonReply({}, 503));
    await lookWhenDue(2);
    expect(await state()).toMatchObject({ is_valid: true });
    world.github.handle(showGists(world.gists));

    await lookWhenDue();

    expect(await history()).toEqual(['gone', 'unavailable', 'unavailable', 'gone', 'valid']);
    expect(await state()).toMatchObject({ is_valid: false });
  });

  it('is left alone, for all proofs, for as long as it asks', async () => {
    await world.close();
    world = await startGistWorld({ env: { RECHECK_CONCURRENCY: '1' } });
    const first = await world.bind(alice, GIST, LOGIN);
    await world.bind(anAvatar('bob'), '1234', 'bob-demo');
    world.github.handle(() => jsonReply({ message: 'slow down' }, 429, { 'retry-after': '3000' }));
    const asked = world.github.requests.length;

    await world.rechecks.sweep({ platform: 'github' }, first);
    expect(await world.rechecks.checkDue(first)).toMatchObject({ unavailable: 1, postponed: 1 });

    expect(world.github.requests).toHaveLength(asked + 1);
    for (const row of await world.sql<{ next: Date }>('select next_check_at as next from proof')) {
      expect((row.next.getTime() - first.getTime()) / 1000).toBeGreaterThanOrEqual(3000);
    }
    world.forgetFailures();
    await world.rechecks.sweep({ platform: 'github' }, hoursAfter(first, 0.5));
    await world.rechecks.checkDue(hoursAfter(first, 0.5));
    expect(world.github.requests).toHaveLength(asked + 1);
    world.github.handle(showGists(world.gists));
    expect(await world.rechecks.checkDue(hoursAfter(first, 0.9))).toMatchObject({ valid: 2 });
  });

  it('proves nothing when it refuses the token of this server, and the operator is told once an hour', async () => {
    await world.close();
    world = await startGistWorld({ env: { LOG_LEVEL: 'warn' } });
    const first = await world.bind(alice, GIST, LOGIN);
    const before = await state();
    world.github.handle(() => jsonReply({ message: 'Bad credentials' }, 401));

    const warnings = await loggedDuring(async () => {
      for (const hours of [0, 0.4, 0.8, 1.2]) {
        await world.rechecks.sweep({ platform: 'github' }, hoursAfter(first, hours));
        await world.rechecks.checkDue(hoursAfter(first, hours));
      }
    });

    expect(await history()).toEqual([...Array<string>(4).fill('misconfigured'), 'valid']);
    expect(await state()).toEqual(before);
    expect(warnings.filter((line) => line.includes('Rechecks on github cannot work'))).toHaveLength(2);
    expect(warnings.join()).not.toContain('Bad credentials');
  });

  it('is left alone for ten minutes when this server lacks what it asks for', async () => {
    await world.close();
    world = await startGistWorld({ env: { RECHECK_CONCURRENCY: '1' } });
    const first = await world.bind(alice, GIST, LOGIN);
    await world.bind(anAvatar('bob'), '1234', 'bob-demo');
    world.github.handle(() => jsonReply({ message: 'Bad credentials' }, 401));
    const asked = world.github.requests.length;

    await world.rechecks.sweep({ platform: 'github' }, first);
    expect(await world.rechecks.checkDue(first)).toMatchObject({ misconfigured: 1, postponed: 1 });

    expect(world.github.requests).toHaveLength(asked + 1);
    const waits = await world.sql<{ minutes: number }>(
      'select extract(epoch from next_check_at - $1)::float8 / 60 as minutes from proof where check_failures = 0',
      [first],
    );
    expect(waits).toEqual([{ minutes: expect.closeTo(10, 0) }]);
  });
});

/** The lines that the service writes meanwhile. */
async function loggedDuring(work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return lines;
}
