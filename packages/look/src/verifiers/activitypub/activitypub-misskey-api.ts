import { asciiLower } from '@signet/verify/names';
import { PlatformUnavailableError } from '../../errors.js';
import type { InvalidVerdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import type { AuthorsPost, ExpectedAuthor } from './activitypub-post.js';
import { NO_SUCH_POST, NO_TEXT, NOT_PUBLIC, writtenByAnother, writtenElsewhere } from './activitypub-post.js';
import { unusable, type FediverseRequests } from './activitypub-requests.js';

/** The parts of a note that we read. Every member is optional: we did not write that server. */
interface Note {
  id?: unknown;
  /** Address at the server of origin; only of notes from elsewhere. */
  uri?: unknown;
  visibility?: unknown;
  /** True where only who signs in may see it; `text` is then null. */
  isHidden?: unknown;
  text?: unknown;
  user?: { id?: unknown; username?: unknown; host?: unknown; isCat?: unknown } | null;
}

interface Failure {
  error?: { code?: unknown } | null;
}

/** Words of `error.code` that say: the id leads nowhere. */
const NOWHERE = ['NO_SUCH_NOTE', 'INVALID_PARAM'];

/**
 * Reads a note from a server that speaks the API of Misskey. Source: Misskey API documentation, `notes/show`; client
 * errors come as status 400 with a code.
 * @throws PlatformUnavailableError if the server cannot be asked or shows the note only to those who sign in
 */
export async function readMisskeyPost(
  requests: FediverseRequests,
  author: ExpectedAuthor,
  id: string,
): Promise<AuthorsPost | InvalidVerdict> {
  const url = `https://${author.apiHost}/api/notes/show`;
  const { status, json, body } = await requests.postJson<Note & Failure>(url, { noteId: id });
  const code = json?.error?.code;
  if (status === 410 || (status >= 400 && NOWHERE.includes(String(code)))) return invalid(NO_SUCH_POST);
  if (status === 401 || status === 403 || code === 'SIGNIN_REQUIRED') {
    throw new PlatformUnavailableError(
      `The server ${author.apiHost} or the author shows this post only to those who sign in, so it cannot be checked.`,
    );
  }
  if (status !== 200 || typeof json !== 'object' || json === null) throw unusable();
  return judge(json, author, id, { url: `https://${author.apiHost}/notes/${encodeURIComponent(id)}`, body });
}

function judge(
  { id, uri, visibility, isHidden, text, user }: Note,
  author: ExpectedAuthor,
  expectedId: string,
  seen: Pick<AuthorsPost, 'url' | 'body'>,
): AuthorsPost | InvalidVerdict {
  const { id: accountId, username, host, isCat } = user ?? {};
  if (typeof accountId !== 'string' || typeof username !== 'string' || host === undefined) throw unusable();
  if (typeof visibility !== 'string' || id !== expectedId) throw unusable();
  if (![host, text, uri ?? null].every((member) => member === null || typeof member === 'string')) throw unusable();
  if (host !== null || (uri !== null && uri !== undefined)) return invalid(writtenElsewhere(author));
  if (asciiLower(username) !== author.user) return invalid(writtenByAnother(author));
  if (isHidden === true || (visibility !== 'public' && visibility !== 'home')) return invalid(NOT_PUBLIC);
  if (typeof text !== 'string' || text === '') return invalid(NO_TEXT);
  return { texts: isCat === true ? [text, withoutMeows(text)] : [text], accountId, ...seen };
}

/**
 * What a cat wrote. Misskey until 2023.10.1, and Firefish, Foundkey and older Sharkey, write `nya` for each `na` in the
 * texts of accounts that are marked as cats (`nyaize`: `a` behind `n` becomes `ya`, `A` becomes `YA`). One in eleven
 * signatures holds such a pair.
 */
function withoutMeows(text: string): string {
  return text.replace(/(?<=[nN])(?:ya|YA)/g, (meow) => (meow === 'YA' ? 'A' : 'a'));
}
