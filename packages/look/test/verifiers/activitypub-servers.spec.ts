import { PlatformUnavailableError } from '@signet/look';
import type { Verdict } from '../../src/platform-verifier.js';
import { FediverseRequests } from '../../src/verifiers/activitypub/activitypub-requests.js';
import { FediverseSoftware } from '../../src/verifiers/activitypub/activitypub-software.js';
import { aFetcher } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';
import { jsonReply, textReply, type PlainReply } from '../support/stand-in-server.js';
import {
  aFediverseClaim,
  anInstance,
  aNote,
  asHtml,
  aSplitDomain,
  aStatus,
  inFediverse,
  MASTODON_ID,
  MISSKEY_ID,
  misskeyError,
  NOTE_PATH,
  nodeinfo,
  RECORD_NOT_FOUND,
  STATUS_PATH,
  serverVerdictOf,
  verdictOf,
  webfinger,
  type Routes,
} from './activitypub-stand-ins.js';
import { refusal } from './describe-verifier.js';
import { EMBEDDED_POSTS, NOT_FOUND, PLEROMA_NOT_FOUND, TIMELINE_RESTRICTED } from './recorded/fediverse.js';

const claim = aFediverseClaim();
const noteClaim = aFediverseClaim({ proofLocation: MISSKEY_ID });
const splitClaim = aFediverseClaim({ identity: 'alice@example.com' });
const signatureFor = ({ signPayload } = claim) => anAvatar('alice').sign(signPayload);
const TEXT = `I own this account.\n\nSig: ${signatureFor()}\nUUID: 1`;
const UNKNOWN_ENDPOINT = misskeyError('UNKNOWN_API_ENDPOINT', 404);
const HTML = textReply('<html><body>Hello</body></html>', 200, 'text/html; charset=utf-8');

const mastodonWith = (changes: Record<string, unknown>) =>
  verdictOf({ ...anInstance('mastodon'), [STATUS_PATH]: jsonReply(aStatus(TEXT, changes)) });
const misskeyWith = (changes: Record<string, unknown>, text: string | null = TEXT) =>
  verdictOf({ ...anInstance('misskey'), [NOTE_PATH]: jsonReply(aNote(text, changes)) }, noteClaim);
const accepted = { valid: true, signature: signatureFor() };
const reason = (part: string) => ({ valid: false, reason: expect.stringContaining(part) });

describe('a post that costs much to read, for it has 1 MiB', () => {
  const ask = (reply: (more: object) => Routes, bytes: number, ofClaim = claim) =>
    verdictOf(reply({ more: ' '.repeat(bytes) }), ofClaim, { OUTBOUND_MAX_BYTES: String(1024 * 1024) });
  const status = (more: object) => ({
    ...anInstance('mastodon'),
    [STATUS_PATH]: jsonReply(aStatus(TEXT, { ...more })),
  });
  const note = (more: object) => ({ ...anInstance('misskey'), [NOTE_PATH]: jsonReply(aNote(TEXT, { ...more })) });

  it('is an answer that is too large to be used, from Mastodon and from Misskey', async () => {
    for (const reply of [() => ask(status, 1000 * 1024), () => ask(note, 1000 * 1024, noteClaim)]) {
      const error = await reply().catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(PlatformUnavailableError);
      expect(error).toHaveProperty('message', expect.stringContaining('gave an answer that is too large'));
    }
  });

  it('is read where it has as much as a post may have anywhere', async () => {
    expect(await ask(status, 200 * 1024)).toMatchObject(accepted);
    expect(await ask(note, 200 * 1024, noteClaim)).toMatchObject(accepted);
  });
});

