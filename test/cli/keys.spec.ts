import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeHex } from '@signet/verify';
import { runHere } from '../../packages/cli/test/terminal.js';
import { keyName, stateOf } from '../keys/key-scenario.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { type RunningApp, startApp } from '../support/app.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from '../transparency-log/log-client.js';

/** `signet keys …` and `signet watch`, against the real service: docs/keys.md, "With the command". */
describe('signet keys', () => {
  const [alice, paper, next, mallory] = [anAvatar('alice'), anAvatar('paper'), anAvatar('next'), anAvatar('mallory')];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signet-keys-'));
  const AVATAR = alice.key.compressed;
  let running: RunningApp;
  let proxy: LyingProxy;
  let records = 0;
  beforeAll(async () => {
    running = await startApp();
    proxy = await startLyingProxy(running.baseUrl);
  });
  afterEach(() => {
    proxy.lie = null;
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
    rmSync(folder, { recursive: true });
  });

  const hexOf = ({ privateKey }: TestAvatar) => encodeHex(privateKey);
  const signet = (words: string, by: TestAvatar, secret?: TestAvatar | string) =>
    runHere(words.split(' '), {
      ...{ SIGNET_SERVER: proxy.baseUrl, SIGNET_PRIVATE_KEY: hexOf(by), XDG_CONFIG_HOME: folder },
      ...(secret && { SIGNET_RECOVERY_KEY: typeof secret === 'string' ? secret : hexOf(secret) }),
    });
  const watched = async () => {
    await headOfRecords(running, records);
    return signet(`watch ${AVATAR} --json`, alice);
  };

  it('commit shows 12 words once, with what belongs on the paper, and rehearse knows them', async () => {
    const made = await signet('keys commit', alice);
    const words = /^words +(.+)$/m.exec(made.text)![1]!;
    records++;

    expect(made).toMatchObject({ code: 0, text: expect.stringContaining('They are in force.') });
    expect(words.split(' ')).toHaveLength(12);
    for (const part of [AVATAR, proxy.baseUrl, 'key:', '0x', `signet keys succeed ${AVATAR}`]) {
      expect(made.text).toContain(part);
    }
    expect(await signet('keys rehearse', alice, words)).toMatchObject({
      ...{ code: 0, text: expect.stringContaining(`Right: it is the highest recovery key of ${AVATAR}.`) },
    });
    const wrong = await signet('keys rehearse', alice, mallory);
    expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('is no recovery key of') });
    expect(wrong.text).not.toContain(hexOf(mallory));

    const replaced = await signet(`keys commit ${keyName(paper)} --both`, alice, words);
    records++;
    expect(replaced).toMatchObject({ code: 0, text: expect.stringContaining('They are in force.') });
    expect(await stateOf(running, alice)).toMatchObject({ committed: { recovery: [keyName(paper)] } });
  });

  it('watch is quiet while nothing happens, and ends with 1 where something was signed or is pending', async () => {
    const first = await watched();
    const second = await watched();
    await linkWallet(running, alice, aWallet('one'));
    records++;
    const third = await watched();
    await signet(`keys freeze ${AVATAR} --leaked`, mallory, paper);
    records++;
    const fourth = await watched();
    const seen = path.join(folder, 'signet', 'watched.json');
    writeFileSync(seen, readFileSync(seen, 'utf8').replace('"links":1', '"links":3'));
    const fifth = await watched();

    expect(fifth).toMatchObject({ code: 1, text: expect.stringContaining('2 links fewer than at the last look') });
    expect([first.code, second.code, third.code, fourth.code]).toEqual([0, 0, 1, 1]);
    expect(JSON.parse(second.text)).toMatchObject({ links: 0, keys: 2, is_first: false, news: [], alarms: [] });
    expect(third.text).toContain('1 new link: if it was not you, somebody else has your key.');
    expect(fourth.text).toContain('NEW: key.freeze by the highest recovery key');
    expect(fourth.text).toContain('FROZEN by the highest recovery key');
  });

  it('watch ends with 4 where the newest event is hidden, and with 3 where the server is not reached', async () => {
    proxy.lie = (path, body) => {
      if (path.startsWith('/v1/keys/chain')) body.keys.pop();
    };
    const hidden = await watched();
    const away = await runHere(['--server', 'http://127.0.0.1:1', '--timeout', '1', 'watch', AVATAR], {
      XDG_CONFIG_HOME: folder,
    });

    expect(hidden).toMatchObject({ code: 4, text: expect.stringContaining('incomplete') });
    expect(away.code).toBe(3);
  });

  it('thaw, veto and succeed follow the rules, and say what they did', async () => {
    const low = await signet('keys thaw', mallory, paper);
    const thawed = await signet(`keys thaw ${AVATAR} --recovery`, mallory, paper);
    writeFileSync(path.join(folder, 'old'), hexOf(alice));
    const old = path.join(folder, 'old');
    const stolen = await signet(`keys succeed ${AVATAR} --old ${old}`, mallory);
    const shown = await signet(`keys show ${AVATAR}`, mallory);
    const vetoed = await signet(`keys veto --avatar ${AVATAR} --recovery`, mallory, paper);
    const none = await signet(`keys veto --avatar ${AVATAR} --recovery`, mallory, paper);
    const own = await signet(`keys succeed ${AVATAR}`, alice, paper);
    const both = await signet(`keys succeed ${AVATAR} --old ${old} --recovery`, next, paper);
    records += 4;

    expect(low).toMatchObject({ code: 1, text: expect.stringContaining('No freeze is in force.') });
    expect(thawed).toMatchObject({ code: 0, text: expect.stringContaining('The freeze is over.') });
    expect(stolen).toMatchObject({ code: 0, text: expect.stringContaining(`All writes of ${AVATAR} are stopped.`) });
    expect(shown.text).toContain(`PENDING: ${mallory.key.compressed} is to come after this Avatar, says the main key.`);
    expect(vetoed).toMatchObject({ code: 0, text: expect.stringContaining('is void.') });
    expect(none).toMatchObject({ code: 1, text: expect.stringContaining('Nothing is pending.') });
    expect(own).toMatchObject({ code: 2, text: expect.stringContaining('That is your own key') });
    expect(both).toMatchObject({
      ...{ code: 0, text: expect.stringContaining(`${next.key.compressed} has come after ${AVATAR}.`) },
    });
    await headOfRecords(running, records);
    const told = await signet(`watch ${AVATAR}`, mallory);
    const toldAlready = await signet(`watch ${AVATAR}`, mallory);
    expect(told).toMatchObject({ code: 1, text: expect.stringContaining(`SUCCEEDED: ${next.key.compressed}`) });
    expect(told.text).toContain('NEW: key.succeed by the main key.');
    expect(toldAlready).toMatchObject({ code: 0, text: '' });
    const last = await signet(`keys show ${AVATAR} --complete --json`, mallory);
    expect(JSON.parse(last.text.split('\n')[0]!)).toMatchObject({
      succession: { successor: next.key.compressed },
      resting: { whole: 'map' },
    });
  });
});
