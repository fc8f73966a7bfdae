import { fileURLToPath } from 'node:url';
import { type Bound, createLooker as createNodeLooker, type Look } from '@signet/look/node';
import { type Browser, chromium } from 'playwright-core';
import { scriptOf } from '../../../verify/test/support/bundle.js';
import { anyChromium } from '../../../verify/test/support/chromium.js';
import { describeUnless } from '../../../verify/test/support/unless.js';
import type * as lookModule from '../../src/browser.js';
import { aNostrKey, anAvatar } from '../support/avatar.js';
import {
  connectTo,
  hugeBody,
  type StandIn,
  type StandInHandler,
  type StandInReply,
  startStandIn,
  textReply,
} from '../support/stand-in-server.js';
import type { VerifierUnderTest } from '../verifiers/describe-verifier.js';
import { bluesky } from '../verifiers/suites/bluesky.js';
import { PROFILE_SUITES } from '../verifiers/suites/profiles.js';
import { signedPost } from './signed-posts.js';

/** Where the platforms are asked that have a host of their own. */
const NAMES = [
  ...['hacker-news.firebaseio.com', 'lobste.rs', 'pub.orcid.org', 'steamcommunity.com'],
  ...['plc.directory', 'public.api.bsky.app'],
];
/** Those of which no page may read an answer. */
const UNREADABLE = ['lobsters', 'steam'];
const SUITES: VerifierUnderTest[] = [...PROFILE_SUITES, bluesky];
const alice = anAvatar('alice');
/** On a busy machine an answer takes longer than people are asked to wait. */
const PATIENCE_MS = 60_000;

/** What looks, at the stand-in. */
interface Eye {
  look(bound: Bound): Promise<Look>;
  close(): Promise<void>;
}

const post = (suite: VerifierUnderTest, signer = alice) =>
  signedPost({ ...suite, location: suite.proofLocation }, alice, signer);
const showing = (suite: VerifierUnderTest, text: string, author = suite.identity): StandInHandler =>
  suite.published({ author, text, avatar: alice.key });

/** Lets every origin read what `handler` answers, as platforms do that let pages read. */
const allowing =
  (handler: StandInHandler): StandInHandler =>
  async (request) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
    if (request.method === 'OPTIONS') return { status: 204, headers };
    const reply = await handler(request);
    return typeof reply === 'object' ? { ...reply, headers: { ...reply.headers, ...headers } } : reply;
  };

/** The looks that every program has to make the same way. */
function describeLooks(open: (standIn: StandIn, names: string[]) => Promise<Eye>, suites: VerifierUnderTest[]): void {
  let standIn: StandIn;
  let eye: Eye;
  beforeAll(async () => {
    standIn = await startStandIn(() => 'cut', { tls: true });
    eye = await open(standIn, [...NAMES, ...suites.flatMap(({ hosts = [] }) => hosts)]);
  });
  afterAll(async () => {
    await eye?.close();
    await standIn?.close();
  });
  const lookAt = (handler: StandInHandler, { bound }: { bound: Bound }, isOpen = true): Promise<Look> => {
    standIn.handle(isOpen ? allowing(handler) : handler);
    return eye.look(bound);
  };

  it('see what a key of Nostr has signed, and nothing of another key, and ask nobody', async () => {
    const [key, other] = [aNostrKey('alice'), aNostrKey('mallory')];
    const { bound } = signedPost({ platform: 'nostr', identity: key.npub }, alice);
    const signedBy = ({ sign }: typeof key) => ({
      bound: { ...bound, link: { ...bound.link, extra: { wallet_signature: sign(bound.link.signature_payload) } } },
    });
    standIn.requests.length = 0;

    expect(await lookAt(() => 'cut', signedBy(key))).toMatchObject({ state: 'seen', reason: '' });
    expect(await lookAt(() => 'cut', signedBy(other))).toMatchObject({ state: 'not_seen' });
    expect(await lookAt(() => 'cut', { bound })).toMatchObject({ state: 'not_seen' });
    const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5';
    for (const platform of ['nostr', 'website']) {
      const named = await lookAt(() => 'cut', {
        bound: { ...bound, link: { ...bound.link, platform, identity: nsec } },
      });
      expect(named).toMatchObject({ state: 'could_not_look', reason: expect.not.stringContaining('vl029mgp') });
    }
    expect(standIn.requests).toEqual([]);
  });

  describe.each(suites)('at $platform', (suite) => {
    const mine = post(suite);

    it('see what is there, not what is gone, and see it again', async () => {
      const forms = [
        showing(suite, mine.text),
        ...Object.values(suite.otherForms ?? {}).map((form) =>
          form({
            ...{ author: suite.identity, text: mine.text, avatar: alice.key },
          }),
        ),
      ];
      for (const form of forms) {
        expect(await lookAt(form, mine)).toMatchObject({ state: 'seen', isSameSignature: true, reason: '' });
      }
      for (const gone of Object.values(suite.missing)) {
        expect(await lookAt(gone, mine)).toMatchObject({ state: 'not_seen', reason: expect.stringMatching(/\.$/) });
      }
      expect(await lookAt(showing(suite, mine.text), mine)).toMatchObject({
        ...{ state: 'seen', accountId: suite.accountId ?? '' },
      });
    });

    it('do not see what others signed, published or hold', async () => {
      const forged = post(suite, anAvatar('mallory'));
      expect(await lookAt(showing(suite, forged.text), forged)).toMatchObject({ state: 'not_seen' });
      expect(await lookAt(showing(suite, mine.text, suite.otherIdentity), mine)).toMatchObject({ state: 'not_seen' });
      for (const foreign of Object.values(suite.foreign ?? {})) {
        const text = { author: suite.identity, text: mine.text, avatar: alice.key };
        expect(await lookAt(foreign(text), mine)).toMatchObject({ state: 'not_seen' });
      }
      if (suite.accountId === undefined) return;
      // A name that was given up, and that somebody else has now.
      const others = { bound: { ...mine.bound, accountId: 'of-somebody-else' } };
      expect(await lookAt(showing(suite, mine.text), others)).toMatchObject({ state: 'not_seen' });
      const reused = suite.reused?.({ author: suite.identity, text: mine.text, avatar: alice.key });
      const known = { bound: { ...mine.bound, accountId: suite.accountId } };
      if (reused) expect(await lookAt(reused, known)).toMatchObject({ state: 'not_seen' });
    });

    it.each<[string, StandInReply]>([
      ['a redirect', { status: 302, headers: { location: 'https://evil.example.net/' } }],
      ['a bot wall', textReply('<html>Are you human?</html>', 403, 'text/html')],
      ['an error', textReply('oops', 500)],
      ['two megabytes', hugeBody(2 << 20)],
      ['a connection that breaks', 'cut'],
    ])('learn nothing from %s', async (_what, reply) => {
      expect(await lookAt(() => reply, mine)).toMatchObject({ state: 'could_not_look' });
    });
  });
}