describe('a server that speaks the API of Mastodon', () => {
  it('shows the post, and the account id is kept', async () => {
    const verdict = await mastodonWith({});

    expect(verdict).toMatchObject({ ...accepted, accountId: '42' });
    expect(verdict).toMatchObject({
      evidence: { url: `https://${STATUS_PATH}`, matchedText: expect.stringContaining('Sig: ') },
    });
  });

  it.each([
    ['unlisted', { visibility: 'unlisted' }],
    ['edited', { edited_at: '2026-01-02T03:04:05.000Z' }],
    ['a reply', { in_reply_to_id: '109', in_reply_to_account_id: '7' }],
    ['behind a warning', { spoiler_text: 'keys', sensitive: true }],
    ['a quote with text of its own', { quote: { state: 'accepted', quoted_status: aStatus('hello') } }],
    ['named by its own host', { account: { id: '42', username: 'alice', acct: 'alice@social.example.com' } }],
    [
      'named by its own host in capitals',
      { account: { id: '42', username: 'alice', acct: 'alice@Social.Example.com' } },
    ],
    ['without the member reblog', { reblog: undefined }],
    [
      'in paragraphs and lines',
      {
        content: `<p>Hi <span class="h-card">@<span>alice</span></span></p><p>Signature: ${signatureFor()}<br>UUID: u</p>`,
      },
    ],
    ['with entities elsewhere', { content: `<p>a &amp; b &#39;c&#39;</p><p>Sig: ${signatureFor()}<br />x</p>` }],
  ])('has a good post that is %s', async (_what, changes) => {
    expect(await mastodonWith(changes)).toMatchObject(accepted);
  });

  it.each([
    ['followers only', { visibility: 'private' }, 'not public'],
    ['direct', { visibility: 'direct' }, 'not public'],
    ['local to the server (Pleroma)', { visibility: 'local' }, 'not public'],
    ['for a list (Pleroma)', { visibility: 'list' }, 'not public'],
    ['a boost', { reblog: aStatus(TEXT) }, 'boost'],
    ['by another account', { account: { id: '43', username: 'bob', acct: 'bob' } }, 'another account'],
    ['without text', { content: '' }, 'no text'],
    ['signed only in its warning', { content: '<p>hello</p>', spoiler_text: `Sig: ${signatureFor()}` }, 'signature'],
    [
      'signed only in the quoted post',
      { content: '<p>hello</p>', quote: { quoted_status: aStatus(TEXT) } },
      'signature',
    ],
    [
      'signed only in the inline quote of another post',
      { content: `<p class="quote-inline">RE: Signature: ${signatureFor()}</p><p>hello</p>` },
      'signature',
    ],
    [
      'signed only in its poll',
      { content: '<p>hello</p>', poll: { options: [{ title: `Sig: ${signatureFor()}` }] } },
      'signature',
    ],
  ])('has no proof in a post that is %s', async (_what, changes, why) => {
    expect(await mastodonWith(changes)).toEqual(reason(why));
  });

  /** The peers accept each of these: a server keeps copies of posts from elsewhere under ids of its own. */
  describe('and keeps a copy of a post of alice from another server', () => {
    const uri = 'https://evil.example.net/users/alice/statuses/1';
    it.each([
      [
        'the name and the address tell',
        { uri, account: { id: '9', username: 'alice', acct: 'alice@evil.example.net' } },
      ],
      ['only the name tells', { account: { id: '9', username: 'alice', acct: 'alice@evil.example.net' } }],
      ['only the address tells', { uri }],
      [
        'the address only looks like its own',
        { uri: 'https://social.example.com.evil.example.net/users/alice/statuses/1' },
      ],
      [
        'the address has its host as credentials',
        { uri: 'https://social.example.com@evil.example.net/users/alice/statuses/1' },
      ],
      ['the address has another port', { uri: 'https://social.example.com:8443/users/alice/statuses/1' }],
      ['the address is no address', { uri: 'alice' }],
      ['the address is not a web address', { uri: 'tag:social.example.com,2026:1' }],
      ['only Pleroma tells', { pleroma: { local: false } }],
    ])('which is refused: %s', async (_how, changes) => {
      expect(await mastodonWith(changes)).toEqual(reason('copy of one from another server'));
    });
  });

  it.each([
    ['in a quoted line', `<p>&gt; Sig: ${signatureFor()}</p>`],
    ['in a quoted line behind another one', `<p>&gt; bob wrote:<br>&gt; Sig: ${signatureFor()}<br>look</p>`],
    ['in green text', `<p>hello<br>&gt;Sig: ${signatureFor()}</p>`],
  ])('has no proof in a post that is signed only %s', async (_where, content) => {
    expect(await mastodonWith({ content })).toEqual(reason('signature'));
  });

  it.each([
    ['a quoted line', `<p>&gt; hello</p>${asHtml(TEXT)}`],
    // No rule of the Fediverse says whose words these are, and any other wording could introduce them as well.
    ['words that a person may put before the text of another', `<p>RT @bob: ${asHtml(TEXT).slice(3)}`],
  ])('has a good post behind %s', async (_what, content) => {
    expect(await mastodonWith({ content })).toMatchObject(accepted);
  });

  it.each(Object.entries(EMBEDDED_POSTS))('has no proof in %s', async (_what, embed) => {
    const other = { url: 'https://other.example/@bob/1', html: `Sig: ${signatureFor()}` };

    expect(await mastodonWith({ content: `<p>look</p>${embed(other)}` })).toEqual(reason('signature'));
    expect(await mastodonWith({ content: embed(other) })).toEqual(refusal());
  });

  it.each(Object.entries(EMBEDDED_POSTS))('has a good post with %s in it', async (_what, embed) => {
    const other = { url: 'https://other.example/@bob/1', html: 'hello' };
    const before = await mastodonWith({ content: `${asHtml(TEXT)}${embed(other)}` });
    const behind = await mastodonWith({ content: `${embed(other)}${asHtml(TEXT)}` });

    expect([before, behind]).toEqual([expect.objectContaining(accepted), expect.objectContaining(accepted)]);
  });

  it('may be Pleroma, whose plain text is not read: it shows quotations like own words, and loses line ends', async () => {
    const plain = { 'text/plain': TEXT.replaceAll('\n', '') };
    const check = (content: string) =>
      verdictOf({
        ...anInstance('pleroma'),
        [STATUS_PATH]: jsonReply(aStatus('', { content, pleroma: { local: true, content: plain } })),
      });

    expect(await check(asHtml(TEXT))).toMatchObject(accepted);
    expect(await check(`<blockquote>${asHtml(TEXT)}</blockquote>look`)).toEqual(reason('signature'));
  });

  it.each([
    ['404 with a JSON error', RECORD_NOT_FOUND],
    ['404 in the words of Mastodon 4.5', jsonReply(NOT_FOUND, 404)],
    ['410', jsonReply({ error: 'Gone' }, 410)],
    ['410 without JSON', textReply('<html>', 410, 'text/html')],
  ])('has no such post when it answers %s', async (_what, reply) => {
    expect(await verdictOf({ ...anInstance('mastodon'), [STATUS_PATH]: reply })).toEqual(refusal());
  });

  it.each([
    ['401', jsonReply({ error: 'This method requires an authenticated user' }, 401)],
    ['403', jsonReply({ error: 'This action is not allowed' }, 403)],
    ['422', jsonReply({ error: 'Can not be processed' }, 422)],
    ['400 with a JSON error', jsonReply({ error: 'Bad request' }, 400)],
    ['an error with status 200', jsonReply({ error: 'Record not found' })],
    ['404 with HTML', textReply('<html>', 404, 'text/html')],
    ['404 of another API', UNKNOWN_ENDPOINT],
    [
      '429',
      {
        ...jsonReply({ error: 'Too many requests' }, 429),
        headers: { 'X-RateLimit-Reset': '2030-01-01T00:00:00.000Z' },
      },
    ],
    ['500', jsonReply({ error: 'oops' }, 500)],
    ['503 with HTML', textReply('<html>', 503, 'text/html')],
    ['HTML', HTML],
    [
      'a redirect to another host',
      { status: 302, headers: { location: 'https://evil.example.net/api/v1/statuses/1' } },
    ],
    ['nothing', 'hang' as const],
    ['an array', jsonReply([])],
    ['null', jsonReply(null)],
    ['a good status as 203', jsonReply(aStatus(TEXT), 203)],
    ['404 with an error that is not text', jsonReply({ error: {} }, 404)],
    ['a status without an account', jsonReply(aStatus(TEXT, { account: null }))],
    ...['uri', 'visibility', 'content'].map((member): [string, PlainReply] => [
      `a status whose ${member} is no text`,
      jsonReply(aStatus(TEXT, { [member]: 1 })),
    ]),
    ...['id', 'username', 'acct'].map((member): [string, PlainReply] => [
      `a status whose author has a number for ${member}`,
      jsonReply(aStatus(TEXT, { account: { id: '42', username: 'alice', acct: 'alice', [member]: 1 } })),
    ]),
  ])('could not be asked when it answers %s', async (_what, reply) => {
    const ask = withShortTime({ ...anInstance('mastodon'), [STATUS_PATH]: reply });

    await expect(ask).rejects.toThrow(PlatformUnavailableError);
  });

  it.each([401, 403, 422])('says so when it answers %i: posts are shown only to those who sign in', async (status) => {
    const ask = verdictOf({ ...anInstance('mastodon'), [STATUS_PATH]: jsonReply({ error: 'no' }, status) });

    await expect(ask).rejects.toThrow('only to those who sign in');
  });
});

