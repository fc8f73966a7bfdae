import { type Bound, PlatformUnavailableError } from '@signet/look';
import { findAvatarKey } from '@signet/verify';
import { lookAt } from '../../src/look.js';
import { readHead } from '../../src/posts/head-elements.js';
import { WebsiteVerifier } from '../../src/verifiers/website.verifier.js';
import { signedPost } from '../looker/signed-posts.js';
import { anAvatar } from '../support/avatar.js';
import { leastCpuMs } from '../support/cpu-time.js';
import { aFetcher } from '../support/fetcher.js';
import { type StandInReply, textReply } from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import { aClaim, describePostVerifier, postOf, refusal, verdictEverywhere, withVerifier } from './describe-verifier.js';
import { FILE, HOST, ofHost, ofPage, page, site } from './suites/website.js';

describePostVerifier(ofHost);
describe('of a page below a host', () => describePostVerifier(ofPage));

describe('website: what is its own', () => {
  const claim = aClaim(ofHost);
  const verifier = new WebsiteVerifier(aFetcher());
  const document = postOf(verifier, claim);
  const signature = anAvatar('alice').sign(claim.signPayload);
  const check = (files: Record<string, StandInReply>, asked = claim) => verdictEverywhere(ofHost, site(files), asked);

  it('takes the meta element of the first page of a host, too', async () => {
    const meta = `<meta content='${claim.avatar.compressed}:${signature}' NAME="Signet">`;

    expect(await check({ [`${HOST}/`]: page(meta) })).toMatchObject({ valid: true, signature });
  });

  it('is not misled by a file whose documents are of others', async () => {
    const other = document.replaceAll(signature, anAvatar('mallory').sign(claim.signPayload));

    expect(await check({ [`${HOST}${FILE}`]: textReply(other) })).toEqual(refusal());
    expect(await check({ [`${HOST}${FILE}`]: textReply(`[${other},${document}]`) })).toMatchObject({ valid: true });
  });

  it.each<[string, StandInReply]>([
    ['an error', { status: 500 }],
    ['a refusal', textReply('', 403)],
    ['redirects without an end', { status: 302, headers: { location: FILE } }],
    ['a redirect to nowhere', { status: 302 }],
    ['a file that is no JSON', textReply('{')],
  ])('says that nothing is known after %s', async (_what, answer) => {
    await expect(check({ [`${HOST}${FILE}`]: answer })).rejects.toThrow(PlatformUnavailableError);
  });

  it('takes the meta element behind texts that stand in a head, and of a page without tags of one', async () => {
    const ofPageClaim = aClaim(ofPage);
    const meta = postOf(verifier, ofPageClaim);
    const scripts = '<style>p { color: red }</style><script>let a = "<p>";</script>\n<noscript>No.</noscript>';
    for (const reply of [
      page(`${scripts}<template>words</template>\n${meta}`),
      textReply(`<!doctype html>\n<title>Alice</title>\n${scripts}\n${meta}\n<p>Hello.</p>`, 200, 'text/html'),
    ]) {
      expect(await verdictEverywhere(ofPage, site({ [ofPage.identity]: reply }), ofPageClaim)).toMatchObject({
        valid: true,
      });
    }
  });

  it('reads no more of a page than the first 256 KiB', async () => {
    const ofPageClaim = aClaim(ofPage);
    const meta = postOf(verifier, ofPageClaim);
    const filled = (bytes: number) => site({ [ofPage.identity]: page(`<!--${'x'.repeat(bytes)}-->${meta}`) });
    const read = (bytes: number) =>
      verdictEverywhere(ofPage, filled(bytes), ofPageClaim, { OUTBOUND_MAX_BYTES: '1000000' });

    expect(await read(250 * 1024)).toMatchObject({ valid: true });
    expect(await read(256 * 1024)).toEqual(refusal());
  });

  it('follows no redirect to another host, whatever is there', async () => {
    const files = {
      [`${HOST}${FILE}`]: { status: 301, headers: { location: `https://www.example.org${FILE}` } },
      [`www.example.org${FILE}`]: textReply(document, 200, 'application/json'),
    };

    await expect(check(files)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each(['http://alice.example.org/x', `https://${HOST}:8443/x`, 'https://127.0.0.1/x'])(
    'does not follow a redirect to %s',
    async (location) => {
      const there = textReply(document, 200, 'application/json');
      const files = {
        [`${HOST}${FILE}`]: { status: 302, headers: { location } },
        ...Object.fromEntries([HOST, `${HOST}:8443`, '127.0.0.1'].map((host) => [`${host}/x`, there])),
      };

      await expect(check(files)).rejects.toThrow(PlatformUnavailableError);
    },
  );

  it('reads pages in a time that grows with their length alone', () => {
    for (const one of ['<meta name="signet" content="x">', '<template>', '<title>', '<a', '<!--']) {
      const html = one.repeat((256 * 1024) / one.length);
      expect(leastCpuMs(() => readHead(html, 'signet'))).toBeLessThan(1000);
    }
  });
});

describe('website: a page that names the key by rel="me"', () => {
  // Test vectors of did:key, secp256k1.
  const key = '0x03874c15c7fda20e539c6e5ba573c139884c351188799f5458b4b41f7924f235cd';
  const didKey = 'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme';
  const claim = aClaim(ofPage, { rel: 'me', avatar: findAvatarKey(key)! });
  const check = (head: string, asked = claim) =>
    verdictEverywhere(ofPage, site({ [ofPage.identity]: page(head) }), asked);
  const linkTo = (href: string, rel = 'me') => `<link rel="${rel}" href="${href}">`;

  it.each([
    ['its did:key', linkTo(didKey)],
    ['its page at a server', linkTo(`https://id.example.net/a/${key}`)],
    ['its page, in other letters and with a slash', linkTo(`https://id.example.net/a/${key.toUpperCase()}/?x=1`)],
    ['one of several words of the link', linkTo(didKey, 'author  ME')],
    ['one of several links', linkTo('https://social.example.net/@alice') + linkTo(didKey)],
  ])('takes %s', async (_what, head) => {
    const verdict = await check(head);

    expect(verdict).toEqual({
      valid: true,
      extra: { rel: 'me' },
      evidence: { url: `https://${ofPage.identity}`, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), matchedText: '' },
      profileUrl: `https://${ofPage.identity}`,
    });
  });

  it('takes the first page of a host, whatever its file is', async () => {
    const ofWholeHost = aClaim(ofHost, { rel: 'me', avatar: claim.avatar });
    const files = { [`${HOST}${FILE}`]: { status: 500 }, [`${HOST}/`]: page(linkTo(didKey)) };

    expect(await verdictEverywhere(ofHost, site(files), ofWholeHost)).toMatchObject({ valid: true });
  });

  it.each([
    ['no link', ''],
    ['another word', linkTo(didKey, 'menu')],
    ['another key', linkTo(`https://id.example.net/a/${anAvatar('mallory').key.compressed}`)],
    ['a did:key in other letters', linkTo(didKey.toLowerCase())],
    ['the key elsewhere in an address', linkTo(`https://id.example.net/?key=/a/${key}`)],
    ['a page below that of the key', linkTo(`https://id.example.net/a/${key}/x`)],
    ['a link in the body', `</head><body>${linkTo(didKey)}`],
    ['a link in a comment', `<!-- ${linkTo(didKey)} -->`],
    ['a link in a template', `<template>${linkTo(didKey)}</template>`],
    ['an anchor', `<a rel="me" href="${didKey}">me</a>`],
  ])('refuses %s', async (_what, head) => {
    expect(await check(head)).toEqual({ valid: false, reason: expect.stringContaining('<link rel="me">') });
  });

  it('is what a look at a link needs that says so, and at no other', async () => {
    const { bound } = signedPost({ platform: 'website', identity: ofPage.identity });
    const head = linkTo(`https://id.example.net/a/${bound.avatar}`);
    const look = (link: Bound['link']) =>
      withVerifier(ofPage, site({ [ofPage.identity]: page(head) }), ({ verifier }) =>
        lookAt(verifier, { ...bound, link }),
      );

    const seen = { state: 'seen', isSameSignature: null, evidence: { matchedText: '' } };
    expect(await look({ ...bound.link, extra: { rel: 'me' } })).toMatchObject(seen);
    expect(await look(bound.link)).toMatchObject({ state: 'not_seen' });
    expect(await look({ ...bound.link, extra: { rel: ['me'] } })).toMatchObject({ state: 'not_seen' });
  });

  it('refuses it where the claim needs a signature', async () => {
    expect(await check(linkTo(didKey), { ...claim, rel: undefined })).toEqual(refusal());
  });
});

describeIdentities(new WebsiteVerifier(aFetcher()), {
  accepted: [
    ['https://Alice.Example.org/', 'alice.example.org'],
    ['alice.example.org', 'alice.example.org'],
    ['http://example.org/~Alice/', 'example.org/~Alice'],
    ['https://example.org/a/../b?x=1#y', 'example.org/b'],
    ['https://bücher.example.org', 'xn--bcher-kva.example.org'],
  ],
  refused: [
    '',
    'alice',
    'localhost',
    '127.0.0.1',
    'https://example.org:8443',
    'https://a@example.org',
    'ftp://example.org',
    'server.internal/x',
  ],
});
