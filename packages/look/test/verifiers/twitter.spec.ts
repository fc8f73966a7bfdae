import { type Fetcher, PlatformMisconfiguredError, PlatformUnavailableError, type TwitterOptions } from '@signet/look';
import { TwitterVerifier } from '../../src/verifiers/twitter/twitter.verifier.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import {
  jsonReply,
  textReply,
  type StandIn,
  type StandInHandler,
  type StandInReply,
} from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  withVerifier,
  type VerifierUnderTest,
} from './describe-verifier.js';
import { batchNotFound, CUT_END, EMPTY_TOMBSTONES, GONE_TOMBSTONES, NOT_FOUND_PAGE, tombstone } from './recorded/x.js';

const ID = '1800000000000000001';
const NEWER = '1800000000000000009';
const AUTHOR_ID = '990000000000000001';
const TOKEN = 'a-bearer-token';

const problem = (kind: string, more: object = {}) => ({
  type: `https://api.x.com/2/problems/${kind}`,
  title: kind,
  ...more,
});
const NOT_FOUND = problem('resource-not-found', { value: ID, resource_id: ID });

function apiAnswer(author: string, text: string, changes: object = {}): { data: object; includes: object } {
  return {
    data: { id: ID, text, author_id: AUTHOR_ID, edit_history_tweet_ids: [ID], ...changes },
    includes: {
      users: [
        { id: '1', username: 'somebody' },
        { id: AUTHOR_ID, username: author, name: 'Alice' },
      ],
    },
  };
}

/** The API alone: answers by post id; everything else on the same server is broken. */
const api =
  (answers: Record<string, StandInReply>): StandInHandler =>
  ({ path, headers }) => {
    if (!path.startsWith('/2/tweets')) return { status: 500 };
    if (headers['authorization'] !== `Bearer ${TOKEN}`) return jsonReply(problem('unauthorized'), 401);
    return answers[path.slice('/2/tweets/'.length)] ?? jsonReply(NOT_FOUND, 404);
  };

/** What both endpoints that need no key answer for a post that is not there. */
const NOT_FOUND_REPLY = textReply(NOT_FOUND_PAGE, 404, 'text/html; charset=utf-8');

function syndicated(author: string, text: string, changes: object = {}): object {
  return {
    __typename: 'Tweet',
    id_str: ID,
    text,
    user: { id_str: AUTHOR_ID, screen_name: author, name: 'Alice' },
    created_at: '2026-01-02T03:04:05.000Z',
    isEdited: false,
    isStaleEdit: false,
    ...changes,
  };
}

/** The endpoint of embedded posts alone. */
const syndication =
  (answers: Record<string, StandInReply>): StandInHandler =>
  ({ path, query }) =>
    path === '/tweet-result' && query.get('token')
      ? (answers[query.get('id') ?? ''] ?? NOT_FOUND_REPLY)
      : { status: 500 };

/** Text as X writes it into HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;').replaceAll('\n', '<br>');
}

/** What oEmbed says of a post; `end` is HTML behind the text. */
function embed(author: string, text: string, { name = 'Alice', end = '' } = {}): object {
  return {
    url: `https://x.com/${author}/status/${ID}`,
    author_name: name,
    author_url: `https://x.com/${author}`,
    html:
      `<blockquote class="twitter-tweet" data-dnt="true"><p lang="en" dir="ltr">${escaped(text)}${end}</p>&mdash; ${escaped(name)} ` +
      `(@${author}) <a href="https://x.com/${author}/status/${ID}">June 10, 2024</a></blockquote>\n`,
    cache_age: '3153600000',
  };
}

/** oEmbed alone, which takes an address without a user. */
function oembed(author: string, text: string, more: { name?: string; end?: string } = {}): StandInHandler {
  return ({ path, query }) => {
    if (path !== '/oembed') return { status: 500 };
    return query.get('url') === `https://x.com/i/status/${ID}` ? jsonReply(embed(author, text, more)) : NOT_FOUND_REPLY;
  };
}

const bases = (baseUrl: string) => ({ X_API_BASE: baseUrl, X_SYNDICATION_BASE: baseUrl, X_OEMBED_BASE: baseUrl });
const common = {
  platform: 'twitter',
  identity: 'alice_demo',
  otherIdentity: 'mallory',
  proofLocation: ID,
  create: (web: Fetcher, options: TwitterOptions) => new TwitterVerifier(web, options),
};

