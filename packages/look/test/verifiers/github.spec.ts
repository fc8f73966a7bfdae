import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import { GithubVerifier } from '../../src/verifiers/github.verifier.js';
import type { ValidVerdict, Verdict } from '../../src/platform-verifier.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';
import { FORKED_GIST } from './recorded/github.js';
import {
  jsonReply,
  textReply,
  type StandInHandler,
  type StandInReply,
  type StandInRequest,
} from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  verdictEverywhere,
  withVerifier,
  type VerifierUnderTest,
} from './describe-verifier.js';

const GIST_ID = '0123456789abcdef0123456789abcdef';
const TOKEN = 'ghp_very_secret_token';

const alice = anAvatar('alice');
/** A verifier for its texts; it is not asked to verify. */
const writer = new GithubVerifier(aFetcher());
const claim = aClaim({ platform: 'github', identity: 'alice-demo', proofLocation: GIST_ID });
const document = postOf(writer, claim);
const fileName = `${alice.key.compressed}.json`;

/** A gist as "Get a gist" answers it, with its files by name. */
function gist(files: Record<string, unknown>, changes: object = {}): object {
  return {
    id: GIST_ID,
    public: true,
    truncated: false,
    updated_at: '2026-01-02T03:04:05Z',
    owner: { login: 'Alice-Demo', id: 9000001, type: 'User' },
    files,
    ...changes,
  };
}

/** The document of the claim with a signature over another text. */
function documentOf(signed: string): string {
  return document.replace(alice.sign(claim.signPayload), alice.sign(signed));
}

function file(name: string, content: string, changes: object = {}): Record<string, unknown> {
  return { [name]: { filename: name, size: content.length, truncated: false, content, ...changes } };
}

/** Files that name the key inside, with a signature over another text. */
const fiveOld: Record<string, unknown> = Object.assign(
  {},
  ...[1, 2, 3, 4, 5].map((number) => file(`old-${number}.json`, documentOf('an older payload'))),
);

/** A recorded fork, with the file of a proof in it. */
function forkOf(text: string): object {
  return { ...FORKED_GIST, owner: { ...FORKED_GIST.owner, login: 'Alice-Demo' }, files: file(fileName, text) };
}

const notFound = jsonReply({ message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }, 404);

const suite: VerifierUnderTest = {
  platform: 'github',
  identity: 'alice-demo',
  otherIdentity: 'mallory',
  proofLocation: GIST_ID,
  accountId: '9000001',
  create: (web, options) => new GithubVerifier(web, options),
  browser: (web, options) => new GithubVerifier(web, options),
  settings: (baseUrl) => ({ GITHUB_API_BASE: baseUrl, GITHUB_TOKEN: TOKEN }),
  published: ({ author, text, avatar }) => {
    const owner = author === 'alice-demo' ? { login: 'Alice-Demo', id: 9000001 } : { login: author, id: 9000002 };
    return ({ path }) =>
      path === `/gists/${GIST_ID}` ? jsonReply(gist(file(`${avatar.compressed}.json`, text), { owner })) : notFound;
  },
  absenceIsNo: {
    [`files.${fileName}`]: 'GitHub REST API, "Get a gist": `files` has a member for each file of the gist',
  },
  missing: {
    'a 404': () => notFound,
    'a gist without files': () => jsonReply(gist({})),
    'a gist with other files': () => jsonReply(gist({ ...file('readme.md', document), ...file('other.json', '{}') })),
  },
  foreign: {
    'a file named for another key':
      ({ text }) =>
      () =>
        jsonReply(gist({ ...file(`${anAvatar('mallory').key.compressed}.txt`, text), ...file(fileName, '{}') })),
    'the fork of a gist of somebody else':
      ({ text }) =>
      () =>
        jsonReply(forkOf(text)),
  },
};

describePostVerifier(suite);

/** The verdict over this answer, without a token where `variables` say so. */
function check(
  reply: StandInReply | StandInHandler,
  asked = claim,
  variables: Record<string, string> = {},
): Promise<Verdict> {
  const handler: StandInHandler = typeof reply === 'function' ? (reply as StandInHandler) : () => reply;
  return verdictEverywhere(suite, handler, asked, variables);
}

