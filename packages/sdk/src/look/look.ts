/** What a look at a post is, and what makes one. */
import type { SignedLink } from '@signet/verify';

/**
 * What a platform showed to this program itself: `seen`; `not_seen`, where an answer was read and did not bear the link
 * out; `could_not_look`, where nothing was learnt, which says nothing about the post; `not_readable_here`, where
 * programs of this kind, such as pages in browsers, cannot read the platform.
 */
export interface Look {
  state: 'seen' | 'not_seen' | 'could_not_look' | 'not_readable_here';
  /** Who looked: this program itself. */
  by: 'you';
  /** UNIX seconds. */
  at: number;
  /** One sentence, English; `''` where it was seen. */
  reason: string;
  /** Null unless the state is `could_not_look`. */
  problem: 'network' | 'limit' | 'unusable' | 'credential' | 'declined' | null;
  /** Seconds for which the platform wants no requests; null where it named none. */
  retryAfterSeconds: number | null;
  /** What was read; null where nothing was, as for a wallet, whose signature is in the link. */
  evidence: { url: string; sha256: string; matchedText: string } | null;
  /** The platform's stable id of the account; `''` where it has none. */
  accountId: string;
  /**
   * Whether the post holds the very signature of the link; false where it holds another one that the key made over this
   * text, null where nothing was read, or the page names the key and holds no signature (`rel="me"`).
   */
  isSameSignature: boolean | null;
}

/** What looks at bindings whose links were checked before, such as that of `@signet/look/looker`. */
export interface Looker {
  look(
    bound: { avatar: string; link: SignedLink; accountId: string; serviceName?: string | undefined },
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Look>;
}
