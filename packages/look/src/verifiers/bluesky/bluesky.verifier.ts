import type { RecordPlace } from '@signet/verify/atproto';
import { NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError, PlatformUnavailableError } from '../../errors.js';
import { type BlueskyOptions, type Filled, filled } from '../../options/options.js';
import type {
  FoundAccount,
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
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { type Fetcher, RequestBudget } from '../../web/fetcher.js';
import { unusableAnswer } from '../../web/unusable-answer.js';
import { didOfHandle, handleIn, type TextRecords } from './bluesky-handle.js';
import { BlueskyRepository } from './bluesky-repository.js';
import { canonicalPlace, didIn, recordAt, textOf } from './bluesky-place.js';

const MAX_APP_VIEW_BYTES = 256 * 1024;
const NO_TEXT = 'The post or profile has no text.';

/** The parts of the answers of the AppView that are read. Every member is optional: we did not write that server. */
interface PostViews {
  posts?: { uri?: unknown; author?: { did?: unknown }; record?: unknown }[];
}

interface ProfileView {
  did?: unknown;
  description?: unknown;
}

/**
 * Bluesky: a post, or the text of the profile, of the account with the DID `identity` (a handle can go over to somebody
 * else). Read from the server of the account, as a CAR file with the commit that this server signed, and with the
 * operations of the DID: a proof that holds when both are gone. Where that server gives no answer, by the AppView: that
 * is its word. Sources: AT Protocol, `com.atproto.sync.getRecord`; did:plc, `/<did>/log/audit`; lexicons
 * `app.bsky.feed.getPosts` and `app.bsky.actor.getProfile`.
 */
export class BlueskyVerifier implements PlatformVerifier {
  readonly platform = 'bluesky';
  readonly publishes = 'post';
  readonly addresses = { directory: '', appView: '' };
  /** "Rate limits": 3,000 requests in five minutes for an address. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 10, seconds: 1 } }, requestsPerCheck: 2 };
  readonly guide: PlatformGuide = {
    label: 'Bluesky',
    profileUrls: ['https://bsky.app/profile/{identity}'],
    composeUrl: 'https://bsky.app/intent/compose?text={text}',
    identityPattern: NAME_PATTERNS.bluesky,
    identityExample: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz',
    locationForms: [
      'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3lprcc55bb222',
      'at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3lprcc55bb222',
      'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz',
    ],
    steps: [
      'Ask for a payload with the DID of your account as identity, and sign sign_payload with your Avatar key.',
      'Take the text of post_content in your language and put the Base64 signature in place of %SIG_BASE64%.',
      'Publish the text as a post of your account, or put it into the description of your profile.',
      'Submit the proof with the address of the post or of the profile as proof_location, and keep the text as long as the proof shall stay valid.',
    ],
  };

  private readonly options: Filled<'bluesky'>;

  constructor(
    private readonly web: Fetcher,
    options: BlueskyOptions = {},
    _warn?: unknown,
    private readonly resolvers: readonly TextRecords[] = [],
  ) {
    this.options = filled('bluesky', options);
  }

  /** Takes DIDs, at-URIs, and addresses of profiles with a DID. A handle names nobody for good, so it is refused. */
  canonicalIdentity(text: string): string {
    const did = didIn(text);
    if (did !== null) return did;
    throw new InvalidRequestError(
      'Not the DID of an account on Bluesky: expected did:plc: and 24 letters and digits, or did:web: and a host. A handle leads to one.',
      'invalid_identity',
    );
  }

  /**
   * The account behind a handle: the DID that the handle's domain names, if the account claims that handle in turn.
   * With a DID, the handle that it claims, if the domain of that handle leads back.
   */
  async findAccount(text: string): Promise<FoundAccount | null> {
    const budget = new RequestBudget();
    const repository = new BlueskyRepository(this.web, this.options, budget);
    const given = didIn(text);
    const handle = given === null ? handleIn(text) : null;
    if (given === null && handle === null) {
      throw new InvalidRequestError(
        'Not a handle: expected a domain name such as alice.bsky.social.',
        'invalid_identity',
      );
    }
    const named = given ?? (await didOfHandle(handle!, this.web, this.resolvers, budget));
    const did = named === null ? null : didIn(named);
    const account = did === null ? null : await repository.accountOf(did);
    if (did === null || account === null || 'reason' in account) return null;
    const claimed = account.handle === null ? null : handleIn(account.handle);
    if (handle !== null) return claimed === handle ? { identity: did, name: handle } : null;
    const isLedBack = claimed !== null && (await didOfHandle(claimed, this.web, this.resolvers, budget)) === did;
    return { identity: did, name: isLedBack ? claimed : '' };
  }

  canonicalLocation(text: string, identity: string): string {
    return canonicalPlace(text, identity);
  }

  postContent(draft: ProofDraft): PostContent {
    return socialPostTexts(draft, { account: draft.identity, network: 'Bluesky' });
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const place = recordAt(claim.proofLocation, claim.identity);
    try {
      return await this.byRepository(place, claim);
    } catch (error) {
      if (!(error instanceof PlatformUnavailableError)) throw error;
      return await this.byAppView(place, claim, error);
    }
  }

  private async byRepository(place: RecordPlace, claim: ProofClaim): Promise<Verdict> {
    const seen = await new BlueskyRepository(this.web, this.options).read(place);
    if ('reason' in seen) return invalid(seen.reason);
    const { car, proof, verified } = seen;
    if (verified.record === null) return { ...invalid('There is no such post or profile.'), proof };
    const text = textOf(verified.record, place);
    if (text === null) return { ...invalid(NO_TEXT), proof };
    const verdict = checkPostedSignature(text, claim, { url: uriOf(place), body: car, accountId: place.did });
    if (!verdict.valid) return { ...verdict, proof };
    return { ...verdict, evidence: { ...verdict.evidence!, proof } };
  }

  /** @throws `failure`, for which the server of the account is known no better, where the AppView is silent too */
  private async byAppView(place: RecordPlace, claim: ProofClaim, failure: Error): Promise<Verdict> {
    const isPost = place.rkey !== 'self';
    const query = isPost
      ? `app.bsky.feed.getPosts?uris=${encodeURIComponent(uriOf(place))}`
      : `app.bsky.actor.getProfile?actor=${encodeURIComponent(place.did)}`;
    const reply = await this.web
      .sendJson<PostViews & ProfileView>({
        url: `${this.options.appView.replace(/\/$/, '')}/xrpc/${query}`,
        trust: 'operator',
        platform: this.platform,
        maxBytes: MAX_APP_VIEW_BYTES,
      })
      .catch(() => Promise.reject(failure));
    if (reply.status !== 200 || !reply.json) throw failure;
    const text = isPost ? textOfPost(reply.json, place) : textOfProfile(reply.json, place);
    if (text === null) return invalid('There is no such post or profile.');
    return checkPostedSignature(text, claim, { url: uriOf(place), body: reply.body, accountId: place.did });
  }
}

function uriOf({ did, collection, rkey }: RecordPlace): string {
  return `at://${did}/${collection}/${rkey}`;
}

/** The text of the one post that was asked for; null where the AppView has none. */
function textOfPost({ posts }: PostViews, place: RecordPlace): string | null {
  if (!Array.isArray(posts)) throw unusableAnswer('The AppView of Bluesky');
  if (posts.length === 0) return null;
  const { author, record, uri } = posts[0] ?? {};
  const text = uri === uriOf(place) && author?.did === place.did ? textOf(record, place) : null;
  if (text === null) throw unusableAnswer('The AppView of Bluesky');
  return text;
}

function textOfProfile({ did, description }: ProfileView, place: RecordPlace): string {
  if (did !== place.did || typeof description !== 'string') throw unusableAnswer('The AppView of Bluesky');
  return description;
}
