import { asciiHost, asciiLower } from '@signet/verify/names';
import { PlatformUnavailableError } from '../../errors.js';
import { textOfHtml } from '../../posts/html-text.js';
import type { InvalidVerdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import type { AuthorsPost, ExpectedAuthor } from './activitypub-post.js';
import { NO_SUCH_POST, NO_TEXT, NOT_PUBLIC, writtenByAnother, writtenElsewhere } from './activitypub-post.js';
import { unusable, type FediverseRequests } from './activitypub-requests.js';

/** An id in an answer of a server, before it goes into a path. */
const POST_ID = /^[0-9A-Za-z_-]{1,64}$/;

/** The parts of a status that we read. Every member is optional: we did not write that server. */
interface Status {
  uri?: unknown;
  visibility?: unknown;
  reblog?: unknown;
  /** HTML. */
  content?: unknown;
  account?: { id?: unknown; username?: unknown; acct?: unknown } | null;
  /** The plain text in `pleroma` is not read: it shows quotations like own words, and may lose line ends. */
  pleroma?: { local?: unknown } | null;
}

/**
 * Reads a post from a server that speaks the API of Mastodon, also Pleroma and its relatives. Source: Mastodon
 * documentation, "statuses API methods"; the members of `pleroma` are described in Pleroma's "Differences in Mastodon
 * API responses".
 * @throws PlatformUnavailableError if the server cannot be asked or shows posts only to those who sign in
 */
export async function readMastodonPost(
  requests: FediverseRequests,
  author: ExpectedAuthor,
  id: string,
): Promise<AuthorsPost | InvalidVerdict> {
  const url = statusUrl(author, id);
  const { status, json, body } = await requests.getJson<Status & { error?: unknown }>(url);
  if (status === 401 || status === 403 || status === 422) throw showsNothing(author);
  if (status === 410 || (status === 404 && typeof json?.error === 'string')) return invalid(NO_SUCH_POST);
  if (status !== 200 || typeof json !== 'object' || json === null) throw unusable();
  return judge(json, author, { url, body });
}

/**
 * As `readMastodonPost`, for Pleroma, Akkoma and their relatives. Where `restrict_unauthenticated` is set, these answer
 * 404 for every post, so a 404 counts only if the server shows the newest post of its public timeline by the same way.
 * Source: Pleroma, "restrict_unauthenticated" in the configuration cheat sheet; `StatusController.show`.
 * @throws PlatformUnavailableError if the server cannot be asked or shows posts only to those who sign in
 */
export async function readPleromaPost(
  requests: FediverseRequests,
  author: ExpectedAuthor,
  id: string,
): Promise<AuthorsPost | InvalidVerdict> {
  const answer = await readMastodonPost(requests, author, id);
  if (!('valid' in answer) || answer.reason !== NO_SUCH_POST) return answer;
  const timeline = await requests.getJson<unknown>(
    `https://${author.apiHost}/api/v1/timelines/public?local=true&limit=1`,
  );
  if (timeline.status === 401 || timeline.status === 403) throw showsNothing(author);
  if (timeline.status !== 200 || !Array.isArray(timeline.json)) throw unusable();
  const newest = (timeline.json[0] ?? {}) as { id?: unknown };
  if (typeof newest.id !== 'string' || !POST_ID.test(newest.id)) return answer; // nothing there to compare with
  const { status } = await requests.getJson<unknown>(statusUrl(author, newest.id));
  if (status !== 200) throw showsNothing(author);
  return answer;
}

function statusUrl({ apiHost }: ExpectedAuthor, id: string): string {
  return `https://${apiHost}/api/v1/statuses/${encodeURIComponent(id)}`;
}

function showsNothing({ apiHost }: ExpectedAuthor): PlatformUnavailableError {
  return new PlatformUnavailableError(
    `The server ${apiHost} shows posts only to those who sign in, so this post cannot be checked.`,
  );
}

function judge(
  { uri, visibility, reblog, content, account, pleroma }: Status,
  author: ExpectedAuthor,
  seen: Pick<AuthorsPost, 'url' | 'body'>,
): AuthorsPost | InvalidVerdict {
  const { id, username, acct } = account ?? {};
  if (![uri, visibility, content, id, username, acct].every((member) => typeof member === 'string')) throw unusable();
  if (typeof (reblog ?? {}) !== 'object') throw unusable();
  if (reblog !== null && reblog !== undefined) return invalid('The post is a boost of another post.');
  const isLocal =
    hasLocalName(acct as string, author) && isOn(uri as string, author.apiHost) && pleroma?.local !== false;
  if (!isLocal) return invalid(writtenElsewhere(author));
  if (asciiLower(username as string) !== author.user) return invalid(writtenByAnother(author));
  if (visibility !== 'public' && visibility !== 'unlisted') return invalid(NOT_PUBLIC);
  const text = textOfHtml(content as string);
  return text === '' ? invalid(NO_TEXT) : { texts: [text], accountId: id as string, ...seen };
}

/** `acct` is `user` for accounts of the server itself and `user@host`, perhaps in Unicode, for all others. */
function hasLocalName(acct: string, { host, apiHost }: ExpectedAuthor): boolean {
  const at = acct.indexOf('@');
  return at < 0 || [host, apiHost].includes(asciiHost(acct.slice(at + 1)));
}

/** The address of a post names the server that it comes from. */
function isOn(uri: string, host: string): boolean {
  return URL.canParse(uri) && new URL(uri).origin === `https://${host}`;
}