describe('looks from a program in Node', () => {
  describeLooks(async (standIn, names) => {
    const looker = createNodeLooker({
      ...{ transport: await connectTo(standIn, names), dns: { mode: 'doh' } as const, timeoutMs: PATIENCE_MS },
    });
    // A looker leaves a platform alone that failed; each look here is one of its own.
    return { look: (bound) => looker.look(bound), close: () => looker.close() };
  }, SUITES);
});

describeUnless(anyChromium.lack, 'looks from a page in Chromium', () => {
  const open = async (platform: StandIn, names: string[]): Promise<Eye> => {
    const site = await startStandIn(() => ({ text: '<!doctype html>', headers: { 'content-type': 'text/html' } }));
    const rules = names.map((name) => `MAP ${name} 127.0.0.1:${platform.port}`).join(',');
    const args = ['--no-sandbox', `--host-resolver-rules=${rules}`];
    const browser: Browser = await chromium.launch({ executablePath: anyChromium.executablePath, args });
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await page.goto(site.baseUrl);
    const entry = fileURLToPath(new URL('look-entry.ts', import.meta.url));
    await page.addScriptTag({ content: scriptOf(entry) });
    return {
      look: (bound) =>
        page.evaluate(
          ({ asked, timeoutMs }) =>
            (globalThis as unknown as { look: typeof lookModule }).look.createLooker({ timeoutMs }).look(asked),
          { asked: bound, timeoutMs: PATIENCE_MS },
        ),
      close: async () => {
        await browser.close();
        await site.close();
      },
    };
  };
  const readable = SUITES.filter(({ platform }) => !UNREADABLE.includes(platform));
  describeLooks(open, readable);

  describe('where servers let no page of another site read', () => {
    let eye: Eye;
    let platform: StandIn;
    beforeAll(async () => {
      platform = await startStandIn(() => 'cut', { tls: true });
      eye = await open(platform, [...NAMES, ...SUITES.flatMap(({ hosts = [] }) => hosts)]);
    });
    afterAll(async () => {
      await eye?.close();
      await platform?.close();
    });

    it.each(readable)('say of $platform that nothing was learnt, and why, whatever is there', async (suite) => {
      const mine = post(suite);
      for (const handler of [showing(suite, mine.text), ...Object.values(suite.missing)]) {
        platform.handle(handler);
        expect(await eye.look(mine.bound)).toMatchObject({
          ...{ state: 'could_not_look', problem: 'network' },
          reason: expect.stringContaining('lets no page of another site read it'),
        });
      }
    });

    it.each(UNREADABLE)('ask nobody about %s, which never lets them', async (name) => {
      const suite = SUITES.find((one) => one.platform === name)!;
      platform.requests.length = 0;

      expect(await eye.look(post(suite).bound)).toMatchObject({ state: 'not_readable_here' });
      expect(platform.requests).toEqual([]);
    });
  });
});
