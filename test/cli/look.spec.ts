import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson } from '@signet/verify';
import { type GistWorld, startGistWorld } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { installCommand, type InstalledCommand } from './installed-command.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const GIST = '0123456789abcdef0123456789abcdef';

/** An export in which Alice claims accounts; whether she holds them, no signature says. */
function claimsOf(accounts: { platform: string; identity: string; proof_location: string }[]): string {
  const avatar = alice.key.compressed;
  let prev: string | null = null;
  const links = accounts.map(({ platform, identity, proof_location }) => {
    const fields = { action: 'create', avatar, created_at: '1718000000', identity, platform, uuid: randomUUID() };
    const signature_payload = canonicalJson({ ...fields, prev });
    const signature = alice.sign(signature_payload);
    prev = signature;
    return { ...fields, proof_location, signature, signature_payload, extra: {}, archive_id: '' };
  });
  const bindings = links.map(({ platform, identity, created_at }) => ({
    ...{ platform, identity, created_at, last_checked_at: created_at },
    ...{ is_valid: true, invalid_reason: '', evidence: null },
  }));
  const head = { format: 'signet-export', version: 1, exported_at: '1718000001', server: 'https://signet.example' };
  return JSON.stringify({ ...head, avatar, links, patches: [], bindings });
}

describe('signet look', () => {
  let world: GistWorld;
  let command: InstalledCommand;
  beforeAll(async () => {
    world = await startGistWorld();
    command = installCommand(() => world.app.baseUrl);
    await linkWallet(world.app, alice, wallet);
    await world.bind(alice, GIST, 'alice-demo');
  });
  afterAll(async () => {
    command?.remove();
    await world?.close();
  });
  const look = (words: string[], env: Record<string, string> = {}) =>
    command.run(['look', ...words], { GITHUB_API_BASE: world.github.baseUrl, ...env });
  /** Gives the stand-in another gist, or none, for as long as `work` runs. */
  async function whileShowing<Result>(gist: object | null, work: () => Promise<Result>): Promise<Result> {
    const whole = world.gists.get(GIST)!;
    if (gist) world.gists.set(GIST, { ...whole, ...gist });
    else world.gists.delete(GIST);
    try {
      return await work();
    } finally {
      world.gists.set(GIST, whole);
    }
  }

  it('sees each binding of an Avatar itself, with what it read, and asks the server about none', async () => {
    const asked = world.github.requests.length;
    const { code, lines } = await look([alice.key.compressed, '--json']);
    const table = await look(['alice-demo']);

    expect(code).toBe(0);
    expect(lines).toEqual([
      expect.objectContaining({ platform: 'ethereum', identity: wallet.address, result: 'seen', url: '' }),
      expect.objectContaining({
        ...{ platform: 'github', identity: 'alice-demo', result: 'seen', account_id: '7' },
        ...{ url: `https://gist.github.com/${GIST}`, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      }),
    ]);
    expect(world.github.requests.length).toBe(asked + 2);
    expect(table.stdout).toContain('seen by you just now  github alice-demo\n');
    expect(table.stdout).toContain('All 1 were seen from here.');
  });

  it('sees what a server says otherwise: a post that is gone, and one of another account', async () => {
    const gone = await whileShowing(null, () => look(['alice-demo', '--compare']));
    const others = await whileShowing({ login: 'mallory' }, () => look(['alice-demo', '--compare', '--json']));

    expect(gone.code).toBe(1);
    expect(gone.stdout).toMatch(/^not there +github alice-demo: There is no such gist\.\n +the server says valid\n/);
    expect(others.code).toBe(1);
    expect(others.lines).toEqual([
      expect.objectContaining({
        ...{ result: 'not_seen', differs: true, server: { is_valid: true, invalid_reason: '' } },
        reason: 'The gist belongs to "mallory", not "alice-demo".',
      }),
    ]);
  });

  it('says of a file which accounts were never proved, which need a setting, and asks nobody for those', async () => {
    const file = path.join(command.home, 'claims.json');
    const location = '9'.repeat(32);
    writeFileSync(
      file,
      claimsOf([
        { platform: 'github', identity: 'torvalds', proof_location: location },
        {
          ...{ platform: 'discord', identity: 'alice.demo' },
          proof_location: 'https://discord.com/channels/1100000000000000001/1100000000000000002/1100000000000000003',
        },
      ]),
    );

    const { code, lines } = await look([file, '--json'], { SIGNET_SERVER: 'http://127.0.0.1:1' });

    expect(code).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ identity: 'torvalds', result: 'not_seen', reason: 'There is no such gist.' }),
        expect.objectContaining({
          ...{ identity: 'alice.demo', result: 'not_set_up' },
          reason: expect.stringContaining('DISCORD_BOT_TOKEN') as string,
        }),
      ]),
    );
  });

  it('ends with 3 where a platform could not be asked, and says nothing of the post', async () => {
    const { code, stdout } = await look(['alice-demo'], { GITHUB_API_BASE: 'http://127.0.0.1:1' });

    expect(code).toBe(3);
    expect(stdout).toMatch(/^could not be asked +github alice-demo: The server for github could not be reached/);
  });

  it('asks no host inside of the own network that a link names, and refuses a file that does not verify', async () => {
    const file = path.join(command.home, 'inside.json');
    const claims = claimsOf([{ platform: 'activitypub', identity: 'alice@router.lan', proof_location: '1' }]);
    writeFileSync(file, claims);
    const inside = await look([file, '--json']);
    writeFileSync(file, claims.replace('alice@router.lan', 'bob@router.lan'));
    const forged = await look([file, '--json']);

    expect(inside.code).toBe(3);
    expect(inside.lines).toEqual([
      expect.objectContaining({
        result: 'not_asked',
        reason: expect.stringContaining('is not written as activitypub writes it') as string,
      }),
    ]);
    expect(forged).toMatchObject({ code: 4, stdout: '' });
  });
});
