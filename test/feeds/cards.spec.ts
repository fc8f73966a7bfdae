import { DataSource } from 'typeorm';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { say, succeed } from '../keys/key-scenario.js';
import { writeKv } from '../kv/kv-scenario.js';
import { cardJson, type KeyCard, vcardText } from '../../src/feeds/cards.js';

const CARD: KeyCard = {
  avatar: `0x02${'ab'.repeat(32)}`,
  name: 'Alice; "the one", 愛'.padEnd(80, '愛'),
  isFrozen: false,
  successor: null,
  page: 'https://id.example.org/a/0x02',
  feed: 'https://id.example.org/a/0x02.atom',
  seal: 'https://id.example.org/seal/0x02.png',
  accounts: [
    { platform: 'github', label: 'GitHub', identity: 'alice', profile: 'https://github.com/alice' },
    { platform: 'discord', label: 'Dis"cord', identity: 'alice,b', profile: null },
  ],
};

/** A succession that was said is final, as if its time had passed. */
const OVER = `update avatar_hold set succeeded_from = clock_timestamp() - interval '1 second' where avatar = $1`;

/** RFC 6350, 3.2: lines are joined where the next one begins with a space. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

describe('a card to take along', () => {
  it('is a vCard 4.0 whose lines have at most 75 bytes', () => {
    const text = vcardText(CARD);

    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(text).not.toContain('\ufffd');
    expect(unfolded(text)).toEqual([
      'BEGIN:VCARD',
      'VERSION:4.0',
      'KIND:individual',
      `FN:${CARD.name!.replace(/[,;]/g, '\\$&')}`,
      `UID:${CARD.page}`,
      `URL:${CARD.page}`,
      `PHOTO;MEDIATYPE=image/png:${CARD.seal}`,
      'SOCIALPROFILE;SERVICE-TYPE="GitHub":https://github.com/alice',
      'SOCIALPROFILE;VALUE=text;SERVICE-TYPE="Discord":alice\\,b',
      expect.stringMatching(/^NOTE:Key 0x02/),
      'END:VCARD',
      '',
    ]);
  });

  it('lets no name begin a line of its own', () => {
    const text = vcardText({ ...CARD, name: 'Alice\nURL:https://evil.example' });

    expect(unfolded(text).filter((line) => line.startsWith('URL:'))).toEqual([`URL:${CARD.page}`]);
  });

  it.each([
    [{ isFrozen: true, successor: null }, 'This key is frozen: it can write nothing for a while. Key 0x02'],
    [
      { isFrozen: false, successor: `0x03${'cd'.repeat(32)}` },
      `This key is no longer in use: the key 0x03${'cd'.repeat(32)} has taken over from it. Key 0x02`,
    ],
  ])('says what stops the key: %j', (stopped, words) => {
    expect(unfolded(vcardText({ ...CARD, ...stopped }))).toContainEqual(expect.stringContaining(`NOTE:${words}`));
  });

  it('is JSON with the same facts', () => {
    expect(cardJson(CARD)).toMatchObject({ name: CARD.name, accounts: [{ platform: 'github' }, { profile: null }] });
  });
});

describe('short addresses and cards of the service', () => {
  let running: RunningApp;
  const alice = anAvatar('alice');
  beforeAll(async () => {
    running = await startApp();
    await linkWallet(running, alice, aWallet('alice'));
    await writeKv(running, alice, { profile: { name: 'Alice' } });
  });
  afterAll(() => running.close());
  const cardOf = async ({ key }: TestAvatar) =>
    (await (await ask(`/a/${key.compressed}.json`)).json()) as Record<string, unknown>;
  const ask = (path: string) => fetch(`${running.baseUrl}${path}`, { redirect: 'manual' });

  it.each([
    ['/@alice.example.org', '/p/dns/alice.example.org'],
    ['/@Alice.Example.ORG/', '/p/dns/alice.example.org'],
    ['/@user@social.example.org', '/p/activitypub/user%40social.example.org'],
    ['/@alice.example.org.atom', '/p/dns/alice.example.org.atom'],
  ])('lead from %s to the name and all its keys', async (path, place) => {
    const answer = await ask(path);

    expect([answer.status, answer.headers.get('location')]).toEqual([302, place]);
  });

  it.each(['/@alice', '/@', '/@alice@', '/@//evil.example', '/@a@b@c', '/@alice.example.org/more'])(
    'lead nowhere from %s, which no proof can name',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it('have a card of a key, as vCard and as JSON', async () => {
    const key = alice.key.compressed;
    const [vcard, json] = await Promise.all([ask(`/a/${key}.vcf`), ask(`/a/${alice.key.uncompressed}.json`)]);

    expect(vcard.headers.get('content-type')).toBe('text/vcard; charset=utf-8');
    expect(unfolded(await vcard.text())).toContain('FN:Alice');
    expect(await json.json()).toEqual({
      avatar: key,
      name: 'Alice',
      page: `${running.baseUrl}/a/${key}`,
      feed: `${running.baseUrl}/a/${key}.atom`,
      seal: `${running.baseUrl}/seal/${key}.png`,
      accounts: [{ platform: 'ethereum', identity: aWallet('alice').address, profile: null }],
    });
    expect((await ask('/a/0x02.vcf')).status).toBe(404);
  });

  it('have what stops a key, with or without a binding, in its cards and in previews of its links', async () => {
    const [bound, bare, next] = [anAvatar('bound'), anAvatar('bare'), anAvatar('next')];
    await linkWallet(running, bound, aWallet('bound'));
    await say(running, bound, { action: 'key.freeze' });
    await succeed(running, bare, next);
    await running.app.get(DataSource).query(OVER, [bare.key.compressed]);
    const words = async (path: string) =>
      /<meta name="description" content="([^"]*)"/.exec(await (await ask(path)).text())?.[1];

    expect(await cardOf(bound)).toMatchObject({ frozen: true, accounts: [{ platform: 'ethereum' }] });
    expect(await cardOf(bare)).toMatchObject({ successor: next.key.compressed, accounts: [] });
    expect(await words(`/a/${bound.key.compressed}`)).toMatch(/\(ethereum\)\. The key is frozen: it can/);
    expect(await words(`/p/ethereum/${aWallet('bound').address}`)).toMatch(/The key is frozen: it can/);
    expect(await words(`/a/${bare.key.compressed}`)).toMatch(/nothing here\. The key is no longer in use/);
  });
});