describeIdentities(writer, {
  accepted: [
    ['Alice-Demo', 'alice-demo'],
    [' @alice ', 'alice'],
    ['https://github.com/Alice-Demo', 'alice-demo'],
    ['github.com/alice-demo/?tab=repositories', 'alice-demo'],
    ['http://www.github.com/alice-demo#top', 'alice-demo'],
    ['alice-', 'alice-'],
    ['alice_company', 'alice_company'],
  ],
  refused: [
    '',
    '-alice',
    'al ice',
    'alice/repo',
    'https://github.com/alice/repo',
    'https://evil.example/alice',
    'https://evil.example/github.com/alice',
    'evilgithub.com/alice',
    'ali@ce',
    'älice',
    'a'.repeat(102),
    '../x',
    'ali\u212ae',
  ],
});

describeLocations(writer, {
  identity: suite.identity,
  accepted: [
    // docs/design/platforms.md, appendix A
    [`https://gist.github.com/Alice-Demo/${GIST_ID}#file-x-json`, GIST_ID],
    [
      'https://gist.github.com/Alice-Demo/0123456789abcdef0123/1111111111111111111111111111111111111111',
      '0123456789abcdef0123',
    ],
    ['https://gist.githubusercontent.com/a/0123456789abcdef0123/raw/x.json', '0123456789abcdef0123'],
    // docs/design/platforms.md, section 4
    [GIST_ID, GIST_ID],
    [GIST_ID.toUpperCase(), GIST_ID],
    ['1234567', '1234567'],
    [`gist.github.com/${GIST_ID}`, GIST_ID],
    [` http://gist.github.com//alice//${GIST_ID} `, GIST_ID],
    [`git@gist.github.com:${GIST_ID}`, GIST_ID],
    [`https://gist.github.com/${GIST_ID}/raw`, GIST_ID],
    [`https://gist.github.com/alice/${GIST_ID}/edit`, GIST_ID],
    [`https://gist.github.com/${GIST_ID}/edit`, GIST_ID],
    [`https://gist.github.com/alice/${GIST_ID}.js`, GIST_ID],
    [`<script src="https://gist.github.com/alice/${GIST_ID}.js"></script>`, GIST_ID],
    [`<script src="https://gist.github.com/alice/${GIST_ID}.js?file=x.json"></script>`, GIST_ID],
    [`[my gist](https://gist.github.com/alice/${GIST_ID})`, GIST_ID],
    [`https://gist.github.com/${GIST_ID}/1111111111111111111111111111111111111111`, GIST_ID],
    [`https://gist.github.com/alice/${GIST_ID}/raw/1111111111111111111111111111111111111111/x.json`, GIST_ID],
    [`https://gist.github.com/alice/${GIST_ID}.git`, GIST_ID],
    [`https://gist.github.com/${GIST_ID}.git`, GIST_ID],
    [`https://gist.github.com/deadbeef/${GIST_ID}`, GIST_ID],
    [`https://gist.github.com/alice/${GIST_ID}/?permalink=1`, GIST_ID],
    [`https://api.github.com/gists/${GIST_ID}`, GIST_ID],
    [`git@gist.github.com:${GIST_ID}.git`, GIST_ID],
  ],
  refused: [
    `<script src="https://evil.example/alice/${GIST_ID}.js"></script>`,
    ...['https://github.com/a/b', '../x', '%2e%2e', '', 'xyz', 'a'.repeat(41), `${GIST_ID}/comments`, `${GIST_ID}?x`],
    ...[
      'https://gist.github.com/',
      'https://gist.github.com/alice/xyz',
      `https://gist.github.com.evil.example/a/${GIST_ID}`,
    ],
    ...[`xgit@gist.github.com:${GIST_ID}`, 'https://gist.github.com/alice/0123456789abcdef0123.gitab'],
    ...[`https://evil.example/gist.github.com/a/${GIST_ID}`, `https://gist.github.com@evil.example/a/${GIST_ID}`],
    ...[
      `https://api.github.com/repos/${GIST_ID}`,
      `ftp://gist.github.com/a/${GIST_ID}`,
      `https://gist.github.com:444/a/${GIST_ID}`,
    ],
  ],
});