const byApi: VerifierUnderTest = {
  ...common,
  accountId: AUTHOR_ID,
  settings: (baseUrl) => ({ ...bases(baseUrl), X_BEARER_TOKEN: TOKEN }),
  published: ({ author, text }) => api({ [ID]: jsonReply(apiAnswer(author, text)) }),
  absenceIsNo: { 'data.note_tweet': 'X data dictionary, "note_tweet": only posts of more than 280 characters have it' },
  otherForms: {
    'a long post': ({ author, text }) => api({ [ID]: jsonReply(apiAnswer(author, 'long…', { note_tweet: { text } })) }),
    'an edited post': ({ author, text }) => {
      const versions = { edit_history_tweet_ids: [ID, NEWER] };
      return api({
        [ID]: jsonReply(apiAnswer(author, text, versions)),
        [NEWER]: jsonReply(apiAnswer(author, text, { ...versions, id: NEWER })),
      });
    },
  },
  missing: {
    'a 404': api({}),
    'a 200 with errors alone': api({ [ID]: jsonReply({ errors: [NOT_FOUND] }) }),
    'a protected account': api({ [ID]: jsonReply({ errors: [problem('not-authorized-for-resource')] }) }),
    'a post that X has taken down': api({ [ID]: jsonReply({ errors: [problem('resource-unavailable')] }) }),
    'a post that X does not allow': api({ [ID]: jsonReply({ errors: [problem('disallowed-resource')] }) }),
  },
  foreign: {
    'a repost': ({ author, text }) =>
      api({
        [ID]: jsonReply(
          apiAnswer(author, `RT @mallory: ${text}`, { referenced_tweets: [{ type: 'retweeted', id: '1' }] }),
        ),
      }),
    'a repost in an answer that does not call it one': ({ author, text }) =>
      api({ [ID]: jsonReply(apiAnswer(author, `RT @mallory: ${text}`)) }),
    'a repost whose text looks like an own one': ({ author, text }) =>
      api({ [ID]: jsonReply(apiAnswer(author, text, { referenced_tweets: [{ type: 'retweeted', id: '1' }] })) }),
    'the post that is quoted': ({ author, text }) =>
      api({
        [ID]: jsonReply({
          ...apiAnswer(author, 'look', { referenced_tweets: [{ type: 'quoted', id: '1' }] }),
          includes: { users: [{ id: AUTHOR_ID, username: author }], tweets: [{ id: '1', text }] },
        }),
      }),
  },
};

const bySyndication: VerifierUnderTest = {
  ...common,
  accountId: AUTHOR_ID,
  settings: (baseUrl) => ({ ...bases(baseUrl), X_FALLBACKS: 'syndication' }),
  published: ({ author, text }) => syndication({ [ID]: jsonReply(syndicated(author, text)) }),
  missing: {
    'a 404 with a page': syndication({}),
    'a 404 without a body': syndication({ [ID]: { status: 404 } }),
    'a 404 with JSON': syndication({ [ID]: jsonReply({}, 404) }),
    ...Object.fromEntries(
      GONE_TOMBSTONES.map((words) => [`a tombstone: ${words}`, syndication({ [ID]: jsonReply(tombstone(words)) })]),
    ),
  },
  foreign: {
    'the post that is quoted': ({ author, text }) =>
      syndication({ [ID]: jsonReply(syndicated(author, 'look', { quoted_tweet: syndicated('mallory', text) })) }),
    'the post that is answered': ({ author, text }) =>
      syndication({ [ID]: jsonReply(syndicated(author, 'look', { parent: syndicated('mallory', text) })) }),
    'a repost': ({ author, text }) => syndication({ [ID]: jsonReply(syndicated(author, `RT @mallory: ${text}`)) }),
  },
};

const byOembed: VerifierUnderTest = {
  ...common,
  settings: (baseUrl) => ({ ...bases(baseUrl), X_FALLBACKS: 'oembed' }),
  published: ({ author, text }) => oembed(author, text),
  missing: {
    'a 404 with a page': () => NOT_FOUND_REPLY,
    'a 404 without a body': () => ({ status: 404 }),
    'a 404 with JSON': () => jsonReply({}, 404),
  },
  foreign: {
    'the display name behind the post': ({ author, text }) => oembed(author, 'look', { name: text }),
    'a repost': ({ author, text }) => oembed(author, `RT @mallory: ${text}`),
  },
};

describe('by the API', () => describePostVerifier(byApi));
describe('by syndication', () => describePostVerifier(bySyndication));
describe('by oEmbed', () => describePostVerifier(byOembed));

const offline = new TwitterVerifier(aFetcher(), { token: TOKEN });
const claim = aClaim(common);
const text = postOf(offline, claim);

