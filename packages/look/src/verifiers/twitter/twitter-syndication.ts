import type { Filled } from '../../options/options.js';
import type { Fetcher } from '../../web/fetcher.js';
import type { ProofClaim } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { cannotSay, type KeylessAnswer, type KeylessSource } from './twitter-keyless.js';
import { judgePost, newerVersion, NO_SUCH_POST, readPost, type XPost } from './twitter-post.js';

/** The part of a syndicated post that we read. Every field is optional: we did not write that server. */
interface SyndicatedPost {
  __typename?: unknown;
  id_str?: string;
  text?: string;
  user?: { id_str?: string; screen_name?: string };
  /** Present where `text` is cut. */
  note_tweet?: { id?: string };
  isStaleEdit?: boolean;
  edit_control?: { edit_tweet_ids?: string[] };
  /** Of a `TweetTombstone`. */
  tombstone?: { text?: { text?: unknown } | null } | null;
}

/**
 * What a tombstone says where the post is gone. Those without a text, and those of posts with an age limit, stand for
 * posts that are there (vercel/react-tweet, issue 160).
 */
const GONE_TOMBSTONES: [RegExp, string][] = [
  [/deleted by the (?:Post|Tweet) author/i, 'The author has deleted the post.'],
  [/suspended account/i, 'The account of this post is suspended.'],
  [/account that no longer exists/i, 'The account of this post does not exist any more.'],
  [/limits who can view/i, 'The author of this post limits who can see it.'],
];

/** A post as this endpoint shows it. */
interface SeenPost {
  post: XPost;
  isCut: boolean;
  /** An old version, of which the endpoint does not name the newest. */
  isStale: boolean;
  body: Uint8Array;
}

/**
 * The endpoint behind embedded posts: no key, no documentation, no promise. It answers a post that does not exist with
 * 404 and a page of HTML, one that was deleted with a tombstone, and `{}` where it refuses the token or withholds the
 * post, which happens to posts that are there (vercel/react-tweet, pull request 128).
 * Source: `fetch-tweet.ts`, the types and the tests of the public client react-tweet.
 */
export class XSyndication implements KeylessSource {
  constructor(
    private readonly web: Fetcher,
    private readonly options: Filled<'twitter'>,
  ) {}

  async look(claim: ProofClaim): Promise<KeylessAnswer> {
    let seen = await this.lookUp(claim.proofLocation);
    const newer = 'post' in seen ? newerVersion(seen.post) : null;
    if (newer) seen = await this.lookUp(newer);
    if (!('post' in seen)) return seen;
    if (seen.isStale) {
      return { isShown: true, verdict: invalid('The post was edited; submit the address of its newest version.') };
    }
    const verdict = judgePost(seen.post, claim, seen.body);
    return { isShown: true, verdict: !verdict.valid && seen.isCut ? null : verdict };
  }

  private async lookUp(id: string): Promise<SeenPost | { isShown: false; reason: string }> {
    const { status, json, body } = await this.web.sendJson<SyndicatedPost>({
      url: `${this.options.syndicationBase.replace(/\/$/, '')}/tweet-result?id=${encodeURIComponent(id)}&lang=en&token=${tokenOf(id)}`,
      trust: 'operator',
      platform: 'twitter',
    });
    if (status === 404) return { isShown: false, reason: NO_SUCH_POST };
    if (status !== 200 || !json) throw cannotSay();
    if (json.__typename === 'TweetTombstone') {
      const text = json.tombstone?.text?.text;
      const [, reason] = GONE_TOMBSTONES.find(([pattern]) => typeof text === 'string' && pattern.test(text)) ?? [];
      if (reason === undefined) throw cannotSay();
      return { isShown: false, reason };
    }
    if (json.__typename !== 'Tweet') throw cannotSay();
    const post = readPost({
      id: json.id_str,
      versions: json.edit_control?.edit_tweet_ids,
      authorId: json.user?.id_str,
      username: json.user?.screen_name,
      text: json.text,
      isRepost: false,
    });
    if (!post || post.id !== id) throw cannotSay();
    const isStale = json.isStaleEdit === true && !newerVersion(post);
    return { post, isCut: json.note_tweet !== undefined || isEndCut(post.text), isStale, body };
  }
}

/** Whether a text ends as one does that X cuts, with a link behind it or not. */
function isEndCut(text: string): boolean {
  return /…\s*(?:https:\/\/t\.co\/\w+)?\s*$/.test(text.slice(-64));
}

/** As public clients compute it: id / 10^15 * pi in base 36, without zeros and dot. */
function tokenOf(id: string): string {
  return ((Number(id) / 1e15) * Math.PI).toString(36).replace(/[0.]/g, '');
}