describe('a server of the Pleroma family that says it has no such post', () => {
  const TIMELINE_PATH = 'social.example.com/api/v1/timelines/public';
  const NEWEST_PATH = 'social.example.com/api/v1/statuses/AQj3BoAIDiUOXgtVVw';
  const missing = jsonReply(PLEROMA_NOT_FOUND, 404);
  const newest = aStatus('hello', { id: 'AQj3BoAIDiUOXgtVVw' });
  const ask = (software: string, routes: Routes) =>
    verdictOf({ ...anInstance(software), [STATUS_PATH]: missing, ...routes });

  it.each(['pleroma', 'akkoma', 'rebased'])('is believed where it shows others: %s', async (software) => {
    const routes = { [TIMELINE_PATH]: jsonReply([newest]), [NEWEST_PATH]: jsonReply(newest) };

    expect(await ask(software, routes)).toEqual(refusal());
  });

  it('is believed where nobody has written anything', async () => {
    expect(await ask('akkoma', { [TIMELINE_PATH]: jsonReply([]) })).toEqual(refusal());
  });

  it.each<[string, Routes]>([
    ['shows none at all', { [TIMELINE_PATH]: jsonReply([newest]), [NEWEST_PATH]: missing }],
    ['asks for a sign-in (401)', { [TIMELINE_PATH]: jsonReply(TIMELINE_RESTRICTED, 401) }],
    ['asks for a sign-in (403)', { [TIMELINE_PATH]: jsonReply(TIMELINE_RESTRICTED, 403) }],
  ])('is not believed where it %s', async (_what, routes) => {
    await expect(ask('pleroma', routes)).rejects.toThrow('only to those who sign in');
  });

  it.each<[string, Routes]>([
    ['has a failing time line', { [TIMELINE_PATH]: jsonReply({}, 500) }],
    ['has a time line that is not a list', { [TIMELINE_PATH]: jsonReply({}) }],
    ['fails for others', { [TIMELINE_PATH]: jsonReply([newest]), [NEWEST_PATH]: jsonReply({}, 500) }],
  ])('says nothing where it %s', async (_what, routes) => {
    await expect(ask('pleroma', routes)).rejects.toThrow(PlatformUnavailableError);
  });

  it('is asked nothing more by a text that cannot be an id', async () => {
    const routes = { [TIMELINE_PATH]: jsonReply([{ id: '../../admin' }]) };

    expect(await ask('pleroma', routes)).toEqual(refusal());
  });

  it('is known by its features too', async () => {
    const asked = verdictOf({
      ...anInstance('a-new-fork', { features: ['pleroma_api', 'mastodon_api'] }),
      [STATUS_PATH]: missing,
      [TIMELINE_PATH]: jsonReply(TIMELINE_RESTRICTED, 401),
    });

    await expect(asked).rejects.toThrow('only to those who sign in');
  });
});

