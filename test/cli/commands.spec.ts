import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeKeyFile } from '../../packages/verify/src/files/make-key-file.js';
import { itUnless } from '../../packages/verify/test/support/unless.js';
import { type Gist, showGists } from '../rechecks/bound-gist.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { lackOf } from '../support/lacks.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { startFaultProxy } from '../sdk/fault-proxy.js';
import { installCommand, type InstalledCommand, type Run } from './installed-command.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const KEY = { SIGNET_PRIVATE_KEY: hexOf(alice.privateKey) };
/** What no run may ever print, but where it was asked for. */
const SECRETS = [KEY.SIGNET_PRIVATE_KEY, hexOf(wallet.privateKey)];
const GIST = '0123456789abcdef0123456789abcdef';
/** The commands themselves take 128 MiB and half a second for each pass phrase. */
const LITTLE_WORK = { n: 1 << 10, r: 8, p: 1 };
const LOCATION = `https://gist.github.com/alice-demo/${GIST}`;

/** A part of what `verify` says. */
interface Bound {
  identity: string;
  evidence: { account_id: string } | null;
}

describe('the command signet, installed from its tarball,', () => {
  let service: ServiceProcess;
  let database: TestDatabase;
  let github: StandIn;
  let command: InstalledCommand;
  const gists = new Map<string, Gist>();
  const seen: Run[] = [];

  beforeAll(async () => {
    [database, github] = await Promise.all([createTestDatabase(), startStandIn(showGists(gists))]);
    service = await startService({
      DATABASE_URL: database.url,
      GITHUB_API_BASE: github.baseUrl,
      GITHUB_TOKEN: 'token',
      REVALIDATION: 'off',
    });
    command = installCommand(() => service.baseUrl);
  });
  afterAll(async () => {
    command?.remove();
    await service?.kill9();
    await github?.close();
    await database?.drop();
  });

  const signet = async (words: string[], env: Record<string, string> = {}, input?: string) => {
    const run = await command.run(words, { ...KEY, ...env }, input);
    seen.push(run);
    return run;
  };
  const shown = async (...words: string[]) => {
    const { code, stdout, stderr } = await signet(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...words: string[]) => {
    const { code, lines, stderr } = await signet([...words, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return lines;
  };

  it('binds a wallet of another key, whose signature it makes, and the account of a post that comes late', async () => {
    const [bound] = (
      await signet(['bind', 'ethereum', wallet.address, '--json'], { SIGNET_WALLET_KEY: hexOf(wallet.privateKey) })
    ).lines;
    expect(bound).toMatchObject({ state: 'bound', identity: wallet.address, avatar: alice.key.compressed });
    expect(bound.is_valid).toBe(true);

    const run = command.start(['bind', 'github', 'Alice-Demo', '--location', LOCATION], KEY);
    await until(() => run.stderr().includes('Waiting for the post (look 1; again in 1 s)'));
    const text = /-{40}\n([^]*)\n-{40}/.exec(run.stdout())![1]!;
    gists.set(GIST, { login: 'alice-demo', accountId: 7, avatar: alice, content: text });
    const { code, stdout } = await run.ended;

    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\. /);
    expect(stdout).toMatch(/Bound\.\nplatform +github\nidentity +alice-demo\n/);
  });

  it('signs in one run and goes on in another, where nobody can be asked', async () => {
    const draft = path.join(command.home, 'gist.json');
    const [published, signed] = (await signet(['bind', 'github', 'bob-demo', '--draft', draft, '--json'])).lines;
    expect(signed).toMatchObject({ state: 'signed', draft });
    expect(readFileSync(draft, 'utf8')).not.toContain(KEY.SIGNET_PRIVATE_KEY);
    const other = '1'.repeat(32);
    gists.set(other, { login: 'bob-demo', accountId: 8, avatar: alice, content: published.text });

    const tooEarly = await signet(['bind', '--resume', draft, '--location', '2'.repeat(32), '--patience', '0']);
    const lines = await json('bind', '--resume', draft, '--location', other);

    expect(tooEarly).toMatchObject({ code: 1, stderr: expect.stringContaining(`signet bind --resume ${draft}`) });
    expect(lines.at(-1)).toMatchObject({ state: 'bound', uuid: signed.uuid, identity: 'bob-demo' });
    expect(() => statSync(draft)).toThrow('ENOENT');
  });

  it('looks up, exactly or by a part', async () => {
    const table = await shown('proofs', 'alice-demo');
    const similar = await json('proofs', 'DEMO', '--similar', '-p', 'github');

    expect(table.split('\n')[0]).toMatch(/^PLATFORM +IDENTITY +STATE +RESTS ON +CHECKED +AVATAR$/);
    expect(table).toMatch(new RegExp(`^github +alice-demo +valid +server +\\d{4}-.*Z +${alice.key.compressed}$`, 'm'));
    expect(similar.filter(({ platform }) => platform === 'github').map(({ identity }) => identity)).toEqual(
      expect.arrayContaining(['alice-demo', 'bob-demo']),
    );
    expect(await signet(['proofs', 'demo'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('proves that nothing is left out, of links, of a name, of content, and of a "no"', async () => {
    const said = /\nNothing is left out: so says the map of \d+ entries of the log \S+\.( \d of it is newer.*)?\n$/;

    const no = (words: string) =>
      expect.stringMatching(
        new RegExp(`^signet: ${words}.* Nothing is left out: so says the map of .*\\.\n$`),
      ) as string;

    expect(await shown('chain', '--complete')).toMatch(said);
    expect(await shown('proofs', 'alice-demo', '-p', 'github', '--complete')).toMatch(said);
    expect(await shown('exists', 'github', 'alice-demo', '--complete')).toMatch(/state +valid/);
    expect(await shown('exists', 'github', 'alice-demo', '--complete')).toMatch(said);
    for (const [words, message] of [
      [['proofs', 'nobody-demo', '-p', 'github'], 'There is no binding of "nobody-demo"\\.'],
      [['exists', 'github', 'nobody-demo'], 'There is no binding of nobody-demo on github'],
      [['kv', 'get'], 'The Avatar 0x\\w+ has no such content here\\.'],
    ] as const) {
      expect(await signet([...words, '--complete'])).toMatchObject({ code: 1, stdout: '', stderr: no(message) });
    }
    for (const words of [['alice-demo'], ['alice', '-p', 'github', '--similar']]) {
      expect(await signet(['proofs', ...words, '--complete'])).toMatchObject({ code: 2 });
    }
    // What nobody spells so is no "no", which ends with 1.
    expect(await signet(['exists', 'GitHub', 'nobody-demo', '--complete'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The platform "GitHub" is not known here'),
    });
  });

  it('says as JSON by which map an answer is complete: in the one object, or beside the lines of a list', async () => {
    const map = { origin: expect.any(String), size: expect.any(Number), cosignedAt: null, newer: 0, erased: 0 };
    const resting = { whole: 'map', map };
    const run = (...words: string[]) => signet([...words, '--complete', '--json']);
    const [yes, no, list] = [
      await run('exists', 'github', 'alice-demo'),
      await run('exists', 'github', 'nobody-demo'),
      await run('chain'),
    ];

    expect(yes.lines).toMatchObject([{ is_valid: true, resting }]);
    expect(yes.stderr).toBe('');
    expect(JSON.parse(no.stderr)).toMatchObject({ error: 'not_found', resting });
    expect(list.lines.map(({ action }) => action)).toEqual(['create', 'create', 'create']);
    expect(JSON.parse(list.stderr)).toEqual({
      resting: { key: 'signature', record: 'log', ...resting },
    });
  });

  it('tells by its exit code a proved "no" from an answer that does not verify, and from one that leaves something out', async () => {
    const liar = await startFaultProxy(service.baseUrl, undefined, (asked, body) => {
      if (asked.startsWith('/v1/log/map?platform')) return body.replace(/"key":"\w{8}/, '"key":"00000000');
      if (!asked.startsWith('/v1/proofchain?')) return body;
      const answer = JSON.parse(body);
      answer.proof_chain.pop();
      return JSON.stringify(answer);
    });
    const ask = (...words: string[]) => signet(['--server', liar.baseUrl, ...words, '--complete', '--json']);
    try {
      expect((await signet(['exists', 'github', 'nobody-demo', '--complete'])).code).toBe(1);
      for (const [answer, error] of [
        [await ask('exists', 'github', 'nobody-demo'), 'verification_failed'],
        [await ask('chain'), 'incomplete'],
      ] as const) {
        expect(answer).toMatchObject({ code: 4, stdout: '' });
        expect(JSON.parse(answer.stderr)).toMatchObject({ error });
      }
    } finally {
      await liar.close();
    }
  });

  it('says by its exit code whether a binding exists, by default of one’s own key', async () => {
    const [state] = await json('exists', 'github', 'alice-demo');
    const bare = alice.key.uncompressed.slice(2);

    expect(state).toMatchObject({ identity: 'alice-demo', is_valid: true });
    expect((await signet(['exists', 'github', 'alice-demo', bare])).code).toBe(0);
    expect(await signet(['exists', 'github', 'nobody'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The server shows no binding of nobody on github') as string,
    });
  });

  it('patches, reads and verifies content', async () => {
    await shown('kv', 'patch', 'github', 'alice-demo', '{"name":"Alice","old":1}');
    const file = path.join(command.home, 'patch.json');
    writeFileSync(file, '{"old":null}');
    await shown('kv', 'patch', 'github', 'alice-demo', '--file', file);
    await signet(['kv', 'patch', 'self', alice.key.uncompressed], {}, '{"evil":"\\u001b[2Jx\\u202e"}');

    const entries = await json('kv', 'get');
    const table = await shown('kv', 'get', '-p', 'self');
    const patches = await json('kv', 'chain', '--verify');

    expect(entries.map(({ content }) => content)).toEqual([{ name: 'Alice' }, { evil: '\u001b[2Jx\u202e' }]);
    for (const character of ['\u001b', '\u202e']) expect(table).not.toContain(character);
    expect(table).toContain('\\u{202e}');
    expect(patches.map(({ verification }) => verification.complete)).toEqual([true, true, true]);
    for (const text of ['[1]', 'nonsense', '']) {
      expect((await signet(['kv', 'patch', 'github', 'alice-demo'], {}, text)).code).toBe(2);
    }
  });

  it('verifies a chain, and exits with 4 where a server changed it', async () => {
    const liar = await startFaultProxy(service.baseUrl, undefined, (_path, body) =>
      body.replace('"identity":"alice-demo"', '"identity":"mallory"'),
    );
    try {
      const good = await shown('chain', '--verify');
      const bad = await signet(['--server', liar.baseUrl, 'chain', '--verify']);
      const found = await signet(['--server', liar.baseUrl, 'proofs', 'alice-demo', '--json']);

      expect(good).toMatch(/^HERE +RESTS ON +TIME.*\nok +wallet .*\nok +server /);
      expect(good).toContain('Bindings that follow from these links: 3.');
      expect(bad.code).toBe(4);
      expect(bad.stdout).toMatch(/^BAD .* create +github +mallory/m);
      expect(bad.stdout).not.toContain('Bindings that follow');
      expect(bad.stdout).toMatch(/^FAILED +2 of 3: Its identity is "mallory", and "alice-demo" was signed\.$/m);
      expect(found).toMatchObject({ code: 4, stdout: '' });
      expect(JSON.parse(found.stderr)).toMatchObject({ error: 'verification_failed', steps: expect.anything() });
    } finally {
      await liar.close();
    }
  });

  it('exports everything into one file, which verifies without a server, and not after a change', async () => {
    const text = await shown('export');
    const file = path.join(command.home, 'me.json');
    writeFileSync(file, text);
    const offline = { SIGNET_SERVER: 'http://127.0.0.1:1' };
    const good = await signet(['verify', file, '--json'], offline);
    writeFileSync(
      file,
      text.replace('"matched_text": "', '"matched_text": "x').replaceAll(alice.key.compressed, alice.key.compressed),
    );
    const changed = JSON.parse(text);
    changed.bindings[0].evidence &&= { ...changed.bindings[0].evidence, matched_text: 'nothing' };
    changed.links[0].created_at = '1';
    const bad = await signet(['verify', '-'], offline, JSON.stringify(changed));

    expect(JSON.parse(text)).toMatchObject({ format: 'signet-export', version: 1, avatar: alice.key.compressed });
    expect(good.lines[0]).toMatchObject({ ok: true, links: 3, patches: 3 });
    expect(good.lines[0].bindings.map(({ identity, evidence }: Bound) => [identity, evidence?.account_id])).toEqual(
      expect.arrayContaining([
        [wallet.address, undefined],
        ['alice-demo', '7'],
      ]),
    );
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('Its created_at is "1"');
    expect((await signet(['verify', 'nowhere.json'])).code).toBe(2);
    expect((await signet(['export', anAvatar('nobody').key.compressed])).code).toBe(1);
  });

  it('shows events up to now, and follows them until Ctrl-C', async () => {
    const table = await shown('events');
    const following = command.start(['events', '--follow', '--after', '0', '--types', 'proof.revoked', '--json'], KEY);
    const revoked = await shown('unbind', 'github', 'bob-demo');
    await until(() => following.stdout().includes('\n'));
    following.interrupt();
    const { code, lines } = await following.ended;

    expect(table.match(/^ +\d+ /gm)).toHaveLength(6);
    expect(revoked).toContain(`bob-demo on github is not bound to ${alice.key.compressed} any more`);
    expect(lines.map(({ type, identity }) => [type, identity])).toEqual([['proof.revoked', 'bob-demo']]);
    expect(code).toBe(130);
  });

  it('follows the log until Ctrl-C, and goes on where it was', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'signet-test-'));
    const words = ['monitor', '--json', '--interval', '0.1', '--state', path.join(folder, 'state.json')];
    const following = command.start(words, KEY);
    await until(() => following.stdout().split('\n').length > 2);
    following.interrupt();
    const { code, lines, stderr } = await following.ended;
    const again = await signet([...words, '--once', '--avatar', alice.key.compressed]);
    rmSync(folder, { recursive: true });

    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['checkpoint']));
    expect(again.code).toBe(0);
    // The links of the first run are known already.
    expect(again.lines.map(({ type }) => type)).toEqual(['checkpoint']);
  });

  it('tells an operator what works and what is not set up', async () => {
    const findings = await json('doctor');
    const of = (check: string) => findings.find((finding) => finding.check === check);

    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['health', 'build', 'ready', 'clock', 'api', 'events', 'log', 'github', 'here']),
    );
    expect(of('discord')).toMatchObject({ state: 'note', detail: expect.stringContaining('DISCORD_BOT_TOKEN') });
    expect(of('clock')).toMatchObject({ state: 'ok' });
    expect(of('log')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^self-[0-9a-f]{16}, \d+ entr/) });
    expect((await signet(['doctor', 'not a url'])).code).toBe(2);
    expect((await signet(['doctor', 'http://127.0.0.1:1'])).code).toBe(3);
  });

  it('says so where a clock is wrong, and where something else answers', async () => {
    const bodies: { [path: string]: string } = {
      '/healthz': '{"hello":"proof service","built_at":"1","platforms":[]}',
      '/readyz': JSON.stringify({
        status: 'ok',
        clock: { ahead_of_database_seconds: -400, newest_link_ahead_seconds: 7200 },
        search: { waiting: 4200, lag_seconds: 45 },
        upgrade: { done: 3, steps: [{ id: 'kv_patch_feed', state: 'stuck', progress: 0.25 }] },
      }),
      '/openapi.json': '{"info":{"version":"1"}}',
      '/v1/events': 'event: ready\nid: 7\ndata: {"position":7}\n\n',
      '/v1/log': '{"state":"ok","origin":"self","size":0,"policy_met":null}',
      '/v1/platforms': '{"service_name":"self","platforms":[]}',
    };
    const date = new Date(Date.now() - 600_000).toUTCString();
    const late = await startStandIn(({ path: asked }) => ({
      text: bodies[asked]!,
      headers: { date, ...(asked === '/v1/events' && { 'content-type': 'text/event-stream' }) },
    }));
    const page = await startStandIn(() => ({ text: '<h1>Welcome</h1>' }));
    try {
      const wrong = await signet(['doctor', late.baseUrl, '--json']);

      expect(wrong.code).toBe(1);
      expect(wrong.lines.filter(({ state }) => state !== 'ok')).toEqual([
        { check: 'server clock', state: 'failed', detail: '400 s behind the clock of its database' },
        { check: 'links', state: 'note', detail: expect.stringMatching(/^the newest link is 7200 s in the future/) },
        {
          check: 'search',
          state: 'note',
          detail: '4200 bindings wait for the index of searches, the oldest for 45 s',
        },
        { check: 'upgrade', state: 'failed', detail: 'kv_patch_feed is stuck, 25 % done' },
        {
          check: 'clock',
          state: 'failed',
          detail: expect.stringMatching(/^(599|600|601|60\d) s behind the clock here/),
        },
      ]);
      expect((await signet(['doctor', page.baseUrl])).code).toBe(3);
    } finally {
      await Promise.all([late.close(), page.close()]);
    }
  });

  it('ends with 3 where the server is not reached, and with 2 for wrong usage', async () => {
    const away = await signet(['--server', 'http://127.0.0.1:1', 'proofs', 'alice', '--json']);

    expect(away).toMatchObject({ code: 3, stdout: '' });
    expect(JSON.parse(away.stderr)).toMatchObject({ error: 'unreachable' });
    expect((await command.run(['chain'])).code).toBe(2); // there is no key
    expect((await signet(['--server', 'localhost', 'proofs', 'a'])).code).toBe(2);
  });

  it('asks nobody where standard input is not a terminal', async () => {
    const runs = await Promise.all([
      command.run(['key', 'new']),
      command.run(['key', 'import'], {}, 'aa'.repeat(32)),
      signet(['bind', 'github', 'carol-demo']),
      signet(['bind', 'ethereum', aWallet('carol').address]),
    ]);

    for (const { code, stderr } of runs) {
      expect(code).toBe(2);
      expect(stderr).toContain('Standard input is not a terminal, so nobody can be asked');
    }
  });

  it('makes, shows, imports and exports keys that wallets have, too', async () => {
    const env = { SIGNET_PASSPHRASE: 'correct horse' };
    const made = await command.run(['--json', 'key', 'new'], env);
    const [{ words, avatar, address, file }] = made.lines;
    const again = await command.run(['key', 'new'], env);
    const shownKey = await command.run(['key', 'show']);
    const [exported] = (await command.run(['key', 'export', '--json'], env)).lines;
    const encrypted = (await command.run(['key', 'export', '--encrypted'])).stdout;
    const wrong = await command.run(['key', 'export'], { SIGNET_PASSPHRASE: 'incorrect horse' });
    const other = (name: string) => ({ ...env, SIGNET_KEY_FILE: path.join(command.home, name) });
    const fromWords = await command.run(['key', 'import', '--json'], other('words.json'), `${words.toUpperCase()}\n`);
    const fromFile = await command.run(['key', 'import', '--json'], other('file.json'), encrypted);
    // As another program made it, with less work.
    const others = await makeKeyFile(Buffer.from(exported.private_key.slice(2), 'hex'), 'correct horse', LITTLE_WORK);
    const { id, version, crypto } = JSON.parse(others) as { [name: string]: unknown };
    const bare = { id, version, crypto };
    // A file of Foundry, which has no address, saved by Notepad.
    const fromFoundry = await command.run(
      ['key', 'import', '--json'],
      other('foundry.json'),
      `\ufeff${JSON.stringify(bare).replaceAll(',', ',\r\n')}`,
    );
    writeFileSync(path.join(command.home, 'foreign.json'), JSON.stringify(bare));
    const foreign = await command.run(['key', 'show', '--json'], other('foreign.json'));
    const oldKind = await command.run(['key', 'import'], other('old.json'), JSON.stringify({ ...bare, version: 1 }));
    const asArgument = await command.run(['key', 'import', exported.private_key], env);

    expect(words.split(' ')).toHaveLength(12);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(exported.private_key.slice(2));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('never overwritten') });
    expect(shownKey.stdout).toContain(avatar);
    expect(shownKey.stdout).toMatch(/[▀▄█]{3}/);
    expect(JSON.parse(encrypted)).toMatchObject({ version: 3, crypto: { kdf: 'scrypt' } });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(foreign.lines[0]).toMatchObject({ avatar, address });
    expect(oldKind).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a kind that is not read here: version 1'),
    });
    for (const { lines } of [fromWords, fromFile, fromFoundry]) expect(lines[0]).toMatchObject({ avatar, address });
    expect(asArgument.code).toBe(2);
    expect(asArgument.stderr).not.toContain(exported.private_key);
  });

  it('is npx @signet/cli in the repository, as the README there says', () => {
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    const words = /`npx (@signet\/cli doctor)`/.exec(readFileSync(`${cwd}README.md`, 'utf8'))![1]!.split(' ');
    const env = { PATH: process.env.PATH, HOME: command.home, SIGNET_SERVER: service.baseUrl };
    const { status, stdout } = spawnSync('npx', ['--no-install', ...words], { cwd, env, encoding: 'utf8' });

    expect(status).toBe(0);
    expect(stdout).toMatch(/^CHECK +STATE +WHAT WAS SEEN\nhealth +ok /);
  });

  itUnless(lackOf('jq'), 'does what its README shows', async () => {
    const readme = readFileSync(fileURLToPath(new URL('../../packages/cli/README.md', import.meta.url)), 'utf8');
    const script = /^```sh\n(.*?)^```$/ms.exec(readme)![1]!;
    const home = mkdtempSync(path.join(command.home, 'readme-'));
    const env = { PATH: `${command.folder}:${process.env.PATH}`, HOME: home, SIGNET_SERVER: service.baseUrl };
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: home,
      env: { ...env, SIGNET_PASSPHRASE: 'correct horse' },
      encoding: 'utf8',
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/Write the 12 words down[^]*Bound\.[^]*The only one verifies\.[^]*It is an export of 0x/);
  });

  it('never printed a secret', () => {
    expect(seen.length).toBeGreaterThan(30);
    for (const { stdout, stderr } of seen) for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret);
  });
});
