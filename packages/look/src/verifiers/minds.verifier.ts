import { cleanPasted } from '@signet/verify/internal';
import { asciiLower, findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { type Filled, filled, type MindsOptions } from '../options/options.js';
import { InvalidRequestError } from '../errors.js';
import type { Fetcher } from '../web/fetcher.js';
import { textOfHtml } from '../posts/html-text.js';
import { parsePastedUrl } from '../posts/pasted-url.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../platform-verifier.js';
import { invalid } from '../platform-verifier.js';
import { socialPostTexts } from '../posts/post-texts.js';
import { checkPostedSignature } from '../posts/posted-signature.js';
import { unusableAnswer } from '../web/unusable-answer.js';

const GUID = /^[1-9]\d{0,18}$/;
const HOSTS = ['www.minds.com', 'minds.com'];

/** The part of the answer that we read. Every field is optional: we did not write that server. */
interface Entities {
  status?: string;
  /** Comes for owners whose wallet is empty too, with the post in the list: only an empty list makes it matter. */
  require_login?: boolean;
  entities?: Activity[];
}

/** Numbers come as text or as numbers, depending on the field and the version. */
interface Activity {
  guid?: string | number;
  type?: string;
  subtype?: string;
  /** `false` where the post has no text, such as one of pictures. */
  message?: string | false;
  ownerObj?: { guid?: string | number; username?: string };
}

/**
 * Minds: a public post (an activity) of the channel `identity`. Read without a login.
 * Source: Minds engine, `Controllers/api/v2/entities.php` and `Entities/Activity.php`.
 */
export class MindsVerifier implements PlatformVerifier {
  readonly platform = 'minds';
  readonly publishes = 'post';
  readonly addresses = { base: '' };
  /** No limit is published. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 10, seconds: 1 } } };
  readonly guide: PlatformGuide = {
    label: 'Minds',
    profileUrls: ['https://www.minds.com/{identity}'],
    postUrl: 'https://www.minds.com/newsfeed/{location}',
    composeUrl: 'https://www.minds.com/newsfeed/subscriptions/latest',
    identityPattern: NAME_PATTERNS.minds,
    identityExample: 'alice_demo',
    locationForms: ['1500000000000000001', 'https://www.minds.com/newsfeed/1500000000000000001'],
    steps: [
      'Ask for a payload with your Minds username as identity, and sign sign_payload with your Avatar key.',
      'Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.',
      'Publish the text as a new public post of your channel: no remind, and nothing that has to be paid for.',
      'Submit the proof with the permalink of the post, or its number, as proof_location, and keep the post as long as the proof shall stay valid.',
    ],
  };

  private readonly options: Filled<'minds'>;

  constructor(
    private readonly web: Fetcher,
    options: MindsOptions = {},
  ) {
    this.options = filled('minds', options);
  }

  /** Minds usernames ignore case. Takes `@name` and addresses of channels too. */
  canonicalIdentity(text: string): string {
    const url = parsePastedUrl(text);
    const pasted = url && this.isMinds(url.host) && url.path.length === 1 ? url.path[0]! : text;
    const name = findCanonicalName(this.platform, pasted);
    if (name !== null) return name;
    throw new InvalidRequestError(
      'Not a Minds username: expected 4 to 128 letters, digits, underscores, dots and hyphens.',
      'invalid_identity',
    );
  }

  /** The number of the post; takes its permalinks too. */
  canonicalLocation(text: string): string {
    const pasted = cleanPasted(text);
    if (GUID.test(pasted)) return pasted;
    const url = parsePastedUrl(pasted);
    const [page = '', guid = ''] = url && this.isMinds(url.host) ? url.path : [];
    if (['newsfeed', 'media'].includes(page) && GUID.test(guid)) return guid;
    throw new InvalidRequestError(
      'Not a Minds post: expected its number or its permalink, https://www.minds.com/newsfeed/<number>.',
      'invalid_proof_location',
    );
  }

  postContent(draft: ProofDraft): PostContent {
    return socialPostTexts(draft, { account: `@${draft.identity}`, network: 'Minds' });
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const query = new URLSearchParams({
      urns: `urn:activity:${claim.proofLocation}`,
      as_activities: '0',
      export_user_counts: 'false',
    });
    const { status, json, body } = await this.web.sendJson<Entities>({
      url: `${this.options.base.replace(/\/$/, '')}/api/v2/entities/?${query}`,
      trust: 'operator',
      platform: this.platform,
    });
    if (status !== 200 || json?.status !== 'success' || !Array.isArray(json.entities)) throw unusableAnswer('Minds');
    const [activity] = json.entities;
    if (activity === undefined) {
      if (json.require_login === true) throw unusableAnswer('Minds');
      return invalid('There is no such post on Minds, or it is not public.');
    }
    return judge(activity, claim, body);
  }

  /** An operator may check another deployment of Minds. */
  private isMinds(host: string): boolean {
    return HOSTS.includes(host) || host === new URL(this.options.base).hostname;
  }
}

/**
 * The server loads any entity of any type that has the number, and a remind is answered with the post and the owner of
 * the original: both have to be distinguished from a post of the claimed owner.
 */
function judge(activity: Activity, claim: ProofClaim, body: Uint8Array): Verdict {
  const { guid, type, subtype, message, ownerObj } = activity ?? {};
  if (typeof ownerObj?.username !== 'string' || typeof type !== 'string') throw unusableAnswer('Minds');
  if (!(typeof guid === 'number' ? guid > 0 : GUID.test(guid ?? ''))) throw unusableAnswer('Minds');
  if (type !== 'activity' || !isSameGuid(guid, claim.proofLocation))
    return invalid('There is no post with this number on Minds.');
  if (subtype === 'remind') return invalid('The post is a remind of another one; a post of its own was expected.');
  if (asciiLower(ownerObj.username) !== claim.identity) {
    return invalid(`The post belongs to another Minds channel than "${claim.identity}".`);
  }
  if (message === false || message === '') return invalid('The post has no text.');
  if (typeof message !== 'string') throw unusableAnswer('Minds');
  const seen = {
    url: `https://www.minds.com/newsfeed/${encodeURIComponent(claim.proofLocation)}`,
    body,
    accountId: typeof ownerObj.guid === 'string' && GUID.test(ownerObj.guid) ? ownerObj.guid : undefined,
  };
  const verdict = checkPostedSignature(message, claim, seen);
  // Whether messages come escaped is not documented.
  return verdict.valid || !message.includes('&') ? verdict : checkPostedSignature(textOfHtml(message), claim, seen);
}

/** A guid that came as a number has lost its last digits, as ours then does. */
function isSameGuid(guid: unknown, expected: string): boolean {
  return typeof guid === 'number' ? guid === Number(expected) : guid === expected;
}
