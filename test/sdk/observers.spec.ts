import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createClient,
  type ObserverOptions,
  type SeenByOthers,
  type UnreadStatements,
  VerificationError,
  WrongUsageError,
} from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { readObservers, verifyExportSeen } from '@signet/verify/seen';
import { runHere } from '../../packages/cli/test/terminal.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { startStandIn, type StandIn } from '../../packages/look/test/support/stand-in-server.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { errorOf } from '../support/sdk-answers.js';
import {
  type GistWorld,
  type ObserverInTest,
  startGistWorld,
  startThreeObservers,
  untilSays,
} from '../observer/observer-world.js';

const alice = anAvatar('alice');
const avatar = alice.key.compressed;
const GIST = '1'.repeat(32);

describe('a client that believes three observers', () => {
  let world: GistWorld;
  let observers: ObserverInTest[];
  /** A server that cuts every connection. */
  let down: StandIn;
  let lines: string[];

  beforeAll(async () => {
    world = await startGistWorld();
    expect((await linkWallet(world.app, alice, aWallet('alice'))).status).toBe(201);
    await world.bind(alice, GIST, 'alice');
    observers = await startThreeObservers(world, avatar);
    down = await startStandIn(() => 'cut');
    lines = await Promise.all(
      observers.map(async (one, n) => `observer eye${n} ${await one.verifierKey()} ${one.app.baseUrl}/`),
    );
  });
  afterAll(async () => {
    await Promise.all(observers.map((one) => one.close()));
    await down.close();
    await world.close();
  });

  /** The list, with the third observer down if it is said so. */
  const list = (isDown = false) =>
    isDown ? lines.map((line) => line.replace(observers[2]!.app.baseUrl, down.baseUrl)).join('\n') : lines.join('\n');
  const client = (options: Partial<ObserverOptions> = {}) =>
    createClient({ baseUrl: world.app.baseUrl, retries: 0, demand: { observers: { observers: list(), ...options } } });
  /** The list with a third observer that shows also what it kept of the others; they answer behind it. */
  const lyingThird = async (kept: string[]) => {
    const proxies = await Promise.all(observers.map((one) => startLyingProxy(one.app.baseUrl)));
    const [first, second, third] = proxies as [LyingProxy, LyingProxy, LyingProxy];
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => (answered = resolve));
    first.before = second.before = () => isAnswered;
    third.lie = (_path, answer) => {
      const [own] = answer.statements;
      const others = Array.from({ length: 197 }, (_, n) => own.note.replace(/account .*/, `account ${n}`));
      answer.statements = [own.note, ...kept, ...others].map((note) => ({ ...own, note }));
      setImmediate(answered);
    };
    return {
      list: lines.map((line, n) => line.replace(/ http.*/, ` ${proxies[n]!.baseUrl}`)).join('\n'),
      close: () => Promise.all(proxies.map((one) => one.close())),
    };
  };
  it('returns what they saw beside each binding, and asks nobody about wallets', async () => {
    const group = (await client().proofs.of(avatar))!;

    const [post, wallet] = ['github', 'ethereum'].map((name) => group.proofs.find((one) => one.platform === name)!);
    expect(post!.resting.observers).toMatchObject({ result: 'seen', count: 3, of: 3, needed: 2, account: '7' });
    expect(post!.resting.observers!.lastAt).toBeGreaterThan(Date.now() / 1000 - 600);
    expect(post!.resting.observers!.notes).toHaveLength(3);
    expect(post!.resting.identity).toBe('seen by 3 of 3');
    expect(wallet!.resting).toMatchObject({ identity: 'wallet', observers: null });
    const single = createClient({ baseUrl: world.app.baseUrl });
    expect((await single.proofs.of(avatar))!.proofs.every((one) => one.resting.observers === null)).toBe(true);
  });

  it('is content with two of three, and names the one that could not be asked', async () => {
    const state = await client({ observers: list(true) }).proofs.exists({
      platform: 'github',
      identity: 'alice',
      avatar,
    });

    expect(state!.resting.observers).toMatchObject({ result: 'seen', count: 2, of: 3 });
    expect(state!.resting.observers!.observers.map(({ operator, state: said }) => [operator, said])).toEqual([
      ['eye0', 'seen'],
      ['eye1', 'seen'],
      ['eye2', 'could_not_ask'],
    ]);
  });

  it('refuses where the quorum is not reached, and names who is missing', async () => {
    const error = await errorOf<VerificationError>(client({ observers: list(true), quorum: 3 }).proofs.of(avatar));

    expect(error).toMatchObject({ code: 'no_quorum', steps: [{ name: 'seen', state: 'not_checkable' }] });
    expect(error.message).toBe(
      'github "alice" was seen by 2 of 3 observers, and 3 are needed: eye2 could not be asked.',
    );
    const alone = await errorOf<VerificationError>(client({ observers: lines[0]! }).proofs.of(avatar));
    expect(alone).toMatchObject({ code: 'no_quorum', message: expect.stringContaining('at least two observers') });
  });

  it('does not count the server that is asked as an observer of itself', async () => {
    const own = lines[0]!.replace(observers[0]!.app.baseUrl, world.app.baseUrl);
    const word = await client({ observers: [own, lines[1], lines[2]].join('\n') }).seenBy({
      platform: 'github',
      identity: 'alice',
      avatar,
    });

    expect(word).toMatchObject({ result: 'seen', count: 2, of: 2 });
    expect(word!.warning).toMatch(/^One of 2 is enough by this list/);
    expect(await client().seenBy({ platform: 'github', identity: 'alice', avatar })).toMatchObject({ warning: null });
  });

  it('takes observers one by one, and refuses a list without an address', async () => {
    const sources = lines
      .map((line) => line.split(' '))
      .map(([, operator, key, url]) => ({ operator, key: key!, url: url! }));
    const name = { platform: 'github', identity: 'alice', avatar };

    expect(await client({ observers: sources }).seenBy(name)).toMatchObject({ result: 'seen', count: 3 });
    await expect(client({ observers: lines[0]!.replace(/ http.*/, '') }).seenBy(name)).rejects.toThrow('has no URL');
    await expect(client({ observers: 'observer x' }).seenBy(name)).rejects.toThrow('line 1');
    await expect(createClient({ baseUrl: world.app.baseUrl }).seenBy(name)).rejects.toThrow(WrongUsageError);
    expect(await client().seenBy({ ...name, platform: 'ethereum', identity: aWallet('alice').address })).toBeNull();
  });

  it('says where an observer shows more than is read, and what an export may lack', async () => {
    const proxy = await startLyingProxy(observers[2]!.app.baseUrl);
    const strange = 'f'.repeat(64);
    const asked: string[] = [];
    proxy.lie = (path, answer) => {
      if (!path.startsWith('/v1/proofs/seen?')) return;
      const page = Number(new URL(path, proxy.baseUrl).searchParams.get('page'));
      asked.push(path);
      answer.statements = answer.statements.map((one: object) => ({ ...one, link: strange }));
      answer.pagination.next = page + 1;
    };
    try {
      const crowded = list().replace(`${observers[2]!.app.baseUrl}/`, proxy.baseUrl);
      const word = await client({ observers: crowded }).seenBy({ platform: 'github', identity: 'alice', avatar });
      const demanding = client({ observers: crowded, quorum: 3 });
      const error = await errorOf<VerificationError>(demanding.proofs.of(avatar));
      const unread: UnreadStatements[] = [];
      const file = await createClient({ baseUrl: world.app.baseUrl }).export(avatar, {
        observers: { observers: crowded },
        onUnread: (servers) => unread.push(...servers),
      });

      expect(word!.observers.map(({ state }) => state)).toEqual(['seen', 'seen', 'too_many']);
      expect(asked).toHaveLength(30);
      expect(error.message).toBe(
        'github "alice" was seen by 2 of 3 observers, and 3 are needed: eye2 shows more statements than are read.',
      );
      expect(file.seen).toHaveLength(2);
      expect(unread).toEqual([{ operator: 'eye2', reason: 'too_many' }]);
    } finally {
      await proxy.close();
    }
  });

  it('says in an export which observers could not be asked, and nothing where all were', async () => {
    const read = async (observersOf: string, options: { fetch?: typeof fetch } = {}) => {
      const unread: UnreadStatements[] = [];
      await createClient({ baseUrl: world.app.baseUrl, retries: 0, ...options }).export(avatar, {
        observers: { observers: observersOf },
        onUnread: (servers) => unread.push(...servers),
      });
      return unread;
    };
    const broken: typeof fetch = (url, init) =>
      String(url).includes('/v1/proofs/seen/keys')
        ? Promise.resolve(new Response('', { status: 500 }))
        : fetch(url, init);

    expect(await read(list())).toEqual([]);
    expect(await read(list(true))).toEqual([{ operator: 'eye2', reason: 'could_not_ask' }]);
    expect(await read(list(), { fetch: broken })).toEqual([{ operator: null, reason: 'could_not_ask' }]);
  });

  it('says at the command line that there are more Avatars than the limit', async () => {
    expect((await linkWallet(world.app, anAvatar('bob'), aWallet('bob'))).status).toBe(201);
    const run = (...words: string[]) =>
      runHere(['proofs', '0x', '--similar', '-p', 'ethereum', ...words], { SIGNET_SERVER: world.app.baseUrl });

    expect((await run('--limit', '1')).text).toContain(
      'These are the first 1 Avatars, and there are more: see --limit.',
    );
    expect((await run('--limit', '2')).text).not.toContain('--limit');
  });

  it('exports their statements, which verify offline with the keys', async () => {
    const plain = await createClient({ baseUrl: world.app.baseUrl }).export(avatar);
    expect(plain.seen).toBeUndefined();
    const file = await createClient({ baseUrl: world.app.baseUrl }).export(avatar, {
      observers: { observers: list() },
    });

    expect(file.seen).toHaveLength(3);
    const text = JSON.stringify(file);
    expect(verifyExport(text)).toMatchObject({ ok: true });
    const believed = readObservers(list());
    const seen = verifyExportSeen(text, { observers: believed });
    expect(seen).toMatchObject({ ok: true, complete: true, steps: [{ name: 'seen', state: 'ok' }] });
    expect(seen.bindings.map(({ verdict }) => verdict.count)).toEqual([3]);
    const forged = { ...file, seen: file.seen!.map((note) => note.replace('seen yes', 'seen no')) };
    expect(verifyExportSeen(forged, { observers: believed })).toMatchObject({ ok: true, complete: false });
  });

  it('are written and checked by the command line', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'signet-seen-'));
    const [names, file] = ['observers.txt', 'me.json'].map((name) => path.join(home, name)) as [string, string];
    const run = (...words: string[]) => runHere(words, { HOME: home, SIGNET_SERVER: world.app.baseUrl });
    try {
      writeFileSync(names, list(true));
      expect((await run('export', avatar, '--observers', names)).text).toContain(
        'The observer eye2 could not be asked what it saw of posts: the file may lack statements of it.',
      );
      writeFileSync(names, list());
      const written = await run('export', avatar, '--observers', names);
      expect(written.text).not.toContain('may lack statements');
      writeFileSync(file, written.text.slice(written.text.indexOf('{'), written.text.lastIndexOf('}') + 1));
      if (process.env.KEEP_EXPORT) cpSync(home, process.env.KEEP_EXPORT, { recursive: true });

      const good = await run('verify', file, '--observers', names, '--json');
      expect(good.code).toBe(0);
      const { steps, bindings } = JSON.parse(good.text.slice(0, good.text.lastIndexOf('}') + 1));
      expect(steps).toContainEqual(expect.objectContaining({ name: 'seen', state: 'ok' }));
      expect(bindings.find((one: { platform: string }) => one.platform === 'github').seen).toMatchObject({ count: 3 });
      expect((await run('verify', file)).text).toContain('a claim needs two observers');
      const warning = 'Careful: one observer is enough by this list';
      expect(good.text).not.toContain(warning);
      writeFileSync(names, `${list()}\nquorum 1`);
      expect((await run('verify', file, '--observers', names)).text).toContain(warning);
      writeFileSync(names, `${list()}\nquorum 4`);
      expect(await run('verify', file, '--observers', names)).toMatchObject({ code: 2 });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('refuses a binding that the server calls valid and that a quorum saw is gone', async () => {
    const name = { platform: 'github', identity: 'alice', avatar };
    const old = (await client().seenBy(name))!.notes;
    for (const one of observers.slice(0, 2)) one.gists.delete(GIST);
    await Promise.all(observers.slice(0, 2).map((one) => untilSays(one, false)));

    const error = await errorOf<VerificationError>(client().proofs.of(avatar));
    expect(error).toMatchObject({ code: 'not_seen', steps: [{ name: 'seen', state: 'failed' }] });
    expect(error.message).toBe('github "alice" was not there for 2 of 3 observers: eye2 saw it.');
    const word = (await client().seenBy({ platform: 'github', identity: 'alice', avatar })) as SeenByOthers;
    expect(word).toMatchObject({ result: 'not_seen', count: 2, of: 3 });
    const liar = await lyingThird(old);
    try {
      // The liar answers first, with many other texts, and with what the others said before.
      const lied = await client({ observers: liar.list }).seenBy({ platform: 'github', identity: 'alice', avatar });
      expect(lied).toMatchObject({ result: 'not_seen', count: 2, of: 3 });
      const away = liar.list
        .split('\n')
        .map((line, n) => (n === 0 ? line.replace(/ http.*/, ` ${down.baseUrl}`) : line));
      const alone = await client({ observers: away.join('\n') }).seenBy({
        platform: 'github',
        identity: 'alice',
        avatar,
      });
      expect(alone!.observers.map(({ state }) => state)).toEqual(['could_not_ask', 'not_seen', 'seen']);
    } finally {
      await liar.close();
    }
    const quorum = await errorOf<VerificationError>(
      client({
        observers: lines.map((line, n) => (n === 0 ? line.replace(/ http.*/, ` ${down.baseUrl}`) : line)).join('\n'),
      }).proofs.of(avatar),
    );
    expect(quorum.message).toBe(
      'github "alice" was seen by 1 of 3 observers, and 2 are needed: eye0 could not be asked, eye1 saw that it was not there.',
    );
  });
});
