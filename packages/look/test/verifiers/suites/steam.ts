import { SteamVerifier } from '../../../src/verifiers/steam.verifier.js';
import { textReply } from '../../support/stand-in-server.js';
import type { VerifierUnderTest } from '../describe-verifier.js';

/** The number of the account. */
export const ALICE = '76561197960287930';

/**
 * A profile. Composed after those that tests of others keep (Vouch.Core.Tests/SteamWebClientTests.cs,
 * WorkshopSentinel.Tests/FriendSubscriptionsClientTests.cs): the same members, in the same order.
 */
export const aProfile = (id: string, summary: string, { privacy = 'public', name = 'Rabscuttle', more = '' } = {}) =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  `<profile>\n\t<steamID64>${id}</steamID64>\n\t<steamID><![CDATA[${name}]]></steamID>\n\t<onlineState>offline</onlineState>` +
  `<privacyState>${privacy}</privacyState><visibilityState>${privacy === 'public' ? 3 : 1}</visibilityState>` +
  `<avatarFull><![CDATA[https://avatars.example/abc_full.jpg]]></avatarFull><vacBanned>0</vacBanned>` +
  `<customURL><![CDATA[rabscuttle]]></customURL>${more}<summary><![CDATA[${summary}]]></summary></profile>`;
/** An answer in XML. */
export const xml = (text: string, status = 200) => textReply(text, status, 'text/xml; charset=utf-8');
/** A text as HTML. */
export const html = (text: string) => text.replaceAll('\n', '<br>');
const absent = xml(
  '<?xml version="1.0"?><response><error><![CDATA[The specified profile could not be found.]]></error></response>',
);

/** Steam: what it answers. */
export const steam: VerifierUnderTest = {
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
