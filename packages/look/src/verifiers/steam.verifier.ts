import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError } from '../errors.js';
import { type Filled, filled, type HostOptions, PLATFORM_DEFAULTS } from '../options/options.js';
import {
  invalid,
  type PlatformCosts,
  type PlatformGuide,
  type PlatformVerifier,
  type PostContent,
  type ProofClaim,
  type ProofDraft,
  SIGNATURE_PLACEHOLDER,
  type Verdict,
} from '../platform-verifier.js';
import { textsBelow } from '../posts/flat-xml.js';
import { textOfHtml } from '../posts/html-text.js';
import { parsePastedUrl } from '../posts/pasted-url.js';
import { checkPostedSignature } from '../posts/posted-signature.js';
import type { Fetcher } from '../web/fetcher.js';
import { unusableAnswer } from '../web/unusable-answer.js';

const MAX_BYTES = 256 * 1024;
const XML = /^(?:text|application)\/xml(?:;|$)/i;

/**
 * Steam: the summary of the public profile of the account with the SteamID64 `identity`; the name in the address of a
 * profile can go over to somebody else. Source: Steam Community, profiles with `?xml=1`.
 */
export class SteamVerifier implements PlatformVerifier {
  readonly platform = 'steam';
  readonly publishes = 'record';
  readonly addresses = { base: '' };
  /** None is published; addresses that ask often are refused for a while. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 20, seconds: 60 } } };
  readonly guide: PlatformGuide = {
    label: 'Steam',
    profileUrls: ['https://steamcommunity.com/profiles/{identity}'],
    postUrl: 'https://steamcommunity.com/profiles/{identity}',
    identityPattern: NAME_PATTERNS.steam,
    identityExample: '76561197960287930',
    locationForms: [],
    steps: [
      'Ask for a payload with your SteamID64 (17 digits, shown under Account details) as identity, and sign sign_payload with your Avatar key.',
      'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
      'Put this text into the summary of your profile, save it, and keep the profile public.',
      'Submit the proof without proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  };
  private readonly options: Filled<'steam'>;

  constructor(
    private readonly web: Fetcher,
    options: HostOptions = {},
  ) {
    this.options = filled('steam', options);
  }

  /** Takes the address of a profile with the number, too; one with a name leads to whoever has that name today. */
  canonicalIdentity(text: string): string {
    const url = parsePastedUrl(text);
    const [kind, id] = url?.host === 'steamcommunity.com' ? url.path : [];
    const name = canonicalForm(this.platform, kind === 'profiles' && id !== undefined ? id : cleanPasted(text));
    if (name !== null) return name;
    throw new InvalidRequestError('Not a SteamID64: expected 17 digits that begin with 7656119.', 'invalid_identity');
  }

  postContent({ avatar }: ProofDraft): PostContent {
    return { default: `This account belongs to the Avatar key ${avatar.compressed}. Sig: ${SIGNATURE_PLACEHOLDER}` };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const path = `/profiles/${claim.identity}/?xml=1`;
    const url = this.options.base.replace(/\/$/, '') + path;
    const request = { url, trust: 'operator', platform: this.platform, maxBytes: MAX_BYTES } as const;
    const { status, headers, body } = await this.web.send(request);
    if (status !== 200 || !XML.test(headers['content-type'] ?? '')) throw unusableAnswer('Steam');
    const xml = new TextDecoder().decode(body);
    const error = textsBelow('response', xml)?.get('error');
    if (error !== undefined && /could not be found/i.test(error)) return invalid('There is no such profile.');
    const profile = textsBelow('profile', xml);
    const [id, privacy] = [profile?.get('steamid64'), profile?.get('privacystate')];
    if (!profile || id === undefined || privacy === undefined) throw unusableAnswer('Steam');
    if (id !== claim.identity) return invalid(`The answer is about another account than "${claim.identity}".`);
    if (privacy !== 'public') return invalid('The profile is not public.');
    const summary = profile.get('summary');
    if (summary === undefined) throw unusableAnswer('Steam');
    const text = textOfHtml(summary);
    if (text === '') return invalid('The profile has no summary.');
    const shown = PLATFORM_DEFAULTS.steam.base + path;
    return checkPostedSignature(text, claim, { url: shown, body, accountId: id });
  }
}
