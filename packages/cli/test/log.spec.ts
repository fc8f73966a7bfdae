import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aHistory, type History, type LogServer, startLogServer } from '../../sdk/test/support/log-server.js';
import { anAvatar } from '../../sdk/test/support/people.js';
import { canonicalJson } from '@signet/verify';
import { writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { jsonReply, startStandIn, textReply } from '../../sdk/test/support/stand-in.js';
import { runHere } from './terminal.js';

describe('the commands about the log', () => {
  const alice = anAvatar('alice');
  let home: string;
  let history: History;
  let server: LogServer;
  beforeEach(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'signet-log-'));
    history = aHistory();
    server = await startLogServer(history);
  });
  afterEach(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const signet = (...words: string[]) => runHere(words, { HOME: home, SIGNET_SERVER: server.baseUrl });
  const inHome = (name: string) => path.join(home, name);

  it('remember a head from one run to the next, and refuse another history with both heads', async () => {
    expect(await signet('log', 'checkpoint')).toMatchObject({ code: 0, text: expect.stringContaining('size    12') });
    const other = history.fork();
    other.addLink(alice, 'mine');
    history.addLink(alice, 'theirs');
    expect((await signet('log', 'checkpoint')).code).toBe(0);
    server.show(other);

    const { code, text } = await signet('log', 'checkpoint');

    expect(code).toBe(4);
    expect(text).toContain('two histories');
    expect(text).toContain(`\nRemembered:\n${history.checkpoint()}`);
    expect(text).toContain(`\nShown:\n${other.checkpoint()}`);
  });

  it('say when enough witnesses had signed, and refuse what they signed longer ago than is allowed', async () => {
    const witness = cosigner('witness.example/w', new Uint8Array(32).fill(9));
    const time = Math.floor(Date.now() / 1000) - 600;
    const note = history.checkpoint();
    const seen = note + witness.cosign(`${note.split('\n\n')[0]!}\n`, time);
    server.intercept(({ path: asked }) => (asked.endsWith('/checkpoint') ? textReply(seen) : undefined));
    const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
    writeFileSync(inHome('policy.txt'), policy);
    const given = ['--policy', inHome('policy.txt')];

    const good = await signet('log', 'checkpoint', ...given);
    const old = await signet('log', 'checkpoint', ...given, '--witness-seconds', '300');
    const audit = await signet('log', 'audit', server.baseUrl, ...given, '--witness-seconds', '300');

    expect(good).toMatchObject({ code: 0, text: expect.stringContaining('signed by enough witnesses') });
    expect(old).toMatchObject({ code: 4, text: expect.stringContaining('For 10 minutes no checkpoint was signed') });
    expect(audit).toMatchObject({ code: 1, text: expect.stringMatching(/ALARM +witnesses: For 10 minutes/) });
  });

  it('tell of a witness of the policy that cannot be asked, and alarm over another history at one', async () => {
    const key = writeVerifierKey(cosigner('witness.example/w', new Uint8Array(32).fill(9)).key);
    let shown = textReply('Busy.', 500);
    const witness = await startStandIn(() => shown);
    writeFileSync(
      inHome('policy.txt'),
      `log ${history.verifierKey}\nwitness w ${key} ${witness.baseUrl}\nquorum none\n`,
    );
    const audit = ['log', 'audit', server.baseUrl, '--policy', inHome('policy.txt')];

    const busy = await signet(...audit);
    const asJson = await signet(...audit, '--json');
    const other = history.fork();
    other.addLink(alice, 'mine');
    shown = textReply(other.checkpoint());
    history.addLink(alice, 'theirs');
    const forked = await signet(...audit);
    await witness.close();

    expect(busy).toMatchObject({ code: 0, text: expect.stringMatching(/^note +the witness w: It cannot be asked: /m) });
    expect(asJson.text).toMatch(/^\{"type":"witness","witness":"w","message":"It cannot be asked: /m);
    expect(forked).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^ALARM +fork: .* to the witness w, of ano/m),
    });
    // Both notes are the evidence: they can be copied as they are.
    expect(forked.text).toMatch(/^Remembered:\n\S+\n\d+\n[^]*^Shown:\n\S+\n\d+\n[^]*^— /m);
  });

  it('say that a server keeps no log, and that a web page is not the answer of one', async () => {
    server.intercept(() => jsonReply({ message: 'Cannot GET /log/checkpoint', code: 'not_found' }, 404));
    const off = await Promise.all([
      signet('log', 'checkpoint'),
      signet('log', 'audit', server.baseUrl),
      signet('monitor', server.baseUrl, '--once'),
      signet('log', 'proof', history.links[0]!.uuid),
    ]);
    const page = await startStandIn(() => ({ text: '<h1>Log in</h1>', headers: { 'content-type': 'text/html' } }));
    const login = await signet('log', 'audit', page.baseUrl);
    await page.close();

    for (const { code, text } of off) {
      expect(code).toBe(4);
      expect(text).toContain('keeps no transparency log');
    }
    expect(login.code).toBe(3);
    expect(login.text).toContain('is not JSON: this is not the address of a Signet server');
  });

  it('call nothing complete where a server keeps no map', async () => {
    const { code, text } = await signet('exists', 'github', 'nobody', alice.key.compressed, '--complete', '--json');

    expect(code).toBe(4);
    expect(JSON.parse(text)).toMatchObject({ error: 'no_map' });
  });

  it('refuse an address of a webhook that cannot be one before they follow the log', async () => {
    const { code, text } = await signet('monitor', server.baseUrl, '--once', '--webhook', 'receiver.example');

    expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 });
    expect(text).toContain('"receiver.example" is not the URL of a server');
  });

  it('write a proof that verifies offline, with the key of the log and the link, and not with others', async () => {
    const [first, second] = history.links;
    writeFileSync(inHome('link.json'), JSON.stringify(first));
    writeFileSync(inHome('other.json'), JSON.stringify(second));
    const proof = await signet('log', 'proof', first!.uuid);
    writeFileSync(inHome('proof'), proof.text);
    const verify = (...words: string[]) => signet('log', 'verify', inHome('proof'), ...words);
    const key = ['--log-key', history.verifierKey];

    const good = await verify(...key, '--item', inHome('link.json'), '--json');

    expect(JSON.parse(good.text)).toMatchObject({ ok: true, entry: { uuid: first!.uuid } });
    expect((await verify(...key)).code).toBe(0);
    expect((await verify(...key, '--item', inHome('other.json'))).code).toBe(1);
    expect((await verify('--log-key', aHistory().fork().verifierKey.replace('+', '+0'))).code).toBe(2);
    expect((await verify()).code).toBe(2);
    expect((await signet('log', 'proof', '00000000-0000-4000-8000-000000000000')).code).toBe(1);
  });

  it('audit a whole log, and say what an operator has changed', async () => {
    expect(await signet('log', 'audit', server.baseUrl)).toMatchObject({
      code: 0,
      text: expect.stringContaining('12 entries'),
    });
    history.links[2]!.identity = 'mallory';

    const shown = await signet('log', 'audit');
    expect(shown.text).not.toMatch(/^ok /m);
    expect(shown.text).toMatch(/^WRONG +\S+: 12 entries, root [0-9a-f]{64}, 2 alarms since it was read first$/m);
    expect(shown.text).toContain('Something is wrong with the log: 2 alarms.');

    const { code, text } = await signet('log', 'audit', '--json');

    expect(code).toBe(1);
    expect(text).toMatch(/"type":"alarm"[^\n]*"code":"content_changed"/);
  });

  it('monitor: say of entries of a later kind that they are not checked, and end with 0', async () => {
    history.entries.push(canonicalJson({ avatar: alice.key.compressed, kind: 'seat' }));
    history.addMap();

    expect(await signet('monitor', '--once')).toMatchObject({
      code: 0,
      text: expect.stringContaining('note   Entry 12 is of the kind seat, which this version does not know'),
    });
  });

  it('monitor what is watched, tell a webhook, keep the place in a file, and go on there', async () => {
    const hook = await startStandIn(() => ({ status: 204 }));
    const words = ['monitor', '--once', '--json', '--state', inHome('state.json'), '--webhook', hook.baseUrl];
    const watching = [...words, '--identity', 'github:new-account', '--avatar', alice.key.uncompressed];
    try {
      await signet(...words);
      expect(JSON.parse(readFileSync(inHome('state.json'), 'utf8'))).toMatchObject({ size: 12, alarms: 0 });
      history.addLink(alice, 'new-account');

      const { code, text } = await signet(...watching);

      const events = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; record?: object });
      expect(code).toBe(0);
      expect(events).toMatchObject([{ type: 'watched', record: { identity: 'new-account' } }, { type: 'checkpoint' }]);
      expect(hook.requests.map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ type: 'watched' }]);
    } finally {
      await hook.close();
    }
  });
});
