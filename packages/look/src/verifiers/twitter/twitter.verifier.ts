import { cleanPasted } from '@signet/verify/internal';
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { type Filled, filled, type TwitterOptions } from '../../options/options.js';
import { InvalidRequestError, PlatformMisconfiguredError, PlatformUnavailableError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { socialPostTexts } from '../../posts/post-texts.js';
import { MAX_IDS, XApi } from './twitter-api.js';
import { verifyInBatches } from './twitter-batch.js';
import { confirmKeyless, type KeylessSource, verifyKeyless } from './twitter-keyless.js';
import { XOembed } from './twitter-oembed.js';
import { judgePost, newerVersion, POST_ID } from './twitter-post.js';
import { XSyndication } from './twitter-syndication.js';

const HOSTS = /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/;
/** Sites that show posts of X under the numbers that X gave them: for previews in chats, and for readers without X. */
const MIRRORS =
  /^(?:(?:[a-z]{1,3}\.)?(?:(?:fx|vx)twitter|fixupx|fixvx|xcancel)\.com|nitter\.[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/;

/**
 * X, which the contract calls twitter: a public post of the account `identity`. Asked are the API, if the server has a
 * token, and if that cannot say, the keyless endpoints of the option `fallbacks`. Source: X developer documentation,
 * "Post lookup", "Edit posts"; see the files of the sources for theirs.
 */
export class TwitterVerifier implements PlatformVerifier {
  readonly platform = 'twitter';
  readonly publishes = 'post';
  readonly addresses = { apiBase: '', syndicationBase: '', oembedBase: '' };
  /** "Rate limits" of the X API: 450 lookups in 15 minutes for an app. The keyless endpoints publish none. */
  readonly costs: PlatformCosts;
  readonly guide: PlatformGuide = {
    label: 'X (Twitter)',
    profileUrls: ['https://x.com/{identity}', 'https://twitter.com/{identity}'],
    postUrl: 'https://x.com/{identity}/status/{location}',
    composeUrl: 'https://x.com/intent/post?text={text}',
    identityPattern: NAME_PATTERNS.twitter,
    identityExample: 'alice_demo',
    locationForms: ['1800000000000000001', 'https://x.com/alice_demo/status/1800000000000000001'],
    steps: [
      'Ask for a payload with your X username (without @) as identity, and sign sign_payload with your Avatar key.',
      'Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.',
      'Publish the text as a new post of your account: no repost, and not while the account is protected.',
      'Submit the proof with the address of the post, or its number, as proof_location, and keep the post as long as the proof shall stay valid.',
    ],
  };
  private readonly api: XApi;
  private readonly keyless: KeylessSource[];

  private readonly options: Filled<'twitter'>;

  constructor(
    web: Fetcher,
    given: TwitterOptions = {},
    private readonly warn: (message: string) => void = () => {},
  ) {
    const options = filled('twitter', given);
    this.options = options;
    const hasToken = Boolean(options.token);
    this.costs = {
      rates: { plain: { requests: 300, seconds: 900 }, withToken: { requests: 450, seconds: 900 } },
      hasToken,
      isPaid: hasToken,
      checksPerRequest: hasToken ? MAX_IDS : 1,
    };
    this.api = new XApi(web, options);
    const keyless = {
      syndication: new XSyndication(web, options),
      oembed: new XOembed(web, options),
    };
    this.keyless = options.fallbacks.map((name) => keyless[name]);
  }

  /** Usernames ignore case. Takes `@name` and addresses of profiles too. */
  canonicalIdentity(text: string): string {
    const url = parsePastedUrl(text);
    const pasted = url && HOSTS.test(url.host) && url.path.length === 1 ? url.path[0]! : text;
    const name = findCanonicalName(this.platform, pasted);
    if (name !== null) return name;
    throw new InvalidRequestError(
      'Not an X username: expected 1 to 15 letters, digits and underscores.',
      'invalid_identity',
    );
  }

  /**
   * The number of the post; takes its addresses too, also those of mirrors, which keep the number: X alone is asked.
   * The user in an address proves nothing and is dropped. Short links of t.co are refused, since only X itself could
   * say where they lead.
   */
  canonicalLocation(text: string): string {
    const pasted = cleanPasted(text);
    if (POST_ID.test(pasted)) return pasted;
    const url = parsePastedUrl(pasted);
    if (url?.host === 't.co') {
      throw new InvalidRequestError(
        'A short link of t.co does not name the post: open it, and give the address that the browser shows then.',
        'invalid_proof_location',
      );
    }
    const path = url && (HOSTS.test(url.host) || MIRRORS.test(url.host)) ? url.path : [];
    const id = /^(?:i\/web|[^/]+)\/status(?:es)?\/(\d+)(?:\/|$)/.exec(path.join('/'))?.[1] ?? '';
    if (POST_ID.test(id)) return id;
    throw new InvalidRequestError(
      'Not a post on X: expected its number or its address, https://x.com/<user>/status/<number>.',
      'invalid_proof_location',
    );
  }

  postContent(draft: ProofDraft): PostContent {
    return socialPostTexts(draft, { account: `@${draft.identity}`, network: 'X' });
  }

  missingSetting(): string | null {
    if (this.options.token || this.keyless.length > 0) return null;
    return 'X cannot be asked: neither X_BEARER_TOKEN (twitter.token) nor X_FALLBACKS (twitter.fallbacks) is set.';
  }

  /**
   * The API decides if it can; if no other source can either, the error of the API is thrown. A recheck, whose reads of
   * the API are paid for, asks it only where no keyless endpoint confirms the post.
   */
  async verify(claim: ProofClaim): Promise<Verdict> {
    if (!this.options.token) return verifyKeyless(claim, this.keyless);
    const [confirmed] = await confirmKeyless([claim], this.keyless);
    return confirmed ?? this.askApi(claim);
  }

  private async askApi(claim: ProofClaim): Promise<Verdict> {
    try {
      return await this.verifyByApi(claim);
    } catch (failure) {
      if (failure instanceof PlatformMisconfiguredError) this.warn(failure.message);
      else if (!(failure instanceof PlatformUnavailableError)) throw failure;
      return this.verifyInstead(claim, failure);
    }
  }

  /** @throws `failure`, which is the API's, if no keyless endpoint can say either */
  private async verifyInstead(claim: ProofClaim, failure: Error): Promise<Verdict> {
    if (this.keyless.length === 0) throw failure;
    try {
      return await verifyKeyless(claim, this.keyless);
    } catch (error) {
      throw error instanceof PlatformUnavailableError ? failure : error;
    }
  }

  /** For rechecks in bulk: with a token, 100 of the posts that no keyless endpoint confirms for each request. */
  async verifyMany(claims: ProofClaim[]): Promise<(Verdict | Error)[]> {
    if (this.options.token) {
      const confirmed = await confirmKeyless(claims, this.keyless);
      const others = claims.filter((_, index) => confirmed[index] === null);
      const answers = (await verifyInBatches(others, this.api, (claim) => this.askApi(claim))).values();
      return confirmed.map((verdict) => verdict ?? answers.next().value!);
    }
    const verifyOne = (claim: ProofClaim) => this.verify(claim);
    const outcomes: (Verdict | Error)[] = [];
    for (const claim of claims) outcomes.push(await verifyOne(claim).catch((error: Error) => error));
    return outcomes;
  }

  /** Posts can be edited for a while, each time under a new id; what counts is the newest version. */
  private async verifyByApi(claim: ProofClaim): Promise<Verdict> {
    let { answer, body } = await this.api.lookUp(claim.proofLocation);
    const newer = 'post' in answer ? newerVersion(answer.post) : null;
    if (newer) ({ answer, body } = await this.api.lookUp(newer));
    return 'gone' in answer ? invalid(answer.gone) : judgePost(answer.post, claim, body);
  }
}
