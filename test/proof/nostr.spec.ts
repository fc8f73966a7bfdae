import { createClient, fromPrivateKey, nostrWallet } from '@signet/sdk';
import { encodeHex, verifyChain } from '@signet/verify';
import { bech32 } from '@scure/base';
import { atTerminal, runHere } from '../../packages/cli/test/terminal.js';
import { connectTo, jsonReply, type StandIn, startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { RecheckService } from '../../src/rechecks/recheck.service.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aNostrKey, anAvatar } from '../support/avatar.js';
import { readChain } from '../support/chain-checks.js';
import { countRows } from '../support/refusals.js';
import { linkNostr } from '../support/scenario.js';

const key = aNostrKey('alice');
let app: RunningApp;
let domain: StandIn;

beforeAll(async () => {
  domain = await startStandIn(() => jsonReply({ names: { alice: key.hex } }), { tls: true });
  app = await startApp({ transport: await connectTo(domain, ['example.org']) });
});
afterAll(async () => {
  await app.close();
  await domain.close();
});

const stateOf = async (avatar: string) => {
  const query = new URLSearchParams({ platform: 'nostr', identity: key.npub, public_key: avatar });
  return app.get(`/v1/proof/exists?${query.toString()}`);
};

describe('a key of Nostr', () => {
  it('is bound by the signature of its event alone, kept as Base64, and everybody can check it', async () => {
    const avatar = anAvatar('on nostr');
    let sig = '';
    const sign = (text: string) => ({ wallet_signature: (sig = key.sign(text)) });

    expect(await linkNostr(app, avatar, key, { sign })).toMatchObject({ status: 201 });

    const links = await readChain(app, avatar.key.compressed);
    expect(links[0]).toMatchObject({ platform: 'nostr', identity: key.npub, proof_location: '' });
    expect(links[0]!.extra).toEqual({ wallet_signature: Buffer.from(sig, 'hex').toString('base64') });
    expect(verifyChain(links as never, { avatar: avatar.key.compressed })).toMatchObject({ ok: true, complete: true });
    expect((await stateOf(avatar.key.compressed)).body).toMatchObject({ is_valid: true });
  });

  it('is bound by an npub in capitals, in hex, and behind nostr:', async () => {
    for (const [index, npub] of [key.npub.toUpperCase(), key.hex, `nostr:${key.npub}`].entries()) {
      const avatar = anAvatar(`on nostr, written otherwise ${index}`);

      expect(await linkNostr(app, avatar, { ...key, npub })).toMatchObject({ status: 201 });
      expect((await stateOf(avatar.key.compressed)).status).toBe(200);
    }
  });

  it('is never asked about again, and its binding ends by a revocation', async () => {
    const avatar = anAvatar('leaves nostr');
    await linkNostr(app, avatar, key);

    await app.app.get(RecheckService).checkDue(new Date(Date.now() + 400 * 24 * 3600 * 1000));
    expect((await stateOf(avatar.key.compressed)).body).toMatchObject({ is_valid: true });

    expect(await linkNostr(app, avatar, key, { action: 'delete' })).toMatchObject({ status: 201 });
    expect((await stateOf(avatar.key.compressed)).status).toBe(404);
  });

  const mallory = aNostrKey('mallory');
  it.each([
    ['another key', (text: string) => mallory.sign(text)],
    ['an event of another kind', (text: string) => key.event(text, { kind: 1 }).sig],
    ['an event with a tag', (text: string) => key.event(text, { tags: [['t', 'x']] }).sig],
    ['an event of another time', (text: string) => key.event(text, { created_at: 1 }).sig],
    ['an event with another content', (text: string) => key.sign(text.replace('create', 'delete'))],
    ['a signature of 63 bytes', (text: string) => key.sign(text).slice(2)],
    ['no signature', () => undefined],
    ['an event in place of its sig', (text: string) => JSON.stringify(key.event(text))],
  ])('is refused with %s', async (what, sign) => {
    const before = await countRows(app);
    const answer = await linkNostr(app, anAvatar(what), key, { sign: (text) => ({ wallet_signature: sign(text) }) });

    expect(answer.status).toBe(400);
    expect(answer.body.code).toMatch(/^invalid_(?:signature|request)$/);
    expect(await countRows(app)).toEqual(before);
  });

  it.each([
    ['a private key', 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5', 'private key'],
    ['a name at a domain', 'alice@example.org', 'expected npub1'],
    ['an x that no point has', 'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34', 'no key has this x'],
  ])('is refused as an identity where it is %s', async (_what, npub, why) => {
    const { status, body } = await linkNostr(app, anAvatar('alice'), { ...key, npub });

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_identity' });
    expect(body.message).toContain(why);
    expect(body.message).not.toContain('vl029mgpspedva04g90v');
  });

  it('is refused as a private key in the place of a name on any platform, and in look-ups, and is not repeated', async () => {
    const nsec = bech32.encodeFromBytes('nsec', key.privateKey);
    const avatar = anAvatar('alice').key.compressed;
    const payload = { action: 'create', public_key: avatar, identity: nsec };
    const patch = { avatar, identity: `nostr:${nsec}`, patch: {} };
    const answers = [
      ...(await Promise.all(
        ['github', 'nostr', 'dns'].map((platform) => app.post('/v1/proof/payload', { ...payload, platform })),
      )),
      await app.post('/v1/kv/payload', { ...patch, platform: 'github' }),
      await app.get(`/v1/proof?identity=${nsec}`),
      await app.get(`/v1/proof?identity=${'abandon%20'.repeat(11)}about`),
      await app.get(`/v1/proof?platform=nostr&exact=true&identity=${nsec.toUpperCase()}`),
      await app.get(`/v1/platforms/nostr/account?name=${nsec}`),
    ];

    for (const { status, body } of answers) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_identity' });
      expect(body.message).toContain('private key');
      expect(JSON.stringify(body)).not.toContain(nsec.slice(5, 30));
      expect(JSON.stringify(body)).not.toContain('abandon');
    }
  });

  it.each([',', ',%20'])(
    'takes no list of twelve names for the words of a key, with %s between them',
    async (comma) => {
      const names = Array.from({ length: 12 }, (_, place) => `alice${'abcdefghijkl'[place]}`);
      const { status, body } = await app.get(`/v1/proof?platform=github&exact=true&identity=${names.join(comma)}`);

      expect({ status, ids: body.ids }).toEqual({ status: 200, ids: [] });
    },
  );

  it('is found by its name at a domain, and listed with the platforms', async () => {
    const { body } = await app.get('/v1/platforms/nostr/account?name=alice%40example.org');
    const { body: list } = await app.get('/v1/platforms');
    const { body: health } = await app.get('/healthz');

    expect(body).toMatchObject({ platform: 'nostr', identity: key.npub, name: 'alice@example.org' });
    expect(list.platforms.find(({ platform }: { platform: string }) => platform === 'nostr')).toMatchObject({
      needs_proof_location: false,
      has_account_names: true,
      is_available: true,
    });
    expect(health.platforms).toContain('nostr');
  });
});

describe('a key of Nostr by SDK and command line', () => {
  const nsec = bech32.encodeFromBytes('nsec', key.privateKey);
  const settings = (avatar: string) => ({
    SIGNET_SERVER: app.baseUrl,
    SIGNET_PRIVATE_KEY: encodeHex(anAvatar(avatar).privateKey),
  });

  it('is bound by an extension, under its name at a domain', async () => {
    const signer = fromPrivateKey(anAvatar('in a page').privateKey);
    const client = createClient({ baseUrl: app.baseUrl });
    const signEvent = ({ content }: { content: string }) => Promise.resolve(key.event(content));
    const wallet = nostrWallet({ getPublicKey: () => Promise.resolve(key.hex), signEvent });

    const link = await client.bind({ platform: 'nostr', identity: 'alice@example.org', signer, wallet });
    const person = await client.resolve({ platform: 'nostr', identity: key.hex });

    expect(link.identity).toBe(key.npub);
    expect([person?.avatar, ...(person?.alsoHeldBy ?? [])]).toContain(signer.avatar);
  });

  it('is bound by the command with its private key', async () => {
    const { code, text } = await runHere(['bind', 'nostr', 'alice@example.org'], {
      ...settings('at a command line'),
      SIGNET_WALLET_KEY: nsec,
    });

    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(key.npub) });
    expect(text).not.toContain(nsec);
  });

  it('is not bound by the command with the private key of another key, or with what is none', async () => {
    for (const SIGNET_WALLET_KEY of [encodeHex(aNostrKey('mallory').privateKey), `nsec1${'q'.repeat(50)}`]) {
      const { code, text } = await runHere(['bind', 'nostr', key.npub], { ...settings('alice'), SIGNET_WALLET_KEY });

      expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining('SIGNET_WALLET_KEY') });
      expect(text).not.toContain(SIGNET_WALLET_KEY.slice(0, 40));
    }
  });

  it('is bound by hand: the command shows the event, and takes it signed, or its sig', async () => {
    for (const [avatar, answerOf] of [
      ['by hand', (event: ReturnType<typeof key.event>) => JSON.stringify(event)],
      ['by hand with the sig', ({ sig }: ReturnType<typeof key.event>) => sig],
    ] as const) {
      const terminal = atTerminal(['bind', 'nostr', key.npub], { env: settings(avatar) });
      const question = 'The signed event, or its sig:';
      await terminal.answer(question, 'a slip');
      const { content } = JSON.parse(/^\{"kind":26743,.*$/m.exec(terminal.screen())![0]) as { content: string };
      await terminal.sees('The event cannot be used.');
      await terminal.answer(question, answerOf(key.event(content)));

      expect(await terminal.code).toBe(0);
      expect(terminal.screen()).toContain('Bound.');
    }
  });
});

describe('a key of Nostr under the dialect of NextID', () => {
  it('is not known unless the operator names it', async () => {
    const [plain, named] = await Promise.all([
      startApp({ env: { DIALECT: 'nextid' } }),
      startApp({ env: { DIALECT: 'nextid', PLATFORMS: 'ethereum,nostr', LOG: 'off' } }),
    ]);
    try {
      expect((await plain.get('/healthz')).body.platforms).not.toContain('nostr');
      expect((await named.get('/healthz')).body.platforms).toEqual(['ethereum', 'nostr']);
    } finally {
      await Promise.all([plain.close(), named.close()]);
    }
  });
});
