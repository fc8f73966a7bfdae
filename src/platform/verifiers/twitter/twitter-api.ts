import type { Environment } from '../../../config/environment.js';
import { PlatformMisconfiguredError, PlatformUnavailableError } from '../../../domain/domain-errors.js';
import type { WebClient } from '../../../web/web-client.js';
import type { JsonReply } from '../../../web/web-request.js';
import { readPost, type XAnswer, type XPost } from './twitter-post.js';

/** Most ids that one lookup takes. */
export const MAX_IDS = 100;

const AUTHOR = 'expansions=author_id&user.fields=username';
/**
 * The guides of X and its machine-readable description name the fields differently, and it is not known which names a
 * server takes. The last set is in both, and only a way out: without the text of long posts, the kind of a repost, and
 * the other versions of a post.
 */
const FIELD_SETS = [
  `${AUTHOR}&tweet.fields=author_id,note_tweet,referenced_tweets,edit_controls`,
  `${AUTHOR}&post.fields=author_id,note_post,referenced_posts,edit_controls,edit_history_post_ids`,
  AUTHOR,
];

/** The part of a post that we read, in both spellings. Every field is optional: we did not write that server. */
interface ApiPost {
  id?: string;
  text?: string;
  author_id?: string;
  note_tweet?: { text?: string };
  note_post?: { text?: string };
  edit_history_tweet_ids?: string[];
  edit_history_post_ids?: string[];
  referenced_tweets?: Reference[];
  referenced_posts?: Reference[];
}

interface Reference {
  type?: string;
}

interface ApiUser {
  id?: string;
  username?: string;
}

/** RFC 7807; `type` is a URI of which only the last part is stable. */
interface Problem {
  type?: string;
  resource_id?: string;
  value?: string;
}

interface Lookup<T> extends Problem {
  data?: T;
  includes?: { users?: ApiUser[] };
  errors?: Problem[];
}

/** What the API says of one post, and the bytes in which it says so. */
export interface Seen {
  answer: XAnswer;
  body: Uint8Array;
}

/**
 * The API of X, version 2, with an app-only token.
 * Source: X developer documentation, "Post lookup", "Data dictionary", "Response codes and errors".
 */
export class XApi {
  /** The sets, the one that worked last in front. */
  private fieldSets = FIELD_SETS;

  constructor(
    private readonly web: WebClient,
    private readonly environment: Environment,
  ) {}

  /**
   * Looks up one post.
   * @throws PlatformUnavailableError, PlatformMisconfiguredError
   */
  async lookUp(id: string): Promise<Seen> {
    const { json, body } = await this.get<ApiPost>(`/2/tweets/${id}?`);
    if (json.data === undefined) return { answer: { gone: goneReason(json.errors?.[0]) }, body };
    const post = findPost(json.data, json);
    if (!post || ![post.id, ...post.versions].includes(id)) throw surprise();
    return { answer: { post }, body };
  }

  /**
   * Looks up to 100 posts in one call. The answer has an entry for each id of which the API said something.
   * @throws PlatformUnavailableError, PlatformMisconfiguredError if the call as a whole failed
   */
  async lookUpMany(ids: string[]): Promise<Map<string, Seen>> {
    const { json, body } = await this.get<ApiPost[]>(`/2/tweets?ids=${ids.join(',')}&`);
    const seen = new Map<string, Seen>();
    for (const problem of listOf(json.errors)) {
      const id = ids.find((asked) => asked === problem?.resource_id || asked === problem?.value);
      const gone = findGoneReason(problem);
      if (id && gone) seen.set(id, { answer: { gone }, body });
    }
    for (const data of listOf(json.data)) {
      const post = findPost(data, json);
      for (const id of post ? [post.id, ...post.versions] : [])
        if (ids.includes(id)) seen.set(id, { answer: { post: post! }, body });
    }
    return seen;
  }

  /** A JSON answer with status 200, or one that says that the only post asked for is gone. */
  private async get<T>(path: string): Promise<JsonReply<Lookup<T>> & { json: Lookup<T> }> {
    const { X_API_BASE, X_BEARER_TOKEN } = this.environment;
    for (const fields of this.fieldSets) {
      const reply = await this.web.sendJson<Lookup<T>>({
        url: `${X_API_BASE.replace(/\/$/, '')}${path}${fields}`,
        trust: 'operator',
        platform: 'twitter',
        headers: { authorization: `Bearer ${X_BEARER_TOKEN}` },
      });
      const { status, json } = reply;
      if (typeof json !== 'object' || json === null) throw status === 401 ? refused() : surprise();
      if (status === 400 && kindOf(json) === 'invalid-request') continue; // these field names, as far as we can tell
      if (status === 200 && fields !== AUTHOR)
        this.fieldSets = [fields, ...FIELD_SETS.filter((other) => other !== fields)];
      throwIfRefused(status, json);
      return {
        ...reply,
        json: status === 200 ? json : { errors: [status === 404 ? { type: 'resource-not-found' } : json] },
      };
    }
    throw surprise();
  }
}

/** Null if the answer is not of the documented form. */
function findPost(data: ApiPost | null, { includes }: Lookup<unknown>): XPost | null {
  const author = listOf(includes?.users).find((user) => user?.id !== undefined && user.id === data?.author_id);
  const references = [...listOf(data?.referenced_tweets), ...listOf(data?.referenced_posts)];
  return readPost({
    id: data?.id,
    versions: data?.edit_history_tweet_ids ?? data?.edit_history_post_ids,
    authorId: data?.author_id,
    username: author?.username,
    text: data?.note_tweet?.text ?? data?.note_post?.text ?? data?.text,
    isRepost: references.some((reference) => reference?.type === 'retweeted' || reference?.type === 'reposted'),
  });
}

/** 401, 402, and the kinds of 403 that are about this server and not about the post. */
function throwIfRefused(status: number, problem: Problem): void {
  if (status === 401) throw refused();
  const kind = kindOf(problem);
  if (status === 402 || kind === 'usage-capped') {
    throw new PlatformMisconfiguredError('The credit of this server at X is used up.');
  }
  if (kind === 'client-forbidden')
    throw new PlatformMisconfiguredError('X does not let the app of this server read posts.');
  if (status !== 200 && status !== 404 && !findGoneReason(problem)) throw surprise();
}

/** @throws PlatformUnavailableError if nothing authoritative was said. */
function goneReason(problem: Problem | undefined): string {
  const reason = findGoneReason(problem);
  if (reason === null) throw surprise();
  return reason;
}

function findGoneReason(problem: Problem | undefined): string | null {
  switch (kindOf(problem)) {
    case 'resource-not-found':
      return 'There is no such post on X.';
    case 'not-authorized-for-resource':
      return 'The post on X is not public.';
    case 'resource-unavailable':
    case 'disallowed-resource':
      return 'X does not show this post any more.';
    default:
      return null;
  }
}

/** The last part of the URI in `type`; the part before it has changed over time. */
function kindOf(problem: Problem | undefined): string {
  return typeof problem?.type === 'string' ? problem.type.slice(problem.type.lastIndexOf('/') + 1) : '';
}

function listOf<T>(list: T[] | undefined): T[] {
  return Array.isArray(list) ? list : [];
}

function refused(): PlatformMisconfiguredError {
  return new PlatformMisconfiguredError('X refuses the X_BEARER_TOKEN of this server.');
}

function surprise(): PlatformUnavailableError {
  return new PlatformUnavailableError('X gave no usable answer; try again later.');
}
