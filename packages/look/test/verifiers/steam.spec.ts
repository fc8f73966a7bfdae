import { PlatformUnavailableError } from '@signet/look';
import { textsBelow } from '../../src/posts/flat-xml.js';
import { SteamVerifier } from '../../src/verifiers/steam.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { type StandInHandler, textReply } from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  verdictEverywhere,
  type VerifierUnderTest,
} from './describe-verifier.js';

const ALICE = '76561197960287930';

/**
 * A profile. Composed after those that tests of others keep (Vouch.Core.Tests/SteamWebClientTests.cs,
 * WorkshopSentinel.Tests/FriendSubscriptionsClientTests.cs): the same members, in the same order.
 */
const aProfile = (id: string, summary: string, { privacy = 'public', name = 'Rabscuttle', more = '' } = {}) =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  `<profile>\n\t<steamID64>${id}</steamID64>\n\t<steamID><![CDATA[${name}]]></steamID>\n\t<onlineState>offline</onlineState>` +
  `<privacyState>${privacy}</privacyState><visibilityState>${privacy === 'public' ? 3 : 1}</visibilityState>` +
  `<avatarFull><![CDATA[https://avatars.example/abc_full.jpg]]></avatarFull><vacBanned>0</vacBanned>` +
  `<customURL><![CDATA[rabscuttle]]></customURL>${more}<summary><![CDATA[${summary}]]></summary></profile>`;
const xml = (text: string, status = 200) => textReply(text, status, 'text/xml; charset=utf-8');
const html = (text: string) => text.replaceAll('\n', '<br>');
const absent = xml(
  '<?xml version="1.0"?><response><error><![CDATA[The specified profile could not be found.]]></error></response>',
);

const suite: VerifierUnderTest = {
  platform: 'steam',
  identity: ALICE,
  otherIdentity: '76561198211120891',
  proofLocation: '',
  accountId: ALICE,
  create: (web, options) => new SteamVerifier(web, options),
  settings: (baseUrl) => ({ STEAM_BASE_URL: baseUrl }),
  published:
    ({ author, text }) =>
    () =>
      xml(aProfile(author, html(text))),
  missing: {
    'a profile that is not there': () => absent,
    'a private profile': () => xml(aProfile(ALICE, '', { privacy: 'private' })),
    'a profile without a summary': () => xml(aProfile(ALICE, '')),
  },
  foreign: {
    'the summary of a group':
      ({ author, text }) =>
      () =>
        xml(aProfile(author, '', { more: `<groups><group><summary><![CDATA[${text}]]></summary></group></groups>` })),
    'a name that looks like a summary':
      ({ author, text }) =>
      () =>
        xml(aProfile(author, '', { name: `</steamID><summary>${text}</summary><steamID>` })),
    'the text of a link':
      ({ author, text }) =>
      () =>
        xml(aProfile(author, `<a href="https://x.example">${text}</a>`)),
    'a profile for friends alone':
      ({ author, text }) =>
      () =>
        xml(aProfile(author, html(text), { privacy: 'friendsonly' })),
  },
};

describePostVerifier(suite);

describe('steam: what is its own', () => {
  const claim = aClaim(suite);
  const text = postOf(new SteamVerifier(aFetcher()), claim);
  const check = (handler: StandInHandler) => verdictEverywhere(suite, handler, claim);

  it.each([
    ['a page', () => textReply(aProfile(ALICE, text), 200, 'text/html')],
    ['an error of another kind', () => xml('<response><error>Too many requests</error></response>')],
    ['a profile that is cut', () => xml(aProfile(ALICE, text).slice(0, -12))],
    ['another root', () => xml(aProfile(ALICE, text).replaceAll('profile>', 'page>'))],
    ['a profile without a number', () => xml(aProfile(ALICE, text).replace(/<steamID64>\d+<\/steamID64>/, ''))],
    ['a profile without the element', () => xml(aProfile(ALICE, text).replace(/<summary>.*<\/summary>/s, ''))],
    ['a redirect', () => ({ status: 302, headers: { location: 'https://steamcommunity.com/' } })],
    ['a 404', () => xml('', 404)],
  ] as [string, StandInHandler][])('says that nothing is known after %s', async (_what, handler) => {
    await expect(check(handler)).rejects.toThrow(PlatformUnavailableError);
  });

  it('refuses a summary in which another account is named', async () => {
    expect(await check(() => xml(aProfile(suite.otherIdentity, html(text))))).toEqual(refusal());
  });

  it.each([
    ['many elements that stay open', `<profile>${'<a>'.repeat(50_000)}`],
    ['many tags that are none', `<profile>${'<'.repeat(200_000)}`],
    ['many sections that stay open', '<![CDATA['.repeat(20_000)],
    ['what is behind the end', '<profile><a>1</a></profile><a>2</a>'],
    ['an end that belongs to another', '<profile><a>1</b></a></profile>'],
    ['text alone', 'profile'],
  ])('reads no XML of %s', (_what, hostile) => {
    expect(textsBelow('profile', hostile)).toBeNull();
  });

  it('reads texts, entities and sections of CDATA, whatever they look like', () => {
    const read = textsBelow(
      'a',
      '<?xml version="1.0"?><a><b>1 &lt; 2</b><b>3</b><c><![CDATA[</c><d>4</d>]]></c><e/></a>',
    );
    expect([...read!]).toEqual([
      ['b', '1 < 2'],
      ['c', '</c><d>4</d>'],
      ['e', ''],
    ]);
  });
});

describeIdentities(new SteamVerifier(aFetcher()), {
  accepted: [
    [ALICE, ALICE],
    [`https://steamcommunity.com/profiles/${ALICE}`, ALICE],
    [`https://steamcommunity.com/profiles/${ALICE}/?xml=1`, ALICE],
  ],
  refused: ['', 'rabscuttle', '12345678901234567', `${ALICE}0`, 'https://steamcommunity.com/id/rabscuttle'],
});
