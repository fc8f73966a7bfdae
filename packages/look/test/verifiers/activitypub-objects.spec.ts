import { generateKeyPairSync } from 'node:crypto';
import { PlatformUnavailableError } from '@signet/look';
import { createRequestSigner } from '../../src/node/request-signer.js';
import type { Verdict } from '../../src/platform-verifier.js';
import { ActivitypubVerifier } from '../../src/verifiers/activitypub/activitypub.verifier.js';
import { jsonReply, type StandInReply, type StandInRequest, textReply } from '../support/stand-in-server.js';
import {
  aFediverseClaim,
  anInstance,
  MASTODON_ID,
  MISSKEY_ID,
  type Routes,
  serve,
  suite,
} from './activitypub-stand-ins.js';
import { postOf, refusal, withVerifier } from './describe-verifier.js';
import { MASTODON_KEY, MASTODON_TIME, SIGNED_PATH, SIGNED_QUERY } from './recorded/signatures.js';
import { isSignedForGoToSocial, refusalOfMastodon, type SeenRequest } from './signature-checks.js';

const HOST = 'social.example.com';
const ACTOR = `https://${HOST}/users/alice`;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const signer = createRequestSigner({ keyId: 'https://signet.example.org/actor#main-key', privateKey });

const claim = aFediverseClaim();
const text = postOf(new ActivitypubVerifier(undefined as never), claim);

/** A post as servers show it to each other; composed after ActivityPub and the objects of Mastodon. */
const anObject = (changes: object = {}, id = MASTODON_ID) => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${ACTOR}/statuses/${id}`,
  type: 'Note',
  attributedTo: ACTOR,
  to: [PUBLIC],
  cc: [`${ACTOR}/followers`],
  content: `<p>${text.replaceAll('\n', '<br>')}</p>`,
  ...changes,
});

const activity = (json: unknown): StandInReply => ({
  json,
  headers: { 'content-type': 'application/activity+json; charset=utf-8' },
});

type Check = (request: SeenRequest) => boolean;
const forGoToSocial: Check = (request) => isSignedForGoToSocial(request, publicKey);
const forMastodon: Check = (request) => refusalOfMastodon(request, publicKey, new Date()) === null;
/** A server that reads the new form of signatures alone. */
const forNewServers: Check = (request) => request.headers['signature-input'] !== undefined && forMastodon(request);
/** As Sharkey: the old form alone, and other documents for the new one. */
const forOldServers: Check = (request) => request.headers['signature-input'] === undefined && forMastodon(request);

const seenAs = ({ method, path, query, headers }: StandInRequest): SeenRequest => ({
  method,
  url: `https://${headers['host']}${path}${query.size > 0 ? `?${query}` : ''}`,
  headers,
});

/** A server of `software` whose API is closed, and which shows `object` to those whose signature `check` accepts. */
function closed(check: Check, object: unknown = anObject(), software = 'mastodon', path?: string): Routes {
  return {
    ...anInstance(software),
    [`${HOST}/api/v1/statuses/${MASTODON_ID}`]: jsonReply({ error: 'This API requires an authenticated user' }, 401),
    [`${HOST}${path ?? `/users/alice/statuses/${MASTODON_ID}`}`]: (request) =>
      check(seenAs(request)) ? activity(object) : jsonReply({ error: 'Request not signed' }, 401),
  };
}

interface Outcome {
  verdict: Verdict | Error;
  /** What was asked for as an object, by the form of its signature. */
  forms: string[];
}

/** What a verifier says that signs requests, or does not, when it is asked one claim after the other. */
async function outcomesOf(routes: Routes, claims = [claim], signs = true): Promise<Outcome> {
  const bench = {
    ...suite,
    create: (web: ConstructorParameters<typeof ActivitypubVerifier>[0]) =>
      new ActivitypubVerifier(signs ? Object.assign(web, { requestSigner: signer }) : web),
  };
  return withVerifier(bench, serve(routes), async ({ verifier, standIn }) => {
    let verdict: Verdict | Error = new Error('nothing was asked');
    for (const one of claims) verdict = await verifier.verify(one).catch((error: Error) => error);
    const asked = standIn.requests.filter(({ headers }) => headers['accept'] === 'application/activity+json');
    for (const { query } of asked) expect(query.size).toBe(0);
    return { verdict, forms: asked.map(({ headers }) => (headers['signature-input'] ? 'rfc9421' : 'cavage')) };
  });
}