describe('a server that speaks the API of Misskey', () => {
  it('shows the note, and the account id is kept', async () => {
    const requests: string[] = [];
    const verdict = await serverVerdictOf(
      {
        ...anInstance('misskey'),
        [NOTE_PATH]: ({ method, body, headers }) => {
          requests.push(`${method} ${headers['content-type']} ${body}`);
          return jsonReply(aNote(`Sig: ${signatureFor(noteClaim)}`));
        },
      },
      noteClaim,
    );

    expect(verdict).toMatchObject({ valid: true, accountId: '8zuserid01' });
    expect(verdict).toMatchObject({ evidence: { url: `https://social.example.com/notes/${MISSKEY_ID}` } });
    expect(requests).toEqual([`POST application/json {"noteId":"${MISSKEY_ID}"}`]);
  });

  it.each([
    ['on the home time line', { visibility: 'home' }],
    ['local only', { localOnly: true }],
    ['behind a warning', { cw: 'keys' }],
    ['a quote with text of its own', { renoteId: 'x', renote: aNote('something else') }],
    ['a reply', { replyId: 'x', reply: aNote('something else') }],
    ['marked as not hidden by saying nothing', { isHidden: undefined }],
    ['with an empty address', { uri: null }],
  ])('has a good note that is %s', async (_what, changes) => {
    expect(await misskeyWith(changes)).toMatchObject(accepted);
  });

  describe('shows the notes of a cat', () => {
    const cat = { user: { id: '8zuserid01', username: 'Alice', host: null, isCat: true } };
    /** Misskey until 2023.10.1, packages/backend/src/misc/nyaize.ts: what it does to Latin letters. */
    const meowed = (text: string) => text.replace(/(?<=n)a/gi, (a) => (a === 'A' ? 'YA' : 'ya'));
    /** A claim whose signature holds `na` in this letter case. */
    const claimWith = (letters: string) => {
      for (let attempt = 0; attempt < 100_000; attempt += 1) {
        const asked = aFediverseClaim({ proofLocation: MISSKEY_ID, signPayload: `${claim.signPayload}${attempt}` });
        if (signatureFor(asked).includes(letters)) return asked;
      }
      throw new Error(`no signature holds ${letters}`);
    };
    const check = (text: string, changes: object, asked: typeof claim) =>
      verdictOf({ ...anInstance('misskey'), [NOTE_PATH]: jsonReply(aNote(text, { ...changes })) }, asked);

    it.each(['na', 'nA', 'Na', 'NA'])('with %s in the signature, written as cats say it', async (letters) => {
      const asked = claimWith(letters);
      const text = meowed(`Banana.\nSig: ${signatureFor(asked)}`);

      expect(text).not.toContain(signatureFor(asked));
      expect(await check(text, cat, asked)).toMatchObject({ valid: true, signature: signatureFor(asked) });
    });

    it.each(['na', 'nya'])('with %s in the signature, on a server that leaves texts alone', async (letters) => {
      const asked = claimWith(letters);

      expect(await check(`Sig: ${signatureFor(asked)}`, cat, asked)).toMatchObject({ valid: true });
    });

    it('but reads the notes of people as they are', async () => {
      const asked = claimWith('na');

      expect(await check(meowed(`Sig: ${signatureFor(asked)}`), {}, asked)).toEqual(refusal());
    });
  });

  it.each([
    ['for followers', { visibility: 'followers' }, 'not public'],
    ['for some', { visibility: 'specified' }, 'not public'],
    ['hidden from those who do not sign in', { isHidden: true, text: null }, 'not public'],
    ['without a text', { text: '' }, 'no text'],
    ['a renote', { text: null, renoteId: 'x', renote: aNote(TEXT) }, 'no text'],
    ['signed only in the quoted note', { text: 'hello', renoteId: 'x', renote: aNote(TEXT) }, 'signature'],
    ['signed only in the note it replies to', { text: 'hello', replyId: 'x', reply: aNote(TEXT) }, 'signature'],
    ['signed only in a quoted line', { text: `> Sig: ${signatureFor()}\nlook` }, 'signature'],
    ['signed only in its warning', { text: 'hello', cw: `Sig: ${signatureFor()}` }, 'signature'],
    ['by another account', { user: { id: '7', username: 'bob', host: null } }, 'another account'],
    [
      'from another server',
      { user: { id: '7', username: 'alice', host: 'evil.example.net' } },
      'copy of one from another',
    ],
    [
      'from another server, by its address only',
      { uri: 'https://evil.example.net/notes/1' },
      'copy of one from another',
    ],
  ])('has no proof in a note that is %s', async (_what, changes, why) => {
    expect(await misskeyWith(changes)).toEqual(reason(why));
  });

  it.each([
    ['NO_SUCH_NOTE', misskeyError('NO_SUCH_NOTE')],
    ['NO_SUCH_NOTE with status 404', misskeyError('NO_SUCH_NOTE', 404)],
    ['INVALID_PARAM', misskeyError('INVALID_PARAM')],
    ['410', textReply('', 410)],
  ])('has no such note when it answers %s', async (_what, reply) => {
    expect(await verdictOf({ ...anInstance('misskey'), [NOTE_PATH]: reply }, noteClaim)).toEqual(refusal());
  });

  it.each([
    ['SIGNIN_REQUIRED', misskeyError('SIGNIN_REQUIRED')],
    ['401', misskeyError('CREDENTIAL_REQUIRED', 401)],
    ['403', misskeyError('ACCESS_DENIED', 403)],
  ])('says that a note is only for those who sign in when it answers %s', async (_what, reply) => {
    const ask = verdictOf({ ...anInstance('misskey'), [NOTE_PATH]: reply }, noteClaim);

    await expect(ask).rejects.toThrow(PlatformUnavailableError);
    await expect(ask).rejects.toThrow('only to those who sign in');
  });

  it.each([
    ['RATE_LIMIT_EXCEEDED', misskeyError('RATE_LIMIT_EXCEEDED', 429)],
    ['INTERNAL_ERROR', misskeyError('INTERNAL_ERROR', 500)],
    ['404 for the API itself', UNKNOWN_ENDPOINT],
    ['404 with HTML', textReply('<html>', 404, 'text/html')],
    ['HTML', HTML],
    ['a good note as 203', jsonReply(aNote(TEXT), 203)],
    ['an error with status 200', misskeyError('NO_SUCH_NOTE', 200)],
    ['a note without a visibility', jsonReply(aNote(TEXT, { visibility: undefined }))],
    ['an author without an id', jsonReply(aNote(TEXT, { user: { username: 'alice', host: null } }))],
    ['an author without a name', jsonReply(aNote(TEXT, { user: { id: '1', host: null } }))],
    ['another note', jsonReply(aNote(TEXT, { id: 'other' }))],
    ['a note without an author', jsonReply(aNote(TEXT, { user: null }))],
    ['an author without a host', jsonReply(aNote(TEXT, { user: { id: '1', username: 'alice' } }))],
  ])('could not be asked when it answers %s', async (_what, reply) => {
    const ask = verdictOf({ ...anInstance('misskey'), [NOTE_PATH]: reply }, noteClaim);

    await expect(ask).rejects.toThrow(PlatformUnavailableError);
  });
});

