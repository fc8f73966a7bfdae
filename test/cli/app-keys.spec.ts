import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeHex } from '@signet/verify';
import { atTerminal, runHere } from '../../packages/cli/test/terminal.js';
import { edApp, passkeyApp, ORIGIN } from '../keys/app-scenario.js';
import { keyName, stateOf } from '../keys/key-scenario.js';
import { proxiedApp } from '../page/proxied-app.js';
import { anAvatar, type TestAvatar } from '../support/avatar.js';

/** `signet keys add | revoke` and what signs with such a key, against the real service: docs/keys-for-apps.md. */
describe('signet keys of apps', () => {
  const [alice, paper, mallory] = [anAvatar('alice'), anAvatar('paper'), anAvatar('mallory')];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signet-app-keys-'));
  const service = proxiedApp();
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (name: string) => path.join(folder, name);
  const hexOf = ({ privateKey }: TestAvatar) => encodeHex(privateKey);
  const environment = (by: TestAvatar | null) => ({
    ...{ SIGNET_SERVER: service.proxy.baseUrl, XDG_CONFIG_HOME: folder },
    ...(by && { SIGNET_PRIVATE_KEY: hexOf(by) }),
  });
  const signet = (words: string[], by: TestAvatar | null, more: Record<string, string> = {}) =>
    runHere(words, { ...environment(by), ...more });
  const write = (n: number, more: string[], by: TestAvatar | null = null, env = {}) =>
    signet(['kv', 'patch', 'github', 'alice-demo', JSON.stringify({ n }), ...more], by, env);
  const scope = ['--scope', 'kv:github:Alice-Demo'];

  it.each(['ed25519', 'es256', 'secp256k1'])(
    'add makes a key of %s, which signs patches in its scope alone, and chain --verify follows it',
    async (algorithm) => {
      const owner = anAvatar(`owner of ${algorithm}`);
      const file = fileOf(`${algorithm}.json`);

      const added = await signet(['keys', 'add', file, ...scope, '--algorithm', algorithm], owner);
      const written = await write(1, ['--signer', file]);
      const beyond = await signet(['kv', 'patch', 'dns', 'example.org', '{}', '--signer', file], null);
      const own = await write(2, [], owner);
      const byVariable = await write(3, [], owner, { SIGNET_APP_KEY: readFileSync(file, 'utf8') });
      const chain = await signet(['kv', 'chain', '--verify'], owner);
      const shown = await signet(['keys', 'show'], owner);

      const { key, private_key: secret } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      expect(added).toMatchObject({ code: 0, text: expect.stringContaining('may sign kv:github:alice-demo until') });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect([written.code, own.code, byVariable.code]).toEqual([0, 0, 0]);
      expect(beyond).toMatchObject({ code: 1, text: expect.stringContaining('may not sign for this identity') });
      expect(chain).toMatchObject({ code: 0, text: expect.stringContaining('SIGNED BY') });
      expect(chain.text.split(key!)).toHaveLength(3);
      expect(shown.text).toContain(`${key}: kv:github:alice-demo, until `);
      for (const { text } of [added, written, beyond, chain, shown]) expect(text).not.toContain(secret!.slice(2));
    },
  );

  it('add gives a key another end and other scopes, and refuses that of another Avatar', async () => {
    const file = fileOf('bot.json');
    await signet(['keys', 'add', file, ...scope], alice);
    const again = await signet(['keys', 'add', file, '--scope', 'kv', '--expires', '2027-06-30', '--json'], alice);
    const other = await signet(['keys', 'add', file, '--scope', 'kv'], mallory);
    const algorithm = await signet(['keys', 'add', file, '--scope', 'kv', '--algorithm', 'es256'], alice);

    expect(JSON.parse(again.text)).toMatchObject({
      ...{ action: 'key.add', fields: { scopes: ['kv'], expires_at: Date.UTC(2027, 5, 30) / 1000 } },
    });
    expect(other).toMatchObject({ code: 2, text: expect.stringContaining('is for another Avatar') });
    expect(algorithm).toMatchObject({ code: 2, text: expect.stringContaining('name another file') });
  });

  it('revoke ends a key: by itself, by its name, and by a recovery key', async () => {
    const files = ['itself.json', 'named.json', 'recovery.json'].map(fileOf);
    const names: string[] = [];
    for (const file of files) {
      await signet(['keys', 'add', file, ...scope], alice);
      names.push((JSON.parse(readFileSync(file, 'utf8')) as { key: string }).key);
    }
    await signet(['keys', 'commit', keyName(paper)], alice);

    const byItself = await signet(['keys', 'revoke', files[0]!, '--itself'], null);
    const byName = await signet(['keys', 'revoke', names[1]!], alice);
    const byStranger = await signet(['keys', 'revoke', files[2]!, '--recovery'], null, {
      SIGNET_RECOVERY_KEY: hexOf(mallory),
    });
    const byRecovery = await signet(['keys', 'revoke', files[2]!, '--recovery'], null, {
      SIGNET_RECOVERY_KEY: hexOf(paper),
    });
    const after = await write(9, ['--signer', files[0]!]);
    const again = await signet(['keys', 'add', files[0]!, ...scope], alice);

    for (const run of [byItself, byName, byRecovery]) {
      expect(run).toMatchObject({ code: 0, text: expect.stringContaining('signs nothing any more, for good.') });
    }
    expect(byStranger.code).toBe(1);
    expect(after).toMatchObject({ code: 1, text: expect.stringContaining('revoked') });
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('revoked') });
    const { app_keys: left } = await stateOf(service.running, alice);
    expect(
      left.filter(({ key }: { key: string }) => names.includes(key)).every((one: object) => 'revoked' in one),
    ).toBe(true);
  });

  it.each([
    ['a key that an app holds', edApp('held by an app'), []],
    ['a passkey of a page', passkeyApp('passkey of a page'), ['--origin', ORIGIN]],
  ])('add takes %s: the text is shown, and its signature asked for', async (_what, app, origin) => {
    const words = ['keys', 'add', app.name, '--scope', 'kv', ...origin];
    const terminal = atTerminal(words, { env: environment(alice) });
    await terminal.sees('Its signature, in Base64:');
    const text = /^\{"action":"key\.add".*\}$/m.exec(terminal.screen())![0];
    await terminal.answer('', app.sign(text));

    expect(await terminal.code).toBe(0);
    expect(terminal.screen()).toContain(`${app.name} may sign kv until`);
    const nobody = await signet(words, alice);
    expect(nobody).toMatchObject({ code: 2, text: expect.stringContaining('has to be typed') });
    const wrong = atTerminal(words, { env: environment(alice) });
    await wrong.answer('Its signature, in Base64:', edApp('another').sign(text));
    expect(await wrong.code).toBe(1);
  });

  it.each([
    ['no scope', ['keys', 'add', 'new.json'], /--scope/],
    ['an origin of a file', ['keys', 'add', 'new.json', '--scope', 'kv', '--origin', ORIGIN], /es256:0x/],
    ['an end that is no time', ['keys', 'add', 'new.json', '--scope', 'kv', '--expires', 'soon'], /2027-06-30/],
    ['an unknown algorithm', ['keys', 'add', 'new.json', '--scope', 'kv', '--algorithm', 'rsa'], /ed25519/],
    ['an algorithm of a name', ['keys', 'add', edApp('x').name, '--scope', 'kv', '--algorithm', 'es256'], /its own/],
    ['a name that signs itself', ['keys', 'revoke', edApp('x').name, '--itself'], /name its file/],
    ['two who sign', ['keys', 'revoke', edApp('x').name, '--itself', '--recovery'], /not both/],
    ['no key', ['keys', 'revoke', 'nowhere.json'], /cannot be read/],
    ['a file without a key', ['kv', 'patch', 'github', 'a', '{}', '--signer', 'package.json'], /signet keys add/],
  ])('ends with 2 for %s', async (_what, words, sentence) => {
    expect(await signet(words, alice)).toMatchObject({ code: 2, text: expect.stringMatching(sentence) });
  });

  it('quotes nothing of a key that cannot be used', async () => {
    const secret = 'f'.repeat(64);
    const text = JSON.stringify({ avatar: alice.key.compressed, key: edApp('x').name, private_key: `0x${secret}` });
    writeFileSync(fileOf('wrong.json'), text);

    for (const run of [
      await write(1, ['--signer', fileOf('wrong.json')]),
      await write(1, [], null, { SIGNET_APP_KEY: text }),
    ]) {
      expect(run.code).toBe(2);
      expect(run.text).not.toContain(secret);
    }
  });

  it('chain --verify ends with 4 where the server hides that a key was added', async () => {
    const owner = anAvatar('owner of a hidden key');
    await signet(['keys', 'add', fileOf('hidden.json'), ...scope], owner);
    await write(1, ['--signer', fileOf('hidden.json')]);
    service.proxy.lie = (at, body) => {
      if (at.startsWith('/v1/keys/chain')) body.keys = [];
    };

    expect(await signet(['kv', 'chain', '--verify'], owner)).toMatchObject({ code: 4 });
  });
});