const verdictOf = async (routes: Routes): Promise<Verdict | Error> => (await outcomesOf(routes)).verdict;

describe('the checks of other servers, which stand-ins make here', () => {
  const request = (url: string, headers: SeenRequest['headers'], method = 'GET') => ({ method, url, headers });
  const page = 'https://www.example.com/activitypub/success';

  it.each([
    [request(page, SIGNED_PATH), null],
    [request(`${page}?foo=42`, SIGNED_QUERY), null],
    [request(`${page}?foo=42`, SIGNED_PATH), null],
    [request(`${page}?foo=43`, SIGNED_QUERY), 'Verification failed'],
    [request('https://www.example.com/activitypub/alternative-path', SIGNED_PATH), 'Verification failed'],
    [request(page, SIGNED_PATH, 'POST'), 'Verification failed'],
    [request(page, { ...SIGNED_PATH, date: 'wrong date' }), 'date outside acceptable time window'],
  ])('agree with the recorded ones: %#', (seen, expected) => {
    expect(refusalOfMastodon(seen, MASTODON_KEY, MASTODON_TIME)).toBe(expected);
    if (expected !== 'date outside acceptable time window') {
      expect(isSignedForGoToSocial(seen, MASTODON_KEY)).toBe(expected === null);
    }
  });

  it('accept what is signed here, and nothing that differs from it', () => {
    const url = `${ACTOR}/statuses/1`;
    const now = new Date();
    for (const form of ['cavage', 'rfc9421'] as const) {
      const headers = { ...signer.sign(url, form, now), host: HOST };
      const isAccepted = (changes: Partial<SeenRequest>) =>
        refusalOfMastodon({ method: 'GET', url, headers, ...changes }, publicKey, now) === null;
      expect(isAccepted({})).toBe(true);
      expect(isAccepted({ url: `${ACTOR}/statuses/2` })).toBe(false);
      expect(isAccepted({ method: 'DELETE' })).toBe(false);
      expect(refusalOfMastodon({ method: 'GET', url, headers }, MASTODON_KEY, now)).not.toBeNull();
      expect(
        refusalOfMastodon({ method: 'GET', url, headers }, publicKey, new Date(+now + 2 * 3_600_000)),
      ).not.toBeNull();
    }
  });

  it('are never given an address with a query', () => {
    expect(() => signer.sign(`${ACTOR}/statuses/1?page=true`, 'cavage', new Date())).toThrow('query');
  });
});

