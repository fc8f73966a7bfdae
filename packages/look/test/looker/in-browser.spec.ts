import { fileURLToPath } from 'node:url';
import type { Look } from '@signet/look';
import { type DnssecProof, verifyDnssecProof } from '@signet/verify/dnssec';
import { type Browser, chromium, type Page } from 'playwright-core';
import { scriptOf } from '../../../verify/test/support/bundle.js';
import { anyChromium } from '../../../verify/test/support/chromium.js';
import { resolve, SignedZone, TYPE } from '../../../verify/test/support/signed-zones.js';
import { describeUnless } from '../../../verify/test/support/unless.js';
import type * as dnssecModule from '../../../verify/src/dnssec/dnssec.js';
import type * as lookModule from '../../src/browser.js';
import { asHtml, aStatus } from '../verifiers/activitypub-stand-ins.js';
import { anAvatar } from '../support/avatar.js';
import { dnsJsonReply, type DnsQuery, dnsReplyBytes, txt } from '../support/dns-stand-in.js';
import {
  endlessBody,
  jsonReply,
  type PlainReply,
  type StandIn,
  type StandInHandler,
  type StandInReply,
  startStandIn,
  textReply,
} from '../support/stand-in-server.js';
import { writeTxtQuery } from '../../src/verifiers/dns/dns-message.js';
import { gistOf, signedPost, type SignedPost } from './signed-posts.js';

/** The names that lead to the stand-in: those that are asked where nothing is set, and servers that people chose. */
const NAMES = [
  ...['api.github.com', 'cloudflare-dns.com', 'dns.google', 'indexer-v1.did.id', 'indexer-v1.d.id'],
  ...['register-api.did.id', 'social.example.com', 'split.example.com', 'evil.example.net'],
];
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const GIST = '0123456789abcdef0123456789abcdef';
/** What a page may send by itself, and what the browser adds. */
const SENT_HEADERS =
  /^(host|connection|accept|accept-encoding|accept-language|cache-control|content-length|content-type|origin|pragma|priority|sec-.*|user-agent)$/;

const gist = signedPost({ platform: 'github', identity: 'alice-demo', location: GIST });
const NAME = 'alice.example.org';
const domain = signedPost({ platform: 'dns', identity: NAME });
const bit = signedPost({ platform: 'dotbit', identity: 'alice.bit' });
const fediverse = (host: string) =>
  signedPost({ platform: 'activitypub', identity: `alice@${host}`, location: '110000000000000001' });