describe('the file in the gist', () => {
  it.each<[string, Record<string, unknown>]>([
    ['named for the key', file(fileName, document)],
    ['named in capitals', file(fileName.toUpperCase(), document)],
    ['named without 0x', file(fileName.slice(2), document)],
    ['of another name, naming the key inside', file('proof.json', document)],
    ['of another name, naming the key as persona', file('proof.json', document.replace('"avatar"', '"persona"'))],
    [
      'among other files',
      { ...file('a.json', '{}'), ...file('b.md', 'text'), ...file(fileName, document), ...file('c.json', '[') },
    ],
    [
      'beside a .json without a text',
      { ...file('a.json', '', { content: undefined }), ...file('proof.json', document) },
    ],
    ['beside an old one for this key', { ...file(fileName.slice(2), '{}'), ...file(fileName, document) }],
    ['beside a wrong one of the better name', { ...file(fileName, '{}'), ...file('second.json', document) }],
    ['behind five old ones that name the key inside', { ...fiveOld, ...file(fileName.slice(2), document) }],
    ['with a byte order mark and CRLF', file(fileName, `\ufeff${document.replaceAll('\n', '\r\n')}`)],
    ['that is not JSON and is named without 0x', file(fileName.slice(2), `Sig: ${alice.sign(claim.signPayload)}`)],
    ['that is not JSON but holds the signature', file(fileName, `Sig: ${alice.sign(claim.signPayload)} (mine)`)],
  ])('is accepted %s', async (_how, files) => {
    expect(await check(jsonReply(gist(files)))).toMatchObject({
      valid: true,
      signature: alice.sign(claim.signPayload),
    });
  });

  it.each<[string, object]>([
    ['the gist is secret', gist(file(fileName, document), { public: false })],
    ['the gist has no owner any more', gist(file(fileName, document), { owner: null })],
    ['the gist was forked by somebody else', gist(file(fileName, document), { owner: { login: 'mallory', id: 1 } })],
    ['the gist is a fork of another one', forkOf(document)],
    ['the gist is a fork of a gist of which nothing is said', { ...forkOf(document), fork_of: {} }],
    ['the account was renamed', gist(file(fileName, document), { owner: { login: 'alice-renamed', id: 9000001 } })],
    ['the list of files is cut', gist(file(fileName, document), { truncated: true })],
    ['the file is cut', gist(file(fileName, document.slice(0, 20), { truncated: true }))],
    ['the file is cut though its start holds the signature', gist(file(fileName, document, { truncated: true }))],
    ['the file is longer than 64 KiB', gist(file(fileName, `${document}${' '.repeat(64 * 1024)}`))],
    ['the file is not a .json', gist(file(`${alice.key.compressed}.txt`, document))],
    ['five wrong ones of the same kind stand before it', gist({ ...fiveOld, ...file('z.json', document) })],
    [
      'the file names another key and is named for none',
      gist(file('x.json', document.replace(alice.key.compressed, anAvatar('bob').key.compressed))),
    ],
  ])('is refused when %s', async (_why, answer) => {
    expect(await check(jsonReply(answer), claim, { OUTBOUND_MAX_BYTES: '200000' })).toEqual(refusal());
  });

  it('is refused when it was made for a victim: signed by another key over a payload of its own', async () => {
    const mallory = anAvatar('mallory');
    const own = claim.signPayload.replace('"prev":null', '"prev":"mine"');
    const text = JSON.stringify({ ...JSON.parse(document), sign_payload: own, signature: mallory.sign(own) });

    expect(await check(jsonReply(gist(file(fileName, text))))).toEqual(refusal());
  });

  it('says that nobody owns the gist', async () => {
    const verdict = await check(jsonReply(gist(file(fileName, document), { owner: null })));

    expect(verdict).toEqual({ valid: false, reason: 'The gist has no owner.' });
  });

  it('says whose gist it is', async () => {
    const verdict = await check(jsonReply(gist(file(fileName, document), { owner: { login: 'Bob' } })));

    expect(verdict).toEqual({ valid: false, reason: 'The gist belongs to "bob", not "alice-demo".' });
  });

  it.each<[string, object]>([
    ['somebody else', { login: '<b>mallory</b>' }],
    ['somebody else', { login: '' }],
  ])('calls an owner whose name GitHub does not give %s', async (words, owner) => {
    const verdict = await check(jsonReply(gist(file(fileName, document), { owner })));

    expect(verdict).toEqual({ valid: false, reason: `The gist belongs to ${words}, not "alice-demo".` });
  });

  it('is that of the better name where several are wrong', async () => {
    const files = {
      ...file('a.json', documentOf('an older payload')),
      ...file(fileName, document, { truncated: true }),
    };

    expect(await check(jsonReply(gist(files)))).toEqual({ valid: false, reason: expect.stringContaining('too long') });
  });

  it('may be in a gist that says that it is no fork', async () => {
    expect(await check(jsonReply(gist(file(fileName, document), { fork_of: null })))).toMatchObject({ valid: true });
  });

  it('leaves the address of the gist and the whole file as evidence', async () => {
    const verdict = (await check(jsonReply(gist(file(fileName, document))))) as ValidVerdict;

    expect(verdict.evidence).toMatchObject({ url: `https://gist.github.com/${GIST_ID}`, matchedText: document });
  });
});