/** Asks a stand-in in the way of `suite`; `requests` are the paths that it was asked for. */
async function ask(suite: VerifierUnderTest, handler: StandInHandler, { asked = claim, variables = {} } = {}) {
  return withVerifier(
    suite,
    handler,
    async ({ verifier, standIn }) => {
      const verdict = await verifier.verify(asked).catch((error: unknown) => error);
      return { verdict, requests: standIn.requests };
    },
    variables,
  );
}

describe('twitter: the API', () => {
  const check = async (answers: Record<string, StandInReply>) => (await ask(byApi, api(answers))).verdict;

  it('accepts a name in the letter case of the platform, and names the page in the evidence', async () => {
    expect(await check({ [ID]: jsonReply(apiAnswer('Alice_Demo', text)) })).toMatchObject({
      valid: true,
      evidence: { url: `https://x.com/i/status/${ID}` },
    });
  });

  it('reads the whole text of a long post', async () => {
    const cut = `${'long '.repeat(50)}…`;

    expect(
      await check({ [ID]: jsonReply(apiAnswer('alice_demo', cut, { note_tweet: { text: cut + text } })) }),
    ).toMatchObject({ valid: true });
  });

  it('decodes entities once', async () => {
    const verdict = await check({
      [ID]: jsonReply(apiAnswer('alice_demo', `&lt;3 &amp;lt; Tom &amp; Jerry\n${text}`)),
    });

    expect(verdict).toMatchObject({ evidence: { matchedText: `<3 &lt; Tom & Jerry\n${text}` } });
  });

  it('judges the newest version of an edited post', async () => {
    const versions = { edit_history_tweet_ids: [ID, NEWER] };
    const old = (words: string) => jsonReply(apiAnswer('alice_demo', words, versions));
    const newest = (words: string) => jsonReply(apiAnswer('alice_demo', words, { ...versions, id: NEWER }));

    expect(await check({ [ID]: old(text), [NEWER]: newest('edited away') })).toEqual(refusal());
    expect(await check({ [ID]: old('not yet'), [NEWER]: newest(text) })).toMatchObject({ valid: true });
    expect(await check({ [ID]: newest(text) })).toMatchObject({ valid: true });
    expect(await check({ [ID]: old(text) })).toEqual(refusal());
  });

  it('does not take another post for the one that was asked for', async () => {
    expect(
      await check({ [ID]: jsonReply(apiAnswer('alice_demo', text, { id: NEWER, edit_history_tweet_ids: [NEWER] })) }),
    ).toBeInstanceOf(PlatformUnavailableError);
  });

  it('needs the author of the post among the users, not just any', async () => {
    const answer = { ...apiAnswer('alice_demo', text), includes: { users: [{ id: '1', username: 'alice_demo' }] } };

    expect(await check({ [ID]: jsonReply(answer) })).toBeInstanceOf(PlatformUnavailableError);
  });

  it.each([
    [400, 'invalid-request', PlatformUnavailableError],
    [401, 'unauthorized', PlatformMisconfiguredError],
    [402, 'credits-depleted', PlatformMisconfiguredError],
    [403, 'client-forbidden', PlatformMisconfiguredError],
    [403, 'usage-capped', PlatformMisconfiguredError],
    [403, 'something-new', PlatformUnavailableError],
    [429, 'rate-limit-exceeded', PlatformUnavailableError],
    [429, 'usage-capped', PlatformUnavailableError],
    [503, 'service-unavailable', PlatformUnavailableError],
    [200, 'something-new', PlatformUnavailableError],
  ])('keeps a proof as it is on status %i %s', async (status, kind, kindOfError) => {
    const body = status === 200 ? { errors: [problem(kind)] } : problem(kind);

    expect(await check({ [ID]: jsonReply(body, status) })).toBeInstanceOf(kindOfError);
  });

  it('takes a 401 without JSON for a refused token as well', async () => {
    expect(await check({ [ID]: textReply('<html>', 401, 'text/html') })).toBeInstanceOf(PlatformMisconfiguredError);
    expect(await check({ [ID]: textReply('<html>', 404, 'text/html') })).toBeInstanceOf(PlatformUnavailableError);
  });

  it.each([
    ['an id that is not a number', { id: '1/../../users', edit_history_tweet_ids: [ID] }],
    ['an id that has lost its last digits', { id: Number(ID), edit_history_tweet_ids: [ID] }],
    ['an id of its author that is not a number', { author_id: 'x' }],
    ['an id of its author that is no text', { author_id: 5 }],
    ['no text', { text: undefined }],
  ])('does not judge a post with %s', async (_what, changes) => {
    const { data, includes } = apiAnswer('alice_demo', text, changes) as ReturnType<typeof apiAnswer>;
    const users = [AUTHOR_ID, 'x', 5].map((id) => ({ id, username: 'alice_demo' }));

    expect(await check({ [ID]: jsonReply({ data, includes: { ...includes, users } }) })).toBeInstanceOf(
      PlatformUnavailableError,
    );
  });

  it.each(['al ice', '', 'a'.repeat(31), 'alice_demo\n'])(
    'does not call a post refused whose author has a name that X does not give: %j',
    async (name) => {
      expect(await check({ [ID]: jsonReply(apiAnswer(name, text)) })).toBeInstanceOf(PlatformUnavailableError);
    },
  );

  it.each([[[ID, '../../users/me']], [[ID, 5]], ['x']])('asks for no version that is not a number: %j', async (ids) => {
    const answers = { [ID]: jsonReply(apiAnswer('alice_demo', text, { edit_history_tweet_ids: ids })) };
    const { verdict, requests } = await ask(byApi, api(answers));

    expect(verdict).toMatchObject({ valid: true });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [403, problem('not-authorized-for-resource'), 'The post on X is not public.'],
    [200, { errors: [problem('not-authorized-for-resource')] }, 'The post on X is not public.'],
    [403, problem('resource-unavailable'), 'X does not show this post any more.'],
    [200, { errors: [problem('disallowed-resource')] }, 'X does not show this post any more.'],
    [200, { errors: [NOT_FOUND] }, 'There is no such post on X.'],
    [404, problem('something-new'), 'There is no such post on X.'],
  ])('says why a post is not to be seen, on status %i %j', async (status, body, reason) => {
    expect(await check({ [ID]: jsonReply(body, status) })).toEqual({ valid: false, reason });
  });

  it('takes the own text of a post that quotes or answers another', async () => {
    const references = [null, { type: 'quoted', id: '1' }, { type: 'replied_to', id: '2' }];
    const answer = apiAnswer('alice_demo', text, { referenced_tweets: references });

    expect(await check({ [ID]: jsonReply(answer) })).toMatchObject({ valid: true });
  });

  it('judges the newest of three versions', async () => {
    const versions = { edit_history_tweet_ids: ['1799999999999999999', ID, NEWER] };
    const answers = {
      [ID]: jsonReply(apiAnswer('alice_demo', 'not yet', versions)),
      [NEWER]: jsonReply(apiAnswer('alice_demo', text, { ...versions, id: NEWER })),
    };

    expect(await check(answers)).toMatchObject({ valid: true, evidence: { url: `https://x.com/i/status/${NEWER}` } });
  });

  it('names the fields as the server does, in one request', async () => {
    const { verdict, requests } = await ask(byApi, api({ [ID]: jsonReply(apiAnswer('alice_demo', text)) }));

    expect(verdict).toMatchObject({ valid: true });
    expect(requests.map(({ query }) => [...query.keys()].sort())).toEqual([
      ['expansions', 'tweet.fields', 'user.fields'],
    ]);
  });
});

