import { asciiLower } from '@signet/verify/names';
import type { Filled } from '../../options/options.js';
import type { Fetcher } from '../../web/fetcher.js';
import { postOfTweetEmbed } from '../../posts/html-text.js';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { cannotSay, type KeylessAnswer, type KeylessSource } from './twitter-keyless.js';
import { NO_SUCH_POST, postUrl } from './twitter-post.js';

/** The part of an embedded post that we read. Every field is optional: we did not write that server. */
interface Embed {
  author_url?: unknown;
  html?: unknown;
}

/**
 * The documented endpoint for embedding a post. It answers 404 with HTML for posts that do not exist and for deleted
 * ones, takes addresses without a user, and cuts long posts with an ellipsis. Its answers may be cached for very long,
 * so it can confirm a post that is about to be bound, and say that a post is gone, but never keep a proof valid.
 * Source: X developer documentation, "oEmbed API".
 */
export class XOembed implements KeylessSource {
  constructor(
    private readonly web: Fetcher,
    private readonly options: Filled<'twitter'>,
  ) {}

  async look(claim: ProofClaim): Promise<KeylessAnswer> {
    const query = new URLSearchParams({
      url: postUrl(claim.proofLocation),
      omit_script: '1',
      hide_thread: '1',
      dnt: '1',
    });
    const { status, json, body } = await this.web.sendJson<Embed>({
      url: `${this.options.oembedBase.replace(/\/$/, '')}/oembed?${query}`,
      trust: 'operator',
      platform: 'twitter',
    });
    if (status === 404) return { isShown: false, reason: NO_SUCH_POST };
    const { author_url: author, html } = json ?? {};
    if (status !== 200 || typeof author !== 'string' || typeof html !== 'string') throw cannotSay();
    const text = postOfTweetEmbed(html);
    if (text === null) throw cannotSay();
    if (claim.isRecheck) return { isShown: true, verdict: null };
    const verdict = judgeEmbed(text, author, claim, body);
    return { isShown: true, verdict: !verdict.valid && text.trimEnd().endsWith('…') ? null : verdict };
  }
}

function judgeEmbed(text: string, authorUrl: string, claim: ProofClaim, body: Uint8Array): Verdict {
  if (asciiLower(authorUrl.slice(authorUrl.lastIndexOf('/') + 1)) !== claim.identity) {
    return invalid(`The post belongs to another account on X than "${claim.identity}".`);
  }
  if (text.startsWith('RT @')) return invalid('The post is a repost of another one; a post of its own was expected.');
  return checkPostedSignature(text, claim, { url: postUrl(claim.proofLocation), body });
}
