import { DataSource } from 'typeorm';
import { RecheckScheduler } from '../../src/rechecks/recheck.scheduler.js';
import type { SweepRequestDto } from '../../src/rechecks/recheck.dto.js';
import { type GistWorld, hoursAfter, startGistWorld } from './bound-gist.js';
import { seedDueProofs, seededGists } from './due-proofs.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';

const alice = anAvatar('alice');
const bob = anAvatar('bob');
const NOW = new Date();
/** The clock goes on from `NOW` while a sweep begins; no other recheck is due by then. */
const SOON = hoursAfter(NOW, 1 / 60);

let world: GistWorld;

afterEach(() => world.close());

describe('a sweep', () => {
  beforeEach(async () => {
    world = await startGistWorld();
    await world.bind(alice, 'a1', 'alice-demo');
    await world.bind(alice, 'a2', 'shared-demo');
    await world.bind(bob, 'b1', 'shared-demo');
    await linkWallet(world.app, alice, aWallet('alice'));
    await world.sql(`update proof set is_valid = false, invalid_reason = 'gone' where identity = 'alice-demo'`);
  });

  it.each<[string, SweepRequestDto, number]>([
    ['a platform', { platform: 'github' }, 3],
    ['another platform', { platform: 'minds' }, 0],
    ['an identity, in any spelling', { platform: 'github', identity: '@Shared-Demo' }, 2],
    ['an identity on whatever platform', { identity: 'shared-demo' }, 2],
    ['an Avatar', { avatar: alice.key.uncompressed }, 2],
    ['an identity of an Avatar', { avatar: bob.key.compressed, identity: 'shared-demo' }, 1],
    ['all that is invalid', { all_invalid: true }, 1],
    ['what is invalid of an Avatar', { all_invalid: true, avatar: bob.key.compressed }, 0],
  ])('makes the proofs of %s due at once, wallets never', async (_what, request, count) => {
    expect(await world.rechecks.sweep(request, NOW)).toBe(count);

    const due = await world.sql<{ due: number }>('select count(*)::int as due from proof where next_check_at <= $1', [
      SOON,
    ]);
    expect(due[0]!.due).toBe(count);
    expect(await world.rechecks.checkDue(SOON)).toMatchObject({ valid: count });
  });

  it('leaves its position in the queue to what is overdue', async () => {
    const before = hoursAfter(NOW, -5);
    await world.sql(`update proof set next_check_at = $1 where identity = 'alice-demo'`, [before]);

    await world.rechecks.sweep({ platform: 'github' }, NOW);

    const rows = await world.sql<{ next: Date }>(
      `select next_check_at as next from proof where identity = 'alice-demo'`,
    );
    expect(rows).toEqual([{ next: before }]);
  });

  it('reaches a proof that was never scheduled', async () => {
    await world.sql(`update proof set next_check_at = null where identity = 'alice-demo'`);

    expect(await world.rechecks.sweep({ all_invalid: true }, NOW)).toBe(1);
    expect(await world.rechecks.checkDue(SOON)).toMatchObject({ valid: 1 });
  });

  it.each<[string, SweepRequestDto, string]>([
    ['nothing', {}, 'invalid_request'],
    ['an unknown platform', { platform: 'myspace' }, 'unknown_platform'],
    ['a platform of wallets', { platform: 'ethereum' }, 'not_rechecked'],
    ['an identity that the platform could not have', { platform: 'github', identity: 'no/body' }, 'invalid_identity'],
    ['a broken key', { avatar: '0x02' }, 'invalid_public_key'],
  ])('refuses to start on %s', async (_what, request, code) => {
    await expect(world.rechecks.sweep(request, NOW)).rejects.toMatchObject({ code });
  });

  it('takes more proofs than one statement should', async () => {
    await seedDueProofs(world.app.app.get(DataSource), {
      avatar: anAvatar('carol'),
      platform: 'github',
      count: 4_100,
      dueAt: hoursAfter(NOW, 9),
      firstLinkId: 1000,
    });

    expect(await world.rechecks.sweep({ platform: 'github' }, NOW)).toBe(4_103);
  });
});

describe('progress', () => {
  it('is what is due, what was done, how fast, and how long it takes', async () => {
    world = await startGistWorld({ env: { GITHUB_TOKEN: '' } });
    const proofs = await seedDueProofs(world.app.app.get(DataSource), {
      avatar: alice,
      platform: 'github',
      count: 40,
      dueAt: hoursAfter(NOW, -1),
    });
    const gists = seededGists(alice, proofs);
    world.github.handle((request) => (world.github.requests.length === 1 ? { status: 500 } : gists(request)));
    const nothing = { due: 0, done: 0, failed: 0, rate_per_minute: 0, estimated_seconds_left: 0 };

    expect(await world.rechecks.progress(hoursAfter(NOW, -2))).toEqual({ total: nothing, platforms: {} });
    const before = await world.rechecks.progress(NOW);
    await world.rechecks.checkDue(NOW);
    const after = await world.rechecks.progress(NOW);

    expect(before.total).toEqual({ ...nothing, due: 40, estimated_seconds_left: -1 });
    expect(after.platforms).toEqual({
      github: { due: 10, done: 29, failed: 1, rate_per_minute: 30, estimated_seconds_left: 20 },
    });
    expect(after.total).toEqual(after.platforms.github);
  });

  it('is written to the log, once a minute and only while there is work', async () => {
    world = await startGistWorld({ env: { REVALIDATION: 'on', LOG_LEVEL: 'info' } });
    const scheduler = world.app.app.get(RecheckScheduler);

    // Far ahead of the ticks that the server makes by itself meanwhile.
    const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

    const quiet = await loggedDuring(() => scheduler.tick(later(30)));
    const seed = { avatar: alice, platform: 'github', count: 3, dueAt: later(45) } as const;
    world.github.handle(seededGists(alice, await seedDueProofs(world.app.app.get(DataSource), seed)));
    const busy = await loggedDuring(async () => {
      for (const minutes of [60, 60.1, 60.2]) await scheduler.tick(later(minutes));
    });

    expect(quiet).toEqual([]);
    expect(busy).toEqual([expect.stringMatching(/Rechecks: \d due .*, time left/)]);
  });
});

/** The lines about rechecks that the service writes meanwhile. */
async function loggedDuring(work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return lines.filter((line) => line.includes('Rechecks: '));
}