describe('twitter: many posts at once', () => {
  const claimOf = (index: number) => ({ ...claim, proofLocation: String(1000 + index) });
  /** Shows every post but those whose number ends in 7; keeps silent about those that end in 9. */
  const lookup: StandInHandler = ({ path, query }) => {
    if (path !== '/2/tweets') return jsonReply(apiAnswer('alice_demo', 'edited away', { id: path.split('/').at(-1) }));
    const ids = (query.get('ids') ?? '').split(',');
    const shown = ids.filter((id) => !/[79]$/.test(id));
    return jsonReply({
      data: shown.map(
        (id) =>
          apiAnswer('alice_demo', text, { id, edit_history_tweet_ids: id.endsWith('5') ? [id, `${id}1`] : [id] }).data,
      ),
      includes: apiAnswer('alice_demo', text).includes,
      errors: ids
        .filter((id) => id.endsWith('7'))
        .map((id, index) =>
          index % 2 === 0 ? batchNotFound(id) : problem('resource-not-found', { value: id, resource_id: id }),
        ),
    });
  };

  /** How many ids each request had. */
  const idsAsked = ({ requests }: Pick<StandIn, 'requests'>) =>
    requests.map(({ query }) => query.get('ids')!.split(',').length);

  it('asks once for each hundred, and answers in order', async () => {
    const claims = Array.from({ length: 130 }, (_, index) => claimOf(index)).filter(
      ({ proofLocation }) => !proofLocation.endsWith('5'),
    );

    const [outcomes, requests] = await withVerifier(
      byApi,
      lookup,
      async ({ verifier, standIn }) => [await verifier.verifyMany!(claims), idsAsked(standIn)] as const,
    );

    expect(requests).toEqual([100, claims.length - 100]);
    expect(outcomes).toHaveLength(claims.length);
    for (const [index, outcome] of outcomes.entries()) {
      const last = claims[index]!.proofLocation.at(-1);
      if (last === '7') expect(outcome).toEqual(refusal());
      else if (last === '9') expect(outcome).toBeInstanceOf(PlatformUnavailableError);
      else
        expect(outcome).toMatchObject({
          valid: true,
          evidence: { url: `https://x.com/i/status/${claims[index]!.proofLocation}` },
        });
    }
  });

  it.each([
    [0, []],
    [100, [100]],
  ])('asks for %i as often as it has to', async (count, asked) => {
    const claims = Array.from({ length: count }, (_, index) => claimOf(1000 + 10 * index));

    const requests = await withVerifier(byApi, lookup, async ({ verifier, standIn }) => {
      await verifier.verifyMany!(claims);
      return idsAsked(standIn);
    });

    expect(requests).toEqual(asked);
  });

  it('asks again for the newest version of an edited post', async () => {
    const outcomes = await withVerifier(byApi, lookup, ({ verifier }) =>
      verifier.verifyMany!([claimOf(5), claimOf(6)]),
    );

    expect(outcomes).toEqual([refusal(), expect.objectContaining({ valid: true })]);
  });

  it.each<[string, (id: string) => object | null, unknown]>([
    ['says nothing of them', () => null, expect.any(PlatformUnavailableError)],
    [
      'has a problem of an unknown kind',
      (id) => problem('something-new', { value: id }),
      expect.any(PlatformUnavailableError),
    ],
    ['names another post', () => problem('resource-not-found', { value: '1' }), expect.any(PlatformUnavailableError)],
    [
      'names them under another title',
      (id) => ({ title: 'New Error', value: id }),
      expect.any(PlatformUnavailableError),
    ],
    ['names no post', () => problem('resource-not-found'), expect.any(PlatformUnavailableError)],
    ['names them by value alone', (id) => problem('resource-not-found', { value: id }), refusal()],
    ['names them by resource alone', (id) => problem('resource-not-found', { resource_id: id }), refusal()],
  ])('calls posts gone only if X says so of these: X %s', async (_what, problemOf, outcome) => {
    const ids = ['1001', '1002'];
    const answer = jsonReply({ data: [null], errors: ids.map(problemOf) });

    const outcomes = await withVerifier(
      byApi,
      () => answer,
      ({ verifier }) => verifier.verifyMany!([claimOf(1), claimOf(2)]),
    );

    expect(outcomes).toEqual([outcome, outcome]);
  });

  it.each([
    ['limits requests', { status: 429 } satisfies StandInReply, PlatformUnavailableError],
    ['refuses the token', jsonReply(problem('unauthorized'), 401), PlatformMisconfiguredError],
  ])('says so for every post when X %s', async (_when, reply, kind) => {
    const outcomes = await withVerifier(
      byApi,
      () => reply,
      ({ verifier }) => verifier.verifyMany!([claimOf(1), claimOf(2)]),
    );

    expect(outcomes).toEqual([expect.any(kind), expect.any(kind)]);
  });

  it('asks one by one where there is no token', async () => {
    const handler = syndication({ [ID]: jsonReply(syndicated('alice_demo', text)), '1001': { status: 500 } });

    const outcomes = await withVerifier(bySyndication, handler, ({ verifier }) =>
      verifier.verifyMany!([claim, claimOf(1), claimOf(2)]),
    );

    expect(outcomes).toEqual([
      expect.objectContaining({ valid: true }),
      expect.any(PlatformUnavailableError),
      refusal(),
    ]);
  });
});