describe('what GitHub answers otherwise', () => {
  it.each<[string, StandInReply]>([
    ['404', notFound],
    ['410', jsonReply({ message: 'Gone' }, 410)],
    ['403 of a disabled gist', jsonReply({ message: 'Gist access blocked' }, 403, { 'x-ratelimit-remaining': '4999' })],
    ['451 with a used-up limit', jsonReply({ message: 'Blocked' }, 451, { 'x-ratelimit-remaining': '0' })],
    ['451', jsonReply({ message: 'Repository access blocked', block: { reason: 'dmca' } }, 451)],
  ])('is gone: %s', async (_status, reply) => {
    expect(await check(reply)).toEqual(refusal());
  });

  it.each<[string, StandInReply]>([
    ['a 404 of something in front of the API', textReply('<html>nginx</html>', 404, 'text/html')],
    ['400', jsonReply({ message: 'Bad request' }, 400)],
    ['304, which nobody asked for', { status: 304 }],
    ['301', jsonReply({ message: 'Moved Permanently', url: 'https://api.github.com/x' }, 301)],
    ['a file of the right name of which nothing is said', jsonReply(gist({ [fileName]: null }))],
    ['a gist whose owner has no id', jsonReply(gist(file(fileName, document), { owner: { login: 'alice-demo' } }))],
    ['a gist whose list of files is null', jsonReply({ ...gist({}), files: null })],
    ['a 200 without JSON of a gist', jsonReply(null)],
    ['a gist without its list of files', jsonReply({ ...gist({}), files: undefined })],
  ])('is unavailable: %s', async (_status, reply) => {
    await expect(check(reply)).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['with a used-up limit', { 'x-ratelimit-remaining': '0' }, 'API rate limit exceeded', 60],
    ['with a used-up limit and other words', { 'x-ratelimit-remaining': '0' }, 'Forbidden', 60],
    ['with retry-after', { 'retry-after': '90' }, 'Forbidden', 90],
    ['with a secondary limit', {}, 'You have exceeded a secondary rate limit.', 60],
    [
      'with the time of the reset',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767323100', date: 'Fri, 02 Jan 2026 03:00:00 GMT' },
      'API rate limit exceeded',
      300,
    ],
  ])('is unavailable: a 403 %s, with the time to wait', async (_how, headers, message, retryAfterSeconds) => {
    await expect(check(jsonReply({ message }, 403, headers))).rejects.toMatchObject({
      name: 'PlatformUnavailableError',
      retryAfterSeconds,
    });
  });

  it('is a matter of the operator: 401, said without the token', async () => {
    const error: unknown = await check(jsonReply({ message: 'Bad credentials' }, 401)).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toBeInstanceOf(PlatformMisconfiguredError);
    expect(String(error)).not.toContain(TOKEN);
  });
});

describe('the request to GitHub', () => {
  const asked = (variables: Record<string, string> = {}) =>
    withVerifier(
      suite,
      () => notFound,
      async ({ verifier, standIn }): Promise<StandInRequest[]> => {
        await verifier.verify(claim);
        return standIn.requests;
      },
      variables,
    );

  it('asks once, for the newest version, as the API wants it', async () => {
    const [request, ...others] = await asked();

    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: 'GET',
      path: `/gists/${GIST_ID}`,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        authorization: `Bearer ${TOKEN}`,
      },
    });
    expect(request!.headers['user-agent']).toBeTruthy();
  });

  it('works without a token', async () => {
    const [request] = await asked({ GITHUB_TOKEN: '' });

    expect(request!.headers).not.toHaveProperty('authorization');
  });
});

it.each([
  ['', false],
  ['y', true],
])('costs what GitHub allows with the token %j', (GITHUB_TOKEN, hasToken) => {
  const verifier = new GithubVerifier(aFetcher(), optionsIn('github', { GITHUB_TOKEN }));

  expect(verifier.costs).toEqual({
    rates: { plain: { requests: 60, seconds: 3600 }, withToken: { requests: 5000, seconds: 3600 } },
    hasToken,
  });
  expect(verifier.addresses).toEqual({ apiBase: '' });
});