describe('activitypub: objects by signed requests', () => {
  it.each([
    ['GoToSocial', closed(forGoToSocial, anObject(), 'gotosocial'), ['cavage']],
    ['Mastodon with a closed API', closed(forMastodon), ['cavage']],
    ['a server of the new form', closed(forNewServers), ['cavage', 'rfc9421']],
    ['a server of the old form', closed(forOldServers), ['cavage']],
  ])('are read from %s', async (_what, routes, forms) => {
    const outcome = await outcomesOf(routes);

    expect(outcome).toMatchObject({ verdict: { valid: true, accountId: ACTOR }, forms });
    expect(outcome.verdict).toMatchObject({ evidence: { url: `${ACTOR}/statuses/${MASTODON_ID}` } });
  });

  it('are read from Misskey where its API is closed', async () => {
    const routes = {
      ...closed(
        forMastodon,
        anObject({ id: `https://${HOST}/notes/${MISSKEY_ID}` }),
        'misskey',
        `/notes/${MISSKEY_ID}`,
      ),
      [`${HOST}/api/notes/show`]: jsonReply({ error: { code: 'CREDENTIAL_REQUIRED' } }, 401),
    };

    const { verdict } = await outcomesOf(routes, [{ ...claim, proofLocation: MISSKEY_ID }]);
    expect(verdict).toMatchObject({ valid: true });
  });

  it('remember the form that a host wants', async () => {
    const { forms } = await outcomesOf(closed(forNewServers), [claim, claim, claim]);

    expect(forms).toEqual(['cavage', 'rfc9421', 'rfc9421', 'rfc9421']);
  });

  it('are not asked for where an API answers', async () => {
    const routes = {
      ...anInstance('mastodon'),
      [`${HOST}/api/v1/statuses/${MASTODON_ID}`]: jsonReply({ error: 'x' }, 404),
    };

    expect(await outcomesOf(routes)).toEqual({ verdict: refusal(), forms: [] });
  });

  it('are not asked for by programs that cannot sign, which say why', async () => {
    const { verdict, forms } = await outcomesOf(closed(forGoToSocial, anObject(), 'gotosocial'), [claim], false);

    expect(verdict).toBeInstanceOf(PlatformUnavailableError);
    expect((verdict as Error).message).toContain('sign their requests');
    expect(forms).toEqual([]);
  });

  it.each([
    ['public', { to: PUBLIC, cc: undefined }],
    ['unlisted', { to: [`${ACTOR}/followers`], cc: [PUBLIC] }],
  ])('count where they are %s, as by the APIs', async (_what, changes) => {
    expect(await verdictOf(closed(forMastodon, anObject(changes)))).toMatchObject({ valid: true });
  });

  it('keep the account that was bound by an API, and the other way round', async () => {
    const { verdict } = await outcomesOf(closed(forMastodon), [{ ...claim, accountId: '109000000000000001' }]);

    expect(verdict).toMatchObject({ valid: true });
    expect(verdict).not.toHaveProperty('accountId');
  });

  it.each([
    ['of another author', { attributedTo: `https://${HOST}/users/mallory` }],
    ['of several authors', { attributedTo: [ACTOR, `https://${HOST}/users/mallory`] }],
    ['for followers alone', { to: [`${ACTOR}/followers`] }],
    ['for nobody', { to: [] }],
    ['that names everybody elsewhere', { to: [`${ACTOR}/followers`], audience: PUBLIC }],
    ['from another server', { id: `https://evil.example.net/users/alice/statuses/${MASTODON_ID}` }],
    ['that is no post', { type: 'Question' }],
    ['without text', { content: '' }],
    ['that quotes the text', { content: `<blockquote>${text}</blockquote>` }],
    ['with the text in its warning', { content: '<p>hello</p>', summary: text }],
  ])('%s prove nothing', async (_what, changes) => {
    expect(await verdictOf(closed(forMastodon, anObject(changes)))).toEqual(refusal());
  });

  it.each<[string, StandInReply, boolean]>([
    ['a 404 of the server', jsonReply({ error: 'Not Found' }, 404), true],
    ['a 410', textReply('', 410), true],
    ['a 404 page', textReply('<html>', 404, 'text/html'), false],
    ['a 401 for both forms', jsonReply({ error: 'Request not signed' }, 401), false],
    ['a 403', jsonReply({ error: 'Forbidden' }, 403), false],
    ['a page', textReply('<html>', 200, 'text/html'), false],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example.net/' } }, false],
    ['another post', activity(anObject({ id: `${ACTOR}/statuses/2` })), false],
    ['no author', activity(anObject({ attributedTo: undefined })), false],
    ['no text at all', activity(anObject({ content: undefined })), false],
    ['null', activity(null), false],
    ['a failure', { status: 503 }, false],
  ])('answered by %s', async (_what, answer, isGone) => {
    const routes = { ...closed(forMastodon), [`${HOST}/users/alice/statuses/${MASTODON_ID}`]: () => answer };
    const verdict = await verdictOf(routes);

    if (isGone) expect(verdict).toEqual(refusal());
    else expect(verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it('are not asked for at an address elsewhere that webfinger names as actor', async () => {
    const self = { rel: 'self', type: 'application/activity+json', href: `${ACTOR}?x=1` };
    const routes = {
      ...closed(forMastodon),
      [`${HOST}/.well-known/webfinger`]: jsonReply({ subject: `acct:alice@${HOST}`, links: [self] }),
    };

    expect(await outcomesOf(routes)).toMatchObject({ forms: [] });
  });
});
