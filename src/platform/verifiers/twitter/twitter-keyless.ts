import type { Environment } from '../../../config/environment.js';
import { PlatformUnavailableError } from '../../../domain/domain-errors.js';
import type { WebClient } from '../../../web/web-client.js';
import type { JsonReply } from '../../../web/web-request.js';
import { postOfTweetEmbed } from '../../html-text.js';
import { asciiLower } from '../../pasted-url.js';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posted-signature.js';
import { judgePost, newerVersion, postUrl, readPost, type XPost } from './twitter-post.js';

/** The part of a syndicated post that we read. Every field is optional: we did not write that server. */
interface SyndicatedPost {
  __typename?: string;
  id_str?: string;
  text?: string;
  user?: { id_str?: string; screen_name?: string };
  /** Present where `text` is cut. */
  note_tweet?: { id?: string };
  isStaleEdit?: boolean;
  edit_control?: { edit_tweet_ids?: string[] };
}

interface Embed {
  author_url?: string;
  html?: string;
}

/**
 * The endpoint behind embedded posts: no key, no documentation, no promise.
 * Source: `fetch-tweet.ts` and the types of the public client react-tweet.
 */
export class XSyndication {
  constructor(
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  /** @throws PlatformUnavailableError if this endpoint cannot say, which is not rare: see the tombstones. */
  async verify(claim: ProofClaim): Promise<Verdict> {
    const first = await this.lookUp(claim.proofLocation);
    const newer = first && newerVersion(first.post);
    const seen = newer ? await this.lookUp(newer) : first;
    if (!seen) return invalid('There is no such post on X.');
    if (seen.isStale) return invalid('The post was edited; submit the address of its newest version.');
    const verdict = judgePost(seen.post, claim, seen.body);
    if (!verdict.valid && seen.isCut) throw surprise();
    return verdict;
  }

  /** Null if there is no such post. */
  private async lookUp(
    id: string,
  ): Promise<{ post: XPost; isCut: boolean; isStale: boolean; body: Uint8Array } | null> {
    const reply = await this.web.sendJson<SyndicatedPost>({
      url: `${this.environment.X_SYNDICATION_BASE.replace(/\/$/, '')}/tweet-result?id=${id}&lang=en&token=${tokenOf(id)}`,
      trust: 'operator',
      platform: 'twitter',
    });
    const { json, body } = reply;
    if (isNotFound(reply)) return null;
    if (reply.status !== 200 || typeof json !== 'object' || json === null) throw surprise();
    if (Object.keys(json).length === 0 && !Array.isArray(json)) return null;
    // Public posts have been reported to come as `TweetTombstone` too, so that proves nothing.
    if (json.__typename !== 'Tweet') throw surprise();
    const post = readPost({
      id: json.id_str,
      versions: json.edit_control?.edit_tweet_ids,
      authorId: json.user?.id_str,
      username: json.user?.screen_name,
      text: json.text,
      isRepost: false,
    });
    if (!post || post.id !== id) throw surprise();
    return {
      post,
      isCut: json.note_tweet !== undefined,
      isStale: json.isStaleEdit === true && !newerVersion(post),
      body,
    };
  }
}

/**
 * The documented endpoint for embedding a post. Its answers may be cached for very long, so it can confirm a post that
 * is about to be bound, and say that a post is gone, but never keep a proof valid. Source: X developer documentation,
 * "oEmbed API".
 */
export class XOembed {
  constructor(
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws PlatformUnavailableError if this endpoint cannot say, as for every recheck of a post that is still shown.
   */
  async verify(claim: ProofClaim): Promise<Verdict> {
    // Whether the short address is taken is not documented; the author is read from the answer either way.
    const address = `https://x.com/${claim.identity}/status/${claim.proofLocation}`;
    const short = await this.ask(postUrl(claim.proofLocation));
    const reply = short.status === 200 ? short : await this.ask(address);
    if (isNotFound(reply)) return invalid('There is no such post on X.');
    if (reply.status === 403 && reply.isJson) return invalid('The post on X is not public.');
    const { author_url: author, html } = reply.json ?? {};
    if (reply.status !== 200 || typeof author !== 'string' || typeof html !== 'string') throw surprise();
    const text = postOfTweetEmbed(html);
    if (text === null || claim.isRecheck) throw surprise();
    if (asciiLower(author.slice(author.lastIndexOf('/') + 1)) !== claim.identity) {
      return invalid(`The post belongs to another account on X than "${claim.identity}".`);
    }
    if (text.startsWith('RT @')) return invalid('The post is a repost of another one; a post of its own was expected.');
    return checkPostedSignature(text, claim, { url: postUrl(claim.proofLocation), body: reply.body });
  }

  private ask(address: string): Promise<JsonReply<Embed>> {
    const query = new URLSearchParams({ url: address, omit_script: '1', hide_thread: '1', dnt: '1' });
    return this.web.sendJson<Embed>({
      url: `${this.environment.X_OEMBED_BASE.replace(/\/$/, '')}/oembed?${query}`,
      trust: 'operator',
      platform: 'twitter',
    });
  }
}

/** A 404 of the endpoint itself, not the page of something in front of it. */
function isNotFound({ status, isJson, body }: JsonReply<unknown>): boolean {
  return status === 404 && (isJson || body.length === 0);
}

/** As public clients compute it: id / 10^15 * pi in base 36, without zeros and dot. */
function tokenOf(id: string): string {
  return ((Number(id) / 1e15) * Math.PI).toString(36).replace(/0+|\./g, '');
}

function surprise(): PlatformUnavailableError {
  return new PlatformUnavailableError('X did not say whether this post is public; try again later.');
}
