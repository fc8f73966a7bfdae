import { PlatformUnavailableError } from '@signet/look';
import { MindsVerifier } from '../../src/verifiers/minds.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { jsonReply, type StandInHandler } from '../support/stand-in-server.js';
import { describeIdentities, describeLocations } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  withVerifier,
  type VerifierUnderTest,
} from './describe-verifier.js';

const GUID = '1500000000000000001';

function anActivity(author: string, message: string | false, changes: object = {}): object {
  return {
    guid: GUID,
    type: 'activity',
    subtype: '',
    urn: `urn:activity:${GUID}`,
    time_created: '1718000000',
    edited: false,
    access_id: '2',
    message,
    ownerObj: { guid: '1300000000000000001', username: author, name: 'Alice' },
    ...changes,
  };
}

/** Answers like `api/v2/entities`: what is not there is left out of the list. */
function showing(activity: object | null): StandInHandler {
  return ({ method, path, query }) => {
    const isAsked = method === 'GET' && path === '/api/v2/entities/' && query.get('urns') === `urn:activity:${GUID}`;
    return jsonReply({ status: 'success', require_login: false, entities: isAsked && activity ? [activity] : [] });
  };
}

const suite: VerifierUnderTest = {
  platform: 'minds',
  identity: 'alice_demo',
  otherIdentity: 'mallory',
  proofLocation: GUID,
  accountId: '1300000000000000001',
  create: (web, options) => new MindsVerifier(web, options),
  settings: (baseUrl) => ({ MINDS_BASE_URL: baseUrl }),
  published: ({ author, text }) => showing(anActivity(author, text)),
  otherForms: {
    'with numbers in place of texts': ({ author, text }) => showing(anActivity(author, text, { guid: Number(GUID) })),
  },
  missing: { 'an empty list': showing(null) },
  foreign: {
    'the post that a quote shows': ({ author, text }) =>
      showing(anActivity(author, 'look', { remind_object: anActivity('mallory', text) })),
    'the title': ({ author, text }) => showing(anActivity(author, 'look', { title: text })),
    'a remind of a post of somebody else': ({ text }) => showing(anActivity('mallory', text, { subtype: 'remind' })),
  },
};

describePostVerifier(suite);

const offline = new MindsVerifier(aFetcher());