describe('webfinger', () => {
  it.each([404, 410])('that answers %i knows no such account', async (status) => {
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': textReply('', status) };

    expect(await verdictOf(routes)).toEqual(reason('knows no account alice@social.example.com'));
  });

  it.each([
    ['400', jsonReply({}, 400)],
    ['401', jsonReply({}, 401)],
    ['HTML', HTML],
    ['the good answer as 203', { ...webfinger(), status: 203 }],
    ['no links', jsonReply({ subject: 'acct:alice@social.example.com' })],
    ['links that are not a list', jsonReply({ links: {} })],
    ['a redirect to http', { status: 302, headers: { location: 'http://social.example.com/x' } }],
    ['a redirect to this machine', { status: 302, headers: { location: 'https://127.0.0.1/x' } }],
    ['a redirect to cloud metadata', { status: 302, headers: { location: 'https://169.254.169.254/latest' } }],
    ['a redirect to itself for ever', { status: 302, headers: { location: '/.well-known/webfinger' } }],
    ['an actor on http', selfLink('http://social.example.com/users/alice')],
    ['an actor on another port', selfLink('https://social.example.com:8443/users/alice')],
    ['an actor with credentials', selfLink('https://a:b@social.example.com/users/alice')],
    ['an actor that is not an address', selfLink('alice')],
    ['an actor on this machine', selfLink('https://127.0.0.1/users/alice')],
    ['an actor in a private network', selfLink('https://10.0.0.1/users/alice')],
    ['an actor on localhost', selfLink('https://localhost/users/alice')],
  ])('that answers %s is not an answer, though the post is there', async (_what, reply) => {
    const post = { [STATUS_PATH]: jsonReply(aStatus(TEXT)) };
    const routes = { ...anInstance('mastodon'), ...post, 'social.example.com/.well-known/webfinger': reply };

    await expect(verdictOf(routes)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each([
    ['no links at all', jsonReply({ subject: 'acct:alice@social.example.com', links: [] })],
    [
      'links of other kinds',
      jsonReply({ links: [{ rel: 'me' }, { rel: 'self', type: 'text/html', href: 'https://social.example.com' }] }),
    ],
  ])('that has %s names no account of the Fediverse', async (_what, reply) => {
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': reply };

    expect(await verdictOf(routes)).toEqual(reason('not an ActivityPub account'));
  });

  it.each([
    ['links that are none', { links: [null, 'x'] }],
    ['a self link without an address', { links: [{ rel: 'self', type: 'application/activity+json' }] }],
  ])('that has %s is not an answer', async (_what, answer) => {
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': jsonReply(answer) };

    await expect(verdictOf(routes)).rejects.toThrow(PlatformUnavailableError);
  });

  it('may use the long name of the type, and no subject', async () => {
    const type = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
    const routes = {
      ...anInstance('mastodon'),
      'social.example.com/.well-known/webfinger': jsonReply({
        links: [{ rel: 'self', type, href: 'https://social.example.com/users/alice' }],
      }),
      [STATUS_PATH]: jsonReply(aStatus(TEXT)),
    };

    expect(await verdictOf(routes)).toMatchObject(accepted);
  });

  it.each(['alice@social.example.com', 'ACCT:Alice@Social.Example.com', 7])(
    'may name its subject %j',
    async (subject) => {
      const { links } = webfinger().json as { links: unknown };
      const post = { [STATUS_PATH]: jsonReply(aStatus(TEXT)) };
      const reply = jsonReply({ subject, links });

      expect(
        await verdictOf({ ...anInstance('mastodon'), ...post, 'social.example.com/.well-known/webfinger': reply }),
      ).toMatchObject(accepted);
    },
  );

  it('is read for the link to the actor alone, whatever other links lead to', async () => {
    const type = 'application/activity+json';
    const others = [
      { rel: 'alternate', type, href: 'https://evil.example.net/users/alice' },
      { rel: 'self', type: 'text/html', href: 'https://evil.example.net/users/alice' },
      { rel: 'self', type: `${type}x`, href: 'https://evil.example.net/users/alice' },
      { rel: 'self', type: 7, href: 'https://evil.example.net/users/alice' },
    ];
    const { links } = webfinger().json as { links: object[] };
    const reply = jsonReply({ subject: 'acct:alice@social.example.com', links: [...others, ...links] });
    const post = { [STATUS_PATH]: jsonReply(aStatus(TEXT)) };

    expect(
      await verdictOf({ ...anInstance('mastodon'), ...post, 'social.example.com/.well-known/webfinger': reply }),
    ).toMatchObject(accepted);
  });

  it.each(['application/octet-stream', 'text/plain; charset=utf-8', 'text/html', ''])(
    'is read as a file of a static host with the type %j, and the refusal says the other name',
    async (type) => {
      const json = (webfinger('alice', 'blog.example.com').json ?? {}) as object;
      const headers = type === '' ? {} : { 'content-type': type };
      const reply = { headers, bytes: Buffer.from(JSON.stringify(json)) };
      const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': reply };

      expect(await verdictOf(routes)).toEqual(reason('by another name, alice@blog.example.com; use the full name'));
    },
  );

  it('may write its own host in Unicode, and so may the account of a post', async () => {
    const claim = aFediverseClaim({ identity: 'alice@xn--bcher-kva.example.com' });
    const reply = webfinger('alice', 'bücher.example.com', 'social.example.com');
    const { account, ...status } = aStatus(`Sig: ${signatureFor(claim)}`) as { account: object };
    const routes = {
      ...anInstance('mastodon'),
      'xn--bcher-kva.example.com/.well-known/webfinger': reply,
      'social.example.com/.well-known/webfinger': reply,
      [STATUS_PATH]: jsonReply({ ...status, account: { ...account, acct: 'alice@bücher.example.com' } }),
    };

    expect(await verdictOf(routes, claim)).toMatchObject({ valid: true });
  });

  it('that has the mark of accounts inside of a name means another name', async () => {
    const reply = webfinger('aliacct:ce');
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': reply };

    expect(await verdictOf(routes)).toEqual(reason('another name'));
  });

  it('that calls the account by another name refuses this one', async () => {
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/webfinger': webfinger('bob') };

    expect(await verdictOf(routes)).toEqual(reason('another name'));
  });

  it('is asked for the name that is to be proved', async () => {
    const asked = await inFediverse(anInstance('mastodon'), async ({ verifier, standIn }) => {
      await verifier.verify(claim).catch(() => {});
      return standIn.requests[0]!.query.get('resource');
    });

    expect(asked).toBe('acct:alice@social.example.com');
  });
});

/** Webfinger that names this address as the actor of alice@social.example.com. */
function selfLink(href: string) {
  return jsonReply({
    subject: 'acct:alice@social.example.com',
    links: [{ rel: 'self', type: 'application/activity+json', href }],
  });
}

describe('a name on another domain than its server', () => {
  const good = () => jsonReply(aStatus(`Sig: ${signatureFor(splitClaim)}`));

  it('is proved by a post on that server', async () => {
    const verdict = await verdictOf({ ...aSplitDomain(), [STATUS_PATH]: good() }, splitClaim);

    expect(verdict).toMatchObject({ valid: true, accountId: '42' });
  });

  it('is proved where the domain answers webfinger itself', async () => {
    const routes = {
      ...aSplitDomain(),
      'example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
      [STATUS_PATH]: good(),
    };

    expect((await verdictOf(routes, splitClaim)).valid).toBe(true);
  });

  it('is proved where the author is shown with the domain of the name', async () => {
    const account = { id: '42', username: 'alice', acct: 'alice@example.com' };
    const routes = {
      ...aSplitDomain(),
      [STATUS_PATH]: jsonReply(aStatus(`Sig: ${signatureFor(splitClaim)}`, { account })),
    };

    expect((await verdictOf(routes, splitClaim)).valid).toBe(true);
  });

  it.each<[string, Routes]>([
    [
      'knows the name under its own host only',
      { 'social.example.com/.well-known/webfinger': webfinger('alice', 'social.example.com') },
    ],
    [
      'serves another domain',
      { 'social.example.com/.well-known/webfinger': webfinger('alice', 'other.example.com', 'social.example.com') },
    ],
    ['knows no such account', { 'social.example.com/.well-known/webfinger': textReply('', 404) }],
    ['means another actor', { 'social.example.com/.well-known/webfinger': otherActor() }],
  ])('is refused where that server %s', async (_what, answers) => {
    const routes = {
      ...aSplitDomain(),
      'example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
      ...answers,
      [STATUS_PATH]: good(),
    };

    expect(await verdictOf(routes, splitClaim)).toEqual(reason('does not confirm it'));
  });

  it('is not judged where that server does not say whom it names', async () => {
    const { links } = webfinger().json as { links: unknown };
    const routes = {
      ...aSplitDomain(),
      'example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
      'social.example.com/.well-known/webfinger': jsonReply({ links }),
      [STATUS_PATH]: good(),
    };

    await expect(verdictOf(routes, splitClaim)).rejects.toThrow(PlatformUnavailableError);
  });

  it('is unavailable where that server cannot be asked', async () => {
    const routes: Routes = {
      ...aSplitDomain(),
      'example.com/.well-known/webfinger': webfinger('alice', 'example.com', 'social.example.com'),
      'social.example.com/.well-known/webfinger': textReply('busy', 503),
    };

    await expect(verdictOf(routes, splitClaim)).rejects.toThrow(PlatformUnavailableError);
  });

  it('does not make the name on the server itself another identity', async () => {
    expect(await verdictOf({ ...aSplitDomain(), [STATUS_PATH]: jsonReply(aStatus(TEXT)) })).toEqual(
      reason('another name'),
    );
  });
});

/** The server confirms the name, but for another actor. */
function otherActor() {
  const links = [{ rel: 'self', type: 'application/activity+json', href: 'https://social.example.com/users/bob' }];
  return jsonReply({ subject: 'acct:alice@example.com', links });
}

describe('nodeinfo', () => {
  const post = { [STATUS_PATH]: jsonReply(aStatus(TEXT)) };
  const note = { [NOTE_PATH]: jsonReply(aNote(TEXT)) };
  const index = (links: unknown) => ({ 'social.example.com/.well-known/nodeinfo': jsonReply({ links }) });
  const schema = (version: string) => `http://nodeinfo.diaspora.software/ns/schema/${version}`;
  /** The APIs that were asked for the post, in order, and the outcome. */
  const asked = (routes: Routes, asking = claim) =>
    inFediverse(routes, async ({ verifier, standIn }) => {
      const outcome: unknown = await verifier.verify(asking).catch((error: unknown) => error);
      const paths = standIn.requests.map(({ path }) => path);
      const apis = paths.flatMap((path) =>
        path.startsWith('/api/v1') ? ['M'] : path === '/api/notes/show' ? ['K'] : [],
      );
      return { outcome, apis: apis.join('') };
    });

  it.each([
    'mastodon',
    'hometown',
    'fedibird',
    'kmyblue',
    'pleroma',
    'akkoma',
    'rebased',
    'takahe',
    'mitra',
    'pixelfed',
    'friendica',
    'Mastodon',
  ])('that says %s leads to the API of Mastodon', async (software) => {
    expect(await asked({ ...anInstance(software), ...post })).toMatchObject({ apis: 'M', outcome: accepted });
    expect((await asked(anInstance(software))).apis).toBe('M');
  });

  it.each(['misskey', 'foundkey', 'calckey', 'firefish', 'sharkey', 'cherrypick', 'CherryPick'])(
    'that says %s leads to the API of Misskey',
    async (software) => {
      expect(await asked({ ...anInstance(software), ...note }, noteClaim)).toMatchObject({
        apis: 'K',
        outcome: { valid: true },
      });
      expect((await asked(anInstance(software))).apis).toBe('K');
    },
  );

  it.each(['iceshrimp', 'Iceshrimp.NET', 'catodon', 'something-new', '../evil', '__proto__', 'constructor', ''])(
    'that says "%s" leads to both',
    async (software) => {
      expect(await asked({ ...anInstance(software), ...post })).toMatchObject({ apis: 'M', outcome: accepted });
      expect(await asked({ ...anInstance(software), ...note }, noteClaim)).toMatchObject({
        apis: 'MK',
        outcome: { valid: true },
      });
    },
  );

  it.each([
    ['Mastodon as upstream', { upstream: { name: 'Mastodon' } }],
    ['the feature mastodon_api', { features: ['mastodon_api'] }],
  ])('that says %s leads to the API of Mastodon', async (_what, metadata) => {
    expect((await asked(anInstance('a-new-fork', metadata))).apis).toBe('M');
  });

  it.each([
    ['null as upstream', { upstream: null }],
    ['a text for its features', { features: 'pleroma_api mastodon_api' }],
    ['null for everything', null],
  ])('that says %s leads to both', async (_what, metadata) => {
    expect((await asked(anInstance('a-new-fork', metadata))).apis).toBe('MK');
  });

  it('that says gotosocial is told to the person, and no post is asked for without a signature', async () => {
    const { outcome, apis } = await asked({ ...anInstance('gotosocial'), ...post });

    expect(outcome).toBeInstanceOf(PlatformUnavailableError);
    expect((outcome as Error).message).toContain('sign their requests');
    expect(apis).toBe('');
  });

  it.each([404, 400])('that is not there (%i) leads to both', async (status) => {
    const routes = { ...anInstance('mastodon'), 'social.example.com/.well-known/nodeinfo': textReply('', status) };

    expect((await asked({ ...routes, ...post })).outcome).toMatchObject(accepted);
    expect((await asked(routes)).apis).toBe('MK');
  });

  it('of a version that nobody knows leads to both', async () => {
    const routes = {
      ...anInstance('mastodon'),
      ...index([null, 7, { rel: schema('9.9'), href: 'https://social.example.com/x' }]),
    };

    expect((await asked(routes)).apis).toBe('MK');
  });

  it.each(['1.0', '1.1', '2.0', '2.1'])('is read in version %s', async (version) => {
    const links = [{ rel: schema(version), href: 'https://social.example.com/nodeinfo/2.0' }];

    expect((await asked({ ...anInstance('misskey'), ...index(links) })).apis).toBe('K');
  });

  it('is read in the highest version of several', async () => {
    const links = ['1.0', '2.1', '2.0'].map((version) => ({
      rel: schema(version),
      href: `https://social.example.com/${version}`,
    }));
    const routes = {
      ...anInstance('x'),
      ...index(links),
      'social.example.com/2.1': jsonReply({ software: { name: 'misskey' } }),
    };

    expect((await asked(routes)).apis).toBe('K');
  });

  it('may lie on the host of the name', async () => {
    const links = [{ rel: schema('2.0'), href: 'https://example.com/nodeinfo' }];
    const routes = {
      ...aSplitDomain(),
      ...index(links),
      'example.com/nodeinfo': jsonReply({ software: { name: 'misskey' } }),
    };

    expect((await asked(routes, splitClaim)).apis).toBe('K');
  });

  it.each([
    'https://evil.example.net/nodeinfo/2.0',
    'https://social.example.com.evil.example.net/nodeinfo/2.0',
    'https://social.example.com@evil.example.net/nodeinfo/2.0',
    'http://social.example.com/nodeinfo/2.0',
    'https://social.example.com:8443/nodeinfo/2.0',
    'https://127.0.0.1/nodeinfo/2.0',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '/nodeinfo/2.0',
    '',
  ])('that leads to %s is not followed', async (href) => {
    const routes = { ...anInstance('mastodon'), ...index([{ rel: schema('2.0'), href }]) };

    const outcome = await inFediverse(routes, async ({ verifier, standIn }) => {
      await expect(verifier.verify(claim)).rejects.toThrow(PlatformUnavailableError);
      return standIn.requests.length;
    });

    expect(outcome).toBe(2);
  });

  it.each<[string, Routes]>([
    ['an index of HTML', { 'social.example.com/.well-known/nodeinfo': HTML }],
    ['an index without links', { 'social.example.com/.well-known/nodeinfo': jsonReply({}) }],
    ['an index with status 500', { 'social.example.com/.well-known/nodeinfo': jsonReply({}, 500) }],
    ['an index with status 403', { 'social.example.com/.well-known/nodeinfo': jsonReply({}, 403) }],
    [
      'an index elsewhere',
      { 'social.example.com/.well-known/nodeinfo': { status: 302, headers: { location: 'https://example.com/' } } },
    ],
    ['a document of HTML', { 'social.example.com/nodeinfo/2.0': HTML }],
    ['a document with status 404', { 'social.example.com/nodeinfo/2.0': jsonReply({}, 404) }],
    ['an index as 203', { 'social.example.com/.well-known/nodeinfo': jsonReply({ links: [] }, 203) }],
    ['a document as 203', { 'social.example.com/nodeinfo/2.0': jsonReply({ software: { name: 'mastodon' } }, 203) }],
    ['a document that is a text', { 'social.example.com/nodeinfo/2.0': jsonReply('mastodon') }],
    ['a document that is null', { 'social.example.com/nodeinfo/2.0': jsonReply(null) }],
    [
      'a document of 300 KiB',
      { 'social.example.com/nodeinfo/2.0': jsonReply({ software: { name: 'x'.repeat(300 * 1024) } }) },
    ],
  ])('that is %s is not an answer', async (_what, routes) => {
    await expect(serverVerdictOf({ ...anInstance('mastodon'), ...routes, ...post })).rejects.toThrow(
      PlatformUnavailableError,
    );
  });

  it('is asked once for the checks of an hour, and so is the way that worked', async () => {
    await inFediverse({ ...anInstance('something-new'), ...note }, async ({ verifier, standIn }) => {
      await verifier.verify(noteClaim);
      const first = standIn.requests.map(({ path }) => path);
      await verifier.verify(noteClaim);
      const second = standIn.requests.slice(first.length).map(({ path }) => path);

      expect(first).toContain('/nodeinfo/2.0');
      expect(second).toEqual(['/.well-known/webfinger', '/api/notes/show']);
    });
  });

  it('is asked again after an hour', async () => {
    const { now } = Date;
    await inFediverse({ ...anInstance('mastodon'), ...post }, async ({ verifier, standIn }) => {
      const asksForIt = async (laterMs: number) => {
        const before = standIn.requests.length;
        Date.now = () => now() + laterMs;
        await verifier.verify(claim).finally(() => (Date.now = now));
        return standIn.requests.slice(before).some(({ path }) => path === '/nodeinfo/2.0');
      };

      expect([await asksForIt(0), await asksForIt(3_500_000), await asksForIt(3_700_000)]).toEqual([true, false, true]);
    });
  });

  it('is remembered for a thousand hosts, of which the one learned longest ago is forgotten', async () => {
    const web = aFetcher({ lookup: () => Promise.reject(new Error('asked')) });
    const software = new FediverseSoftware();
    const host = (n: number) => `h${n}.example.org`;
    const apisOf = (n: number) => software.apisOf(new FediverseRequests(web), host(n), { user: 'a', host: host(n) });
    for (let n = 0; n < 1000; n += 1) software.remember(host(n), ['mastodon']);
    software.remember(host(0), ['misskey']);
    expect(await apisOf(1)).toEqual(['mastodon']);
    software.remember(host(1000), ['misskey']);

    expect(await apisOf(0)).toEqual(['misskey']);
    expect(await apisOf(2)).toEqual(['mastodon']);
    expect(await apisOf(1000)).toEqual(['misskey']);
    await expect(apisOf(1)).rejects.toThrow(PlatformUnavailableError);
    await web.stop();
  });

  it('is asked again where it could not be read', async () => {
    const routes: Routes = {
      ...anInstance('mastodon'),
      ...nodeinfo('mastodon'),
      ...post,
      'social.example.com/nodeinfo/2.0': HTML,
    };
    await inFediverse(routes, async ({ verifier }) => {
      await expect(verifier.verify(claim)).rejects.toThrow(PlatformUnavailableError);
      Object.assign(routes, nodeinfo('mastodon'));

      expect(await verifier.verify(claim)).toMatchObject(accepted);
    });
  });
});

describe('software that nobody knows', () => {
  const unknown = anInstance('something-new');

  it.each<[string, Routes]>([
    ['Mastodon says no and there is no other API', { [STATUS_PATH]: RECORD_NOT_FOUND }],
    [
      'Misskey says no and there is no other API',
      { [STATUS_PATH]: UNKNOWN_ENDPOINT, [NOTE_PATH]: misskeyError('NO_SUCH_NOTE') },
    ],
    ['both say no', { [STATUS_PATH]: RECORD_NOT_FOUND, [NOTE_PATH]: misskeyError('NO_SUCH_NOTE') }],
    [
      'one hides its posts and the other says no',
      { [STATUS_PATH]: jsonReply({ error: 'no' }, 401), [NOTE_PATH]: misskeyError('NO_SUCH_NOTE') },
    ],
  ])('has no such post where %s', async (_what, answers) => {
    expect(await verdictOf({ ...unknown, ...answers }, claim)).toEqual(refusal());
  });

  it.each<[string, Routes]>([
    ['neither API is there', {}],
    ['the first fails and the second is not there', { [STATUS_PATH]: jsonReply({}, 500) }],
    ['a page of HTML is shown for everything', { [STATUS_PATH]: HTML, [NOTE_PATH]: HTML }],
  ])('could not be asked where %s', async (_what, answers) => {
    await expect(verdictOf({ ...unknown, ...answers })).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, Routes]>([
    ['is failing', { [STATUS_PATH]: RECORD_NOT_FOUND, [NOTE_PATH]: jsonReply({}, 503) }],
    ['asks for fewer requests', { [STATUS_PATH]: RECORD_NOT_FOUND, [NOTE_PATH]: jsonReply({}, 429) }],
    ['cuts the connection', { [STATUS_PATH]: RECORD_NOT_FOUND, [NOTE_PATH]: 'cut' }],
    ['is failing', { [STATUS_PATH]: jsonReply({}, 503), [NOTE_PATH]: misskeyError('NO_SUCH_NOTE') }],
  ])('is not believed that there is no such post while the other API %s, which may have it', async (_how, answers) => {
    await expect(verdictOf({ ...unknown, ...answers })).rejects.toThrow(PlatformUnavailableError);
  });

  it('has no such post where Mastodon says no and a page of HTML is shown for the other API', async () => {
    expect(await verdictOf({ ...unknown, [STATUS_PATH]: RECORD_NOT_FOUND, [NOTE_PATH]: HTML })).toEqual(refusal());
  });

  it('is asked the second way where the first says no, which may be meant for the API itself', async () => {
    const path = `social.example.com/api/v1/statuses/${MISSKEY_ID}`;
    const routes = { ...unknown, [path]: jsonReply({ error: 'Not Found' }, 404), [NOTE_PATH]: jsonReply(aNote(TEXT)) };

    expect(await verdictOf(routes, noteClaim)).toMatchObject(accepted);
  });

  it('is asked the second way where the first hides its posts', async () => {
    const routes = {
      ...unknown,
      [`social.example.com/api/v1/statuses/${MISSKEY_ID}`]: jsonReply({ error: 'no' }, 401),
      [NOTE_PATH]: jsonReply(aNote(TEXT)),
    };

    expect(await verdictOf(routes, noteClaim)).toMatchObject(accepted);
  });
});

describe('the author of a post that was accepted before', () => {
  it('is not alice any more when renamed', async () => {
    const account = { id: '42', username: 'alice2', acct: 'alice2' };

    expect(await mastodonWith({ account })).toEqual(reason('another account'));
  });

  it('is told by the id when somebody else has taken the name', async () => {
    const verdict = await mastodonWith({ account: { id: '77', username: 'alice', acct: 'alice' } });

    expect(verdict).toMatchObject({ valid: true, accountId: '77' });
  });

  it('has not signed when the post was edited', async () => {
    expect(await mastodonWith({ content: asHtml('edited'), edited_at: '2026-01-02T03:04:05.000Z' })).toEqual(
      reason('signature'),
    );
  });
});

/** As `verdictOf`, but a server that says nothing is given up soon. */
function withShortTime(routes: Routes): Promise<Verdict> {
  return inFediverse(
    routes,
    ({ verifier }) => verifier.verify(aFediverseClaim({ proofLocation: MASTODON_ID })),
    '1000',
  );
}
