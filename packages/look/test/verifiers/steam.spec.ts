import { PlatformUnavailableError } from '@signet/look';
import { textsBelow } from '../../src/posts/flat-xml.js';
import { SteamVerifier } from '../../src/verifiers/steam.verifier.js';
import { aFetcher } from '../support/fetcher.js';
import { type StandInHandler, textReply } from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import { aClaim, describePostVerifier, postOf, refusal, verdictEverywhere } from './describe-verifier.js';
import { aProfile, ALICE, html, steam as suite, xml } from './suites/steam.js';

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