describe('minds: what is its own', () => {
  const claim = aClaim(suite);
  const check = (activity: object | null) =>
    withVerifier(suite, showing(activity), ({ verifier }) => verifier.verify(claim));
  const text = postOf(offline, claim);

  it.each([
    ['a name in capitals', anActivity('Alice_Demo', text)],
    ['a guid that comes as a number', anActivity('alice_demo', text, { guid: Number(GUID) })],
    [
      'a message that comes escaped',
      anActivity('alice_demo', text.replace('=', '&#61;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')),
    ],
    [
      'a quote with a signature of its own',
      anActivity('alice_demo', text, { remind_object: anActivity('mallory', 'look') }),
    ],
  ])('accepts %s', async (_what, activity) => {
    expect(await check(activity)).toMatchObject({ valid: true });
  });

  it.each([
    ['a remind, which shows the post of the original', anActivity('alice_demo', text, { subtype: 'remind' })],
    ['a comment with the same number', anActivity('alice_demo', text, { type: 'comment' })],
    ['a post with another number that comes as a number', anActivity('alice_demo', text, { guid: 1.6e18 })],
    ['a post with another number', anActivity('alice_demo', text, { guid: '1500000000000000002' })],
    ['a message that is hidden behind a payment', anActivity('alice_demo', '')],
    // Minds/engine, Entities/Activity.php: an attribute that was never set is exported as false.
    ['a post without a text', anActivity('alice_demo', false)],
  ])('refuses %s', async (_what, activity) => {
    expect(await check(activity)).toEqual(refusal());
  });

  it.each<false | ''>([false, ''])('says that a post has no text: %j', async (message) => {
    const verdict = await check(anActivity('alice_demo', message));

    expect(verdict).toEqual({ valid: false, reason: 'The post has no text.' });
  });

  it('takes a post with another status for no answer', async () => {
    const reply = jsonReply({ status: 'success', entities: [anActivity('alice_demo', text)] }, 203);
    const asked = withVerifier(
      suite,
      () => reply,
      ({ verifier }) => verifier.verify(claim),
    );

    await expect(asked).rejects.toThrow(PlatformUnavailableError);
  });

  it('accepts a post that is shown although the answer asks for a login', async () => {
    const answer = { status: 'success', require_login: true, entities: [anActivity('alice_demo', text)] };

    const verdict = await withVerifier(
      suite,
      () => jsonReply(answer),
      ({ verifier }) => verifier.verify(claim),
    );

    expect(verdict).toMatchObject({ valid: true });
  });

  it('reads a message without entities as text, tags and all', async () => {
    const [start, end] = [text.slice(0, -120), text.slice(-120)];

    expect(await check(anActivity('alice_demo', text.replace('Sig: ', 'Sig: <b></b>')))).toMatchObject({ valid: true });
    expect(await check(anActivity('alice_demo', `${start}<wbr>${end}`))).toEqual(refusal());
  });

  it.each(['x', '', '0', '12345678901234567890'])('keeps no account id that Minds does not give: %j', async (guid) => {
    const verdict = await check(anActivity('alice_demo', text, { ownerObj: { guid, username: 'alice_demo' } }));

    expect(verdict).toMatchObject({ valid: true });
    expect(verdict).not.toHaveProperty('accountId');
  });

  it('takes the addresses of the deployment that it is set to', async () => {
    const verifier = new MindsVerifier(aFetcher(), { base: 'https://minds.example.org:8443/' });

    expect(verifier.canonicalIdentity('https://minds.example.org/Alice_Demo')).toBe('alice_demo');
    expect(verifier.canonicalLocation(`https://minds.example.org/newsfeed/${GUID}`)).toBe(GUID);
    expect(verifier.canonicalLocation(`https://www.minds.com/newsfeed/${GUID}`)).toBe(GUID);
  });

  it('keeps no account id that has lost its last digits', async () => {
    const owner = { guid: Number('1300000000000000001'), username: 'alice_demo' };

    expect(await check(anActivity('alice_demo', text, { ownerObj: owner }))).not.toHaveProperty(
      'accountId',
      expect.anything(),
    );
  });

  it.each([
    ['an error of the API', { status: 'error', message: 'nope' }],
    ['an empty list that asks for a login', { status: 'success', require_login: true, entities: [] }],
    ['no list', { status: 'success' }],
  ])('says unavailable for %s', async (_what, json) => {
    await expect(
      withVerifier(
        suite,
        () => jsonReply(json),
        ({ verifier }) => verifier.verify(claim),
      ),
    ).rejects.toThrow(PlatformUnavailableError);
  });
});

describeIdentities(offline, {
  accepted: [
    ['alice_demo', 'alice_demo'],
    ['@Alice_Demo', 'alice_demo'],
    [' \uff20alice.demo-1 ', 'alice.demo-1'],
    ['https://www.minds.com/Alice_Demo', 'alice_demo'],
    ['minds.com/alice_demo/', 'alice_demo'],
  ],
  refused: [
    '',
    'ali',
    'a'.repeat(129),
    'alice@mastodon.example',
    'alice demo',
    '@@alice',
    'älice',
    'ali\u212ae',
    'https://evil.example/alice',
    'https://www.minds.com/',
    'https://www.minds.com/alice/about',
    'a/../b',
  ],
});

describeLocations(offline, {
  identity: suite.identity,
  accepted: [
    [`https://www.minds.com/newsfeed/${GUID}?referrer=alice`, GUID],
    [`minds.com/newsfeed/${GUID}/`, GUID],
    [`https://www.minds.com/media/${GUID}`, GUID],
    [` ${GUID} `, GUID],
  ],
  refused: [
    '',
    '0',
    '-1',
    '15e17',
    '12345678901234567890',
    `https://www.minds.com.evil.example/newsfeed/${GUID}`,
    `https://evil.example/newsfeed/${GUID}`,
    `https://alice@www.minds.com/newsfeed/${GUID}`,
    `https://www.minds.com:8443/newsfeed/${GUID}`,
    'https://www.minds.com/alice',
    `https://www.minds.com/groups/${GUID}`,
    'https://www.minds.com/newsfeed',
    'https://www.minds.com/newsfeed/subscriptions',
    `https://www.minds.com/${GUID}`,
    'javascript:alert(1)',
    '../x',
    '%2e%2e',
  ],
});

it('costs little, and is asked where its settings say', () => {
  expect(offline.costs).toEqual({ rates: { plain: { requests: 10, seconds: 1 } } });
  expect(offline.addresses).toEqual({ base: '' });
});