/** Shows the post of the claim. */
function good(): StandInHandler {
  return syndication({ [ID]: jsonReply(syndicated('alice_demo', text)) });
}

describe('twitter: without a key', () => {
  const both =
    (one: StandInHandler, other: StandInHandler): StandInHandler =>
    async (request) =>
      request.path === '/oembed' ? other(request) : one(request);
  const hidden = syndication({ [ID]: jsonReply(tombstone()) });
  const notFound: StandInHandler = () => NOT_FOUND_REPLY;
  const failing: StandInHandler = () => ({ status: 503 });
  const recheck = { ...claim, isRecheck: true };
  const BOTH = { X_FALLBACKS: 'syndication,oembed' };

  it('computes the token of the endpoint as public clients do', async () => {
    const { requests } = await ask(bySyndication, good());

    expect(requests.map(({ query }) => [query.get('id'), query.get('token')])).toEqual([[ID, expectedToken(ID)]]);
  });

  it.each(EMPTY_TOMBSTONES)('takes a tombstone that says %j for no answer: live posts have it too', async (words) => {
    const { verdict } = await ask(bySyndication, syndication({ [ID]: jsonReply(tombstone(words)) }));

    expect(verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it('takes {} for no answer, which X gives for live posts when it refuses the token, and asks oEmbed', async () => {
    const empty = syndication({ [ID]: jsonReply({}) });

    const alone = await ask(bySyndication, empty, { asked: recheck });
    const gone = await ask(bySyndication, both(empty, notFound), { asked: recheck, variables: BOTH });
    const live = await ask(bySyndication, both(empty, oembed('alice_demo', text)), { asked: recheck, variables: BOTH });
    const create = await ask(bySyndication, both(empty, oembed('alice_demo', text)), { variables: BOTH });

    expect(alone.verdict).toBeInstanceOf(PlatformUnavailableError);
    expect(gone.verdict).toEqual(refusal());
    expect(live.verdict).toBeInstanceOf(PlatformUnavailableError);
    expect(create.verdict).toMatchObject({ valid: true });
  });

  it.each<[string, StandInHandler, StandInHandler, unknown]>([
    ['gone when both say so', notFound, notFound, refusal()],
    ['gone when one says so and the other cannot say', notFound, failing, refusal()],
    ['gone when the other says so and the first cannot say', failing, notFound, refusal()],
    ['kept when one says so and the other shows it', notFound, oembed('alice_demo', text), expect.any(Error)],
    ['kept when neither can say', failing, failing, expect.any(Error)],
    ['valid when the first shows it', good(), notFound, expect.objectContaining({ valid: true })],
  ])('calls a post at a recheck %s', async (_what, first, second, outcome) => {
    const { verdict } = await ask(bySyndication, both(first, second), { asked: recheck, variables: BOTH });

    expect(verdict).toEqual(outcome);
    if (verdict instanceof Error) expect(verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it('tells the reason of the first that calls the post gone, and the time to wait of the first that cannot say', async () => {
    const deleted = syndication({ [ID]: jsonReply(tombstone(GONE_TOMBSTONES[0])) });
    const limiting: StandInHandler = () => ({ status: 429, headers: { 'retry-after': '120' } });

    const gone = await ask(bySyndication, both(deleted, notFound), { asked: recheck, variables: BOTH });
    const limited = await ask(bySyndication, both(limiting, failing), { asked: recheck, variables: BOTH });

    expect(gone.verdict).toEqual({ valid: false, reason: 'The author has deleted the post.' });
    expect(limited.verdict).toMatchObject({ name: 'PlatformUnavailableError', retryAfterSeconds: 120 });
  });

  it('refuses a create of a number that is not a post, and asks no second time', async () => {
    const { verdict, requests } = await ask(bySyndication, both(syndication({}), oembed('alice_demo', text)), {
      variables: BOTH,
    });

    expect(verdict).toEqual(refusal());
    expect(requests.map(({ path }) => path)).toEqual(['/tweet-result']);
  });

  it.each([
    ['403', jsonReply({ error: 'forbidden' }, 403)],
    ['400 for a malformed address', jsonReply({ error: 'bad url' }, 400)],
    ['a redirect', { status: 301, headers: { location: 'https://publish.x.com/oembed' } } satisfies StandInReply],
  ])('takes %s of oEmbed for no answer', async (_what, reply) => {
    expect((await ask(byOembed, () => reply)).verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it("takes an ellipsis inside of a text for the author's own", async () => {
    expect((await ask(byOembed, oembed('alice_demo', 'wait… no'))).verdict).toEqual(refusal());
  });

  it.each<[string, VerifierUnderTest, StandInReply]>([
    ['an embedded post with another status', byOembed, jsonReply(embed('alice_demo', text), 203)],
    ['a post with another status', bySyndication, jsonReply(syndicated('alice_demo', text), 203)],
    ['what is not called a post', bySyndication, jsonReply(syndicated('alice_demo', text, { __typename: 'Card' }))],
    ['another post', bySyndication, jsonReply(syndicated('alice_demo', text, { id_str: NEWER }))],
    ['a tombstone without an inscription', bySyndication, jsonReply({ __typename: 'TweetTombstone' })],
    ['a tombstone with a list', bySyndication, jsonReply(tombstone([GONE_TOMBSTONES[0]] as never))],
  ])('takes %s for no answer', async (_what, suite, reply) => {
    expect((await ask(suite, () => reply)).verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it('takes a text that oEmbed has cut for no answer when the signature is not in it', async () => {
    const cut = (words: string) => oembed('alice_demo', words, { end: CUT_END });

    expect((await ask(byOembed, cut('long'))).verdict).toBeInstanceOf(PlatformUnavailableError);
    expect((await ask(byOembed, cut(text))).verdict).toMatchObject({ valid: true });
    expect((await ask(byOembed, oembed('alice_demo', 'short'))).verdict).toEqual(refusal());
  });

  it.each([
    ['syndication,oembed', ['/tweet-result', '/oembed']],
    ['oembed,syndication', ['/oembed']],
    ['oembed', ['/oembed']],
  ])('asks in the order of X_FALLBACKS=%s', async (fallbacks, paths) => {
    const { verdict, requests } = await ask(bySyndication, both(hidden, oembed('alice_demo', text)), {
      variables: { X_FALLBACKS: fallbacks },
    });

    expect(verdict).toMatchObject({ valid: true });
    expect(requests.map(({ path }) => path)).toEqual(paths);
  });

  it('falls back when the API cannot be asked, and not when it says no', async () => {
    const withFallback =
      (status: number, body: object): StandInHandler =>
      async (request) =>
        request.path.startsWith('/2/') ? jsonReply(body, status) : good()(request);

    expect((await ask(byApi, withFallback(503, {}))).verdict).toMatchObject({ valid: true });
    expect((await ask(byApi, withFallback(401, problem('unauthorized')))).verdict).toMatchObject({ valid: true });
    expect((await ask(byApi, withFallback(404, NOT_FOUND))).verdict).toEqual(refusal());
  });

  it('has nothing to fall back to where X_FALLBACKS is empty', async () => {
    const { verdict } = await ask(byApi, () => ({ status: 503 }), { variables: { X_FALLBACKS: ',' } });
    const withoutToken = await ask(byApi, good(), { variables: { X_FALLBACKS: ',', X_BEARER_TOKEN: '' } });

    expect(verdict).toBeInstanceOf(PlatformUnavailableError);
    expect(withoutToken.verdict).toBeInstanceOf(PlatformMisconfiguredError);
  });

  it.each([
    [{ X_BEARER_TOKEN: TOKEN, X_FALLBACKS: ',' }, null],
    [{ X_FALLBACKS: 'oembed' }, null],
    [{ X_FALLBACKS: ',' }, expect.stringContaining('X_FALLBACKS')],
  ])('needs a token or a fallback: %j', (variables, missing) => {
    expect(new TwitterVerifier(aFetcher(), optionsIn('twitter', variables)).missingSetting()).toEqual(missing);
  });

  it.each([
    [401, ['X refuses the token of this server (X_BEARER_TOKEN, twitter.token).']],
    [503, []],
  ])('tells the operator what he can mend: status %i', async (status, told) => {
    const warnings: unknown[] = [];

    const warned = (web: Fetcher, options: TwitterOptions) =>
      new TwitterVerifier(web, options, (message) => warnings.push(message));
    await ask({ ...byApi, create: warned }, (request) =>
      request.path.startsWith('/2/') ? jsonReply({}, status) : good()(request),
    );

    expect(warnings).toEqual(told);
  });

  it('tells what was wrong with the first source when all fail', async () => {
    const handler: StandInHandler = ({ path }) =>
      path.startsWith('/2/') ? jsonReply(problem('unauthorized'), 401) : { status: 500 };

    const { verdict } = await ask(byApi, handler);

    expect(verdict).toBeInstanceOf(PlatformMisconfiguredError);
    expect((verdict as Error).message).not.toContain(TOKEN);
  });

  it('takes a text that was cut for no answer when the signature is not in it', async () => {
    const cut = (words: string) =>
      syndication({ [ID]: jsonReply(syndicated('alice_demo', words, { note_tweet: { id: '1' } })) });

    expect((await ask(bySyndication, cut('long'))).verdict).toBeInstanceOf(PlatformUnavailableError);
    expect((await ask(bySyndication, cut(text))).verdict).toMatchObject({ valid: true });
    const unmarked = syndication({ [ID]: jsonReply(syndicated('alice_demo', 'long… https://t.co/AbCdEfGhIj')) });
    expect((await ask(bySyndication, unmarked)).verdict).toBeInstanceOf(PlatformUnavailableError);
  });

  it('judges the newest version of an edited post', async () => {
    const versions = { isStaleEdit: true, edit_control: { edit_tweet_ids: [ID, NEWER] } };
    const handler = syndication({
      [ID]: jsonReply(syndicated('alice_demo', text, versions)),
      [NEWER]: jsonReply(syndicated('alice_demo', 'edited away', { ...versions, isStaleEdit: false, id_str: NEWER })),
    });

    expect((await ask(bySyndication, handler)).verdict).toEqual(refusal());
  });

  it('refuses an old version of which it does not know the newest', async () => {
    const handler = syndication({ [ID]: jsonReply(syndicated('alice_demo', text, { isStaleEdit: true })) });

    expect((await ask(bySyndication, handler)).verdict).toEqual(refusal());
  });

  it('never keeps a proof valid by oEmbed alone, but believes it that a post is gone', async () => {
    const asked = { ...claim, isRecheck: true };

    expect((await ask(byOembed, oembed('alice_demo', text), { asked })).verdict).toBeInstanceOf(
      PlatformUnavailableError,
    );
    expect((await ask(byOembed, () => jsonReply({}, 404), { asked })).verdict).toEqual(refusal());
    expect((await ask(bySyndication, good(), { asked })).verdict).toMatchObject({ valid: true });
  });

  /** The token's formula, written another way: the digits of a base-36 number without zeros and dot. */
  function expectedToken(id: string): string {
    const digits = ((Number(id) / 10 ** 15) * Math.PI).toString(36);
    return [...digits].filter((digit) => digit !== '0' && digit !== '.').join('');
  }
});

describeIdentities(offline, {
  accepted: [
    ['alice_demo', 'alice_demo'],
    [' @Alice_Demo ', 'alice_demo'],
    ['\uff20ALICE', 'alice'],
    ['https://x.com/Alice_Demo?s=20', 'alice_demo'],
    ['twitter.com/alice_demo/', 'alice_demo'],
  ],
  refused: [
    '',
    '@',
    '@@alice',
    'a'.repeat(16),
    'al-ice',
    'al ice',
    'älice',
    'ali\u212ae',
    'https://evil.example/alice',
    'https://x.com/alice/status/1',
    'https://x.com/',
    'alice\nmallory',
  ],
});

it('says of a short link what to give instead', () => {
  expect(() => offline.canonicalLocation('https://t.co/AbC123')).toThrow('short link of t.co');
});

describeLocations(offline, {
  identity: bySyndication.identity,
  accepted: [
    [`https://x.com/Alice_Demo/status/${ID}?s=20`, ID],
    [`https://mobile.twitter.com/i/web/status/${ID}/photo/1`, ID],
    [`x.com/alice_demo/status/${ID}/`, ID],
    [`https://www.twitter.com/alice/statuses/${ID}`, ID],
    [`https://m.twitter.com/i/status/${ID}#x`, ID],
    [`http://twitter.com/alice/status/${ID}?s=20&t=abc`, ID],
    [`https://fxtwitter.com/alice_demo/status/${ID}`, ID],
    [`https://d.fxtwitter.com/alice_demo/status/${ID}/en`, ID],
    [`https://vxtwitter.com/alice_demo/status/${ID}?s=20`, ID],
    [`https://fixupx.com/alice_demo/status/${ID}`, ID],
    [`https://www.fixvx.com/alice_demo/status/${ID}`, ID],
    [`https://nitter.net/alice_demo/status/${ID}#m`, ID],
    [`https://nitter.poast.org/alice_demo/status/${ID}#m`, ID],
    [`https://xcancel.com/alice_demo/status/${ID}`, ID],
    [`[post](https://x.com/alice_demo/status/${ID})`, ID],
    [` ${ID} `, ID],
  ],
  refused: [
    '',
    'https://t.co/abc',
    'https://x.com.evil.example/a/status/1',
    'https://evil.example/a/status/1',
    'https://fxtwitter.com.evil.example/a/status/1',
    'https://evilvxtwitter.com/a/status/1',
    'https://nitter/a/status/1',
    'https://nitter.net/a',
    'https://nitter.net:8443/a/status/1',
    'https://x.com@evil.example/a/status/1',
    'https://evil.example\\@x.com/a/status/1',
    'https://x.com:8443/a/status/1',
    'ftp://x.com/a/status/1',
    '18e17',
    '-1',
    '0',
    '007',
    '1.5',
    '12345678901234567890',
    'https://x.com/a/status/12345678901234567890',
    'https://x.com/a/status/1x',
    'https://x.com/a/status',
    'https://x.com/a/b/c/status/1',
    'https://x.com/',
    'https://x.com/alice',
    '../x',
    '%2e%2e',
  ],
});

it.each([
  ['', false, 1],
  ['x', true, 100],
])('costs what X allows with the token %j', (X_BEARER_TOKEN, hasToken, checksPerRequest) => {
  const verifier = new TwitterVerifier(aFetcher(), optionsIn('twitter', { X_BEARER_TOKEN }));

  expect(verifier.costs).toEqual({
    rates: { plain: { requests: 300, seconds: 900 }, withToken: { requests: 450, seconds: 900 } },
    ...{ hasToken, isPaid: hasToken, checksPerRequest },
  });
  expect(verifier.addresses).toEqual({ apiBase: '', syndicationBase: '', oembedBase: '' });
});