describeUnless(anyChromium.lack, 'looks from a page in Chromium', () => {
  let platform: StandIn;
  let site: StandIn;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    platform = await startStandIn(() => ({ status: 500 }), { tls: true });
    site = await startStandIn(() => ({ text: '<!doctype html>', headers: { 'content-type': 'text/html' } }));
    const rules = NAMES.map((name) => `MAP ${name} 127.0.0.1:${platform.port}`).join(',');
    browser = await chromium.launch({
      executablePath: anyChromium.executablePath,
      args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
    });
    page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await page.goto(`${site.baseUrl}/secret-place`);
    const entry = fileURLToPath(new URL('look-entry.ts', import.meta.url));
    await page.addScriptTag({ content: scriptOf(entry) });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([platform?.close(), site?.close()]);
  });
  beforeEach(() => {
    platform.requests.length = 0;
  });

  /** A look of the page, at a platform that answers with `handler`. */
  const look = (
    handler: StandInHandler,
    { bound }: SignedPost = gist,
    timeoutMs = 60_000,
    dns: { rootKeys?: string[] } = {},
  ): Promise<Look> => {
    platform.handle(handler);
    return page.evaluate(
      ({ asked, limit, options }) => {
        const { createLooker } = (globalThis as unknown as { look: typeof lookModule }).look;
        return createLooker({ timeoutMs: limit, dns: options }).look(asked);
      },
      { asked: bound, limit: timeoutMs, options: dns },
    );
  };
  const allowing = (reply: PlainReply): PlainReply => ({ ...reply, headers: { ...reply.headers, ...ANY_ORIGIN } });
  const good = jsonReply(gistOf(gist));

  it('sees a gist, with nothing on the wire but what every page may send', async () => {
    const seen = await look(() => allowing(good));

    expect(seen).toMatchObject({
      ...{ state: 'seen', by: 'you', accountId: '9000001', isSameSignature: true },
      evidence: { url: `https://gist.github.com/${GIST}` },
    });
    expect(platform.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /gists/${GIST}`]);
    const { headers } = platform.requests[0]!;
    expect(Object.keys(headers).filter((name) => !SENT_HEADERS.test(name))).toEqual([]);
    expect(headers['accept']).toBe('application/vnd.github+json');
  });

  it.each<[string, Record<string, string | string[]>, Look['state']]>([
    ['*', ANY_ORIGIN, 'seen'],
    ['the origin that asks', {}, 'seen'],
    ['no origin', { 'access-control-allow-origin': 'null' }, 'could_not_look'],
    ['another origin', { 'access-control-allow-origin': 'https://github.com' }, 'could_not_look'],
    ['an origin twice', { 'access-control-allow-origin': ['*', '*'] }, 'could_not_look'],
  ])('reads an answer that allows %s as far as a browser may', async (what, headers, state) => {
    const result = await look((request) => ({
      ...good,
      headers: what.startsWith('the') ? { 'access-control-allow-origin': request.headers['origin']! } : headers,
    }));

    expect(result).toMatchObject({ state, problem: state === 'seen' ? null : 'network' });
  });

  const away = jsonReply({ message: 'Not Found' }, 404);
  const tooMany = jsonReply({ message: 'slow down' }, 429, {
    'retry-after': '120',
    'access-control-expose-headers': 'retry-after',
  });
  it.each<[string, StandInReply, Partial<Look>]>([
    ['is not there', allowing(away), { state: 'not_seen', reason: 'There is no such gist.' }],
    ['is not there, and the answer may not be read', away, { state: 'could_not_look', problem: 'network' }],
    ['is limited', allowing(tooMany), { state: 'could_not_look', problem: 'limit', retryAfterSeconds: 120 }],
    ['is limited, and the answer may not be read', tooMany, { state: 'could_not_look', problem: 'network' }],
    ['cannot be reached', 'cut', { state: 'could_not_look', problem: 'network' }],
    ['is 10 MiB', allowing({ text: 'x'.repeat(10 << 20) }), { state: 'could_not_look', problem: 'unusable' }],
    [
      'redirects to another host',
      allowing({ status: 302, headers: { location: 'https://evil.example.net/' } }),
      { state: 'could_not_look' },
    ],
  ])('says what it learnt where a platform %s', async (_what, reply, expected) => {
    expect(await look(() => reply)).toMatchObject(expected);
    // A browser tries a connection that broke once more.
    expect(new Set(platform.requests.map(({ headers }) => headers['host']))).toEqual(new Set(['api.github.com']));
  });

  it.each<[string, StandInReply]>([
    ['never answers', 'hang'],
    [
      'never ends its answer',
      (response, request) => {
        for (const [name, value] of Object.entries(ANY_ORIGIN)) response.setHeader(name, value);
        endlessBody()(response, request);
      },
    ],
  ])('gives up where a platform %s', async (_what, reply) => {
    const result = await look(() => reply, gist, 400);

    expect(result.state).toBe('could_not_look');
  });

  it('does not see the gist of another account, nor one that another key has signed', async () => {
    const mallory = signedPost(
      { platform: 'github', identity: 'alice-demo', location: GIST },
      anAvatar('alice'),
      anAvatar('mallory'),
    );

    const ofAnother = await look(() => allowing(jsonReply(gistOf(gist, { owner: { login: 'mallory', id: 1 } }))));
    const byAnother = await look(() => allowing(jsonReply(gistOf(mallory))), mallory);

    expect(ofAnother).toMatchObject({ state: 'not_seen', reason: expect.stringContaining('belongs to "mallory"') });
    expect(byAnother).toMatchObject({ state: 'not_seen' });
  });

  it('sees a TXT record by two resolvers, without asking in advance', async () => {
    const records: StandInHandler = ({ query }) => {
      const name = query.get('name') ?? NAME;
      const answer = { answers: [txt(name, 'v=spf1 -all'), txt(name, domain.text)] };
      return allowing(dnsJsonReply(dnsReplyBytes(writeTxtQuery(name), 'https', () => answer)!));
    };

    expect(await look(records, domain)).toMatchObject({ state: 'seen', evidence: { matchedText: domain.text } });
    expect(platform.requests.map(({ method, headers }) => `${method} ${headers['host']}`).sort()).toEqual([
      // Once for the record, and once for the signatures of its zone, which has none.
      ...['GET cloudflare-dns.com', 'GET cloudflare-dns.com'],
      ...['GET dns.google', 'GET dns.google'],
    ]);
  });

  it('keeps the proof of a record in a signed zone, by simple requests', async () => {
    const now = Math.floor(Date.now() / 1000);
    const times = { from: now - 3600, until: now + 86_400 };
    const root = SignedZone.root(times);
    root.child('org', times).child('example', times).txt(NAME, domain.text);
    const types: Record<string, number> = TYPE;
    const answer = ({ name, type }: DnsQuery) => ({ zones: resolve(root, name === '.' ? '' : name, types[type]!) });
    const zones: StandInHandler = ({ query }) => {
      const message = query.get('dns');
      if (message === null) return allowing(dnsJsonReply(dnsReplyBytes(writeTxtQuery(NAME), 'https', answer)!));
      const bytes = dnsReplyBytes(Buffer.from(message, 'base64url'), 'https', answer)!;
      return allowing({ bytes, headers: { 'content-type': 'application/dns-message' } });
    };
    const { keyTag, algorithm, digest } = root.rootKey();

    const { evidence } = await look(zones, domain, 60_000, { rootKeys: [`${keyTag} ${algorithm} 2 ${digest}`] });
    expect(platform.requests.map(({ method }) => method)).toEqual(platform.requests.map(() => 'GET'));
    const options = { at: now, rootKeys: [root.rootKey()] };
    expect(verifyDnssecProof(evidence!.proof as DnssecProof, NAME, options)).toMatchObject({
      ...{ ok: true, texts: [domain.text], zone: 'example.org' },
    });
    const inPage = await page.evaluate(
      ({ proof, name, given }) =>
        (globalThis as unknown as { dnssec: typeof dnssecModule }).dnssec.verifyDnssecProof(proof, name, given),
      { proof: evidence!.proof as DnssecProof, name: NAME, given: options },
    );
    expect(inPage).toMatchObject({ ok: true, zone: 'example.org' });
  });

  it('sees a record of .bit where the indexer answers who asks in advance, and could not look otherwise', async () => {
    const records: StandInHandler = ({ method }) =>
      method === 'OPTIONS'
        ? { status: 204, headers: { ...ANY_ORIGIN, 'access-control-allow-headers': 'content-type' } }
        : allowing(
            jsonReply({
              err_no: 0,
              data: { records: [{ key: 'custom_key.self', value: bit.text }] },
            }),
          );
    const refusing: StandInHandler = (request) =>
      request.method === 'OPTIONS' ? allowing({ status: 405 }) : records(request);

    expect(await look(records, bit)).toMatchObject({ state: 'seen' });
    expect(await look(refusing, bit)).toMatchObject({ state: 'could_not_look' });
  });

  /** A server of the Fediverse at `host`, which answers for the names of `handleHost`. */
  const instance =
    (post: SignedPost, host = 'social.example.com', handleHost = host): StandInHandler =>
    ({ path, headers, query }) => {
      if (path === '/.well-known/webfinger' && headers['host'] === handleHost && handleHost !== host) {
        const location = `https://${host}/.well-known/webfinger?${query}`;
        return allowing({ status: 301, headers: { location } });
      }
      if (path === '/.well-known/webfinger') {
        const self = { rel: 'self', type: 'application/activity+json', href: `https://${host}/users/alice` };
        return allowing(jsonReply({ subject: `acct:alice@${handleHost}`, links: [self] }));
      }
      if (path.startsWith('/api/v1/statuses/')) return allowing(jsonReply(aStatus('', { content: asHtml(post.text) })));
      return textReply('nothing', 404);
    };

  it('sees a post on a server like Mastodon without its nodeinfo', async () => {
    const post = fediverse('social.example.com');

    expect(await look(instance(post), post)).toMatchObject({ state: 'seen', accountId: '42' });
    expect(platform.requests.map(({ path }) => path)).toEqual([
      '/.well-known/webfinger',
      '/api/v1/statuses/110000000000000001',
    ]);
  });

  it('follows webfinger to the server of a split domain, and nothing else anywhere', async () => {
    const post = fediverse('split.example.com');

    const result = await look(instance(post, 'social.example.com', 'split.example.com'), post);

    expect(result).toMatchObject({ state: 'seen' });
  });

  it.each(['alice@127.0.0.1', 'alice@localhost', 'alice@printer.local', 'alice@social.example.com:8443'])(
    'asks nobody for %s',
    async (identity) => {
      const post = signedPost({ platform: 'activitypub', identity, location: '1' });

      expect(await look(() => 'cut', post)).toMatchObject({ state: 'could_not_look', problem: 'unusable' });
      expect(platform.requests).toEqual([]);
    },
  );

  it.each(['twitter', 'discord', 'minds', 'keybase', 'nowhere'])('says that %s cannot be read here', async (name) => {
    const post: SignedPost = { ...gist, bound: { ...gist.bound, link: { ...gist.bound.link, platform: name } } };

    expect(await look(() => 'cut', post)).toMatchObject({ state: 'not_readable_here', by: 'you' });
    expect(platform.requests).toEqual([]);
  });

  it('asks nobody whom the caller does not allow, and tells it the hosts', async () => {
    platform.handle(() => allowing(good));
    const [result, questions] = await page.evaluate(
      async ({ bound }) => {
        const { createLooker } = (globalThis as unknown as { look: typeof lookModule }).look;
        const asked: unknown[] = [];
        const looker = createLooker({ mayAsk: (question) => asked.push(question) === 0 });
        return [await looker.look(bound), asked] as const;
      },
      { bound: gist.bound },
    );

    expect(result).toMatchObject({ state: 'could_not_look', problem: 'declined' });
    expect(questions).toEqual([
      { platform: 'github', identity: 'alice-demo', hosts: ['api.github.com'], reveals: 'platform' },
    ]);
    expect(platform.requests).toEqual([]);
  });
});
