import type { Filled } from '../../options/options.js';
import { PlatformMisconfiguredError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import type { JsonReply } from '../../web/web-request.js';
import { NO_SUCH_POST, readPost, type XAnswer, type XPost } from './twitter-post.js';
import { unusableAnswer } from '../../web/unusable-answer.js';

/** Most ids that one lookup takes. */
export const MAX_IDS = 100;

/**
 * The server takes these names (changelog of the X API, 2026-06-03), although its machine-readable description says
 * `post.fields`.
 */
const FIELDS =
  'expansions=author_id&user.fields=username&tweet.fields=author_id,note_tweet,referenced_tweets,edit_controls';

/** The part of a post that we read. Every field is optional: we did not write that server. */
interface ApiPost {
  id?: string;
  text?: string;
  author_id?: string;
  note_tweet?: { text?: string } | null;
  edit_history_tweet_ids?: string[];
  referenced_tweets?: Reference[];
}

interface Reference {
  type?: string;
}

interface ApiUser {
  id?: string;
  username?: string;
}

/** RFC 7807; `type` is a URI of which only the last part is stable. Entries of a batch may lack it. */
interface Problem {
  type?: string;
  title?: string;
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
  constructor(
    private readonly web: Fetcher,
    private readonly options: Filled<'twitter'>,
  ) {}

  /**
   * Looks up one post.
   * @throws PlatformUnavailableError, PlatformMisconfiguredError
   */
  async lookUp(id: string): Promise<Seen> {
    const { json, body } = await this.get<ApiPost>(`/2/tweets/${encodeURIComponent(id)}?`, 1);
    if (json.data === undefined) return { answer: { gone: goneReason(json.errors?.[0]) }, body };
    const post = findPost(json.data, json);
    if (!post || ![post.id, ...post.versions].includes(id)) throw unusableAnswer('X');
    return { answer: { post }, body };
  }

  /**
   * Looks up to 100 posts in one call. The answer has an entry for each id of which the API said something.
   * @throws PlatformUnavailableError, PlatformMisconfiguredError if the call as a whole failed
   */
  async lookUpMany(ids: string[]): Promise<Map<string, Seen>> {
    const { json, body } = await this.get<ApiPost[]>(
      `/2/tweets?ids=${ids.map(encodeURIComponent).join(',')}&`,
      ids.length,
    );
    const seen = new Map<string, Seen>();
    for (const problem of listOf(json.errors)) {
      const id = ids.find((asked) => asked === problem?.resource_id || asked === problem?.value);
      const gone = findGoneReason(problem);
      if (id && gone) seen.set(id, { answer: { gone }, body });
    }
    for (const data of listOf(json.data)) {
      const post = findPost(data, json);
      if (!post) continue;
      for (const id of [post.id, ...post.versions]) seen.set(id, { answer: { post }, body });
    }
    return seen;
  }

  /**
   * A JSON answer with status 200, or the problem of another status as the only one of such an answer.
   * @param paidReads posts for which an answer is paid
   */
  private async get<T>(path: string, paidReads: number): Promise<JsonReply<Lookup<T>> & { json: Lookup<T> }> {
    const { apiBase, token } = this.options;
    const reply = await this.web.sendJson<Lookup<T>>({
      url: `${apiBase.replace(/\/$/, '')}${path}${FIELDS}`,
      trust: 'operator',
      platform: 'twitter',
      paidReads,
      headers: { authorization: `Bearer ${token}` },
    });
    const { status, json } = reply;
    if (!json) throw status === 401 ? refused() : unusableAnswer('X');
    throwIfRefused(status, json);
    if (status === 200) return { ...reply, json };
    return { ...reply, json: { errors: [status === 404 ? { type: 'resource-not-found' } : json] } };
  }
}

/** Null if the answer is not of the documented form. */
function findPost(data: ApiPost | null, { includes }: Lookup<unknown>): XPost | null {
  const author = listOf(includes?.users).find((user) => user?.id === data?.author_id);
  const references = listOf(data?.referenced_tweets);
  return readPost({
    id: data?.id,
    versions: data?.edit_history_tweet_ids,
    authorId: data?.author_id,
    username: author?.username,
    // The text beside a note is cut.
    text: data?.note_tweet === undefined ? data?.text : data.note_tweet?.text,
    isRepost: references.some((reference) => reference?.type === 'retweeted'),
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
}

/** @throws PlatformUnavailableError if nothing authoritative was said. */
function goneReason(problem: Problem | undefined): string {
  const reason = findGoneReason(problem);
  if (reason === null) throw unusableAnswer('X');
  return reason;
}

function findGoneReason(problem: Problem | undefined): string | null {
  switch (kindOf(problem)) {
    case 'resource-not-found':
      return NO_SUCH_POST;
    case 'not-authorized-for-resource':
      return 'The post on X is not public.';
    case 'resource-unavailable':
    case 'disallowed-resource':
      return 'X does not show this post any more.';
    default:
      return null;
  }
}

/**
 * The last part of the URI in `type`; the part before it has changed over time. Without a type, the title says that a
 * post was not found (X developer documentation, "Post lookup", integration guide).
 */
function kindOf(problem: Problem | undefined): string {
  if (typeof problem?.type === 'string') return problem.type.slice(problem.type.lastIndexOf('/') + 1);
  return problem?.title === 'Not Found Error' ? 'resource-not-found' : '';
}

function listOf<T>(list: T[] | undefined): T[] {
  return Array.isArray(list) ? list : [];
}

function refused(): PlatformMisconfiguredError {
  return new PlatformMisconfiguredError('X refuses the token of this server (X_BEARER_TOKEN, twitter.token).');
}
