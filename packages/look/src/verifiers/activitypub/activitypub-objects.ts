import { PlatformUnavailableError } from '../../errors.js';
import type { InvalidVerdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { textOfHtml } from '../../posts/html-text.js';
import type { JsonReply } from '../../web/fetcher.js';
import type { SignatureForm } from '../../web/request-signer.js';
import type { AuthorsPost, ExpectedAuthor } from './activitypub-post.js';
import { NO_SUCH_POST, NO_TEXT, NOT_PUBLIC, writtenByAnother, writtenElsewhere } from './activitypub-post.js';
import type { ObjectPath } from './activitypub-software.js';
import { type FediverseRequests, unusable } from './activitypub-requests.js';

const ACCEPT = 'application/activity+json';
const MAX_KNOWN_HOSTS = 1000;
/** Objects that are posts. */
const POSTS = ['Note', 'Article'];
/** The names of everybody (ActivityPub 5.6). */
const PUBLIC = ['https://www.w3.org/ns/activitystreams#Public', 'as:Public', 'Public'];

/** The parts of an object that are read. Every member is optional: we did not write that server. */
interface PostObject {
  id?: unknown;
  type?: unknown;
  attributedTo?: unknown;
  to?: unknown;
  /** Holds everybody where a post is unlisted. */
  cc?: unknown;
  /** HTML. */
  content?: unknown;
}

/**
 * Reads posts as servers read each other's: the post's own address, by a request that is signed. For servers whose
 * other ways are closed, and for GoToSocial, which has no other. Which form of signature a host wants is remembered.
 * Sources: ActivityPub 3.2 and 5.6; docs.gotosocial.org, "HTTP Signatures"; Mastodon, "Security".
 */
export class FediverseObjects {
  private readonly forms = new Map<string, SignatureForm>();

  /** @throws PlatformUnavailableError where nothing is known, or this program has no key that servers can read */
  async read(
    requests: FediverseRequests,
    author: ExpectedAuthor,
    id: string,
    path: ObjectPath,
  ): Promise<AuthorsPost | InvalidVerdict> {
    const parent = path === 'statuses' ? author.actor.replace(/\/$/, '') : `https://${author.apiHost}`;
    const url = `${parent}/${path}/${encodeURIComponent(id)}`;
    // A query would be signed by some and left out by others.
    if (!URL.canParse(url) || new URL(url).origin !== `https://${author.apiHost}` || /[?#]/.test(url)) throw unusable();
    const { status, json, isJson, body } = await this.ask(requests, author.apiHost, url);
    if (status === 401 || status === 403) throw showsNothing(author);
    if (status === 410 || (status === 404 && isJson)) return invalid(NO_SUCH_POST);
    if (status !== 200 || typeof json !== 'object' || json === null) throw unusable();
    return judge(json, author, id, { url, body });
  }

  /** Asks in the form that the host is known to read, else in the old one, and where it refuses that in the new one. */
  private async ask(requests: FediverseRequests, host: string, url: string): Promise<JsonReply<PostObject>> {
    const known = this.forms.get(host);
    const reply = await signed(requests, url, known ?? 'cavage');
    if (reply.status !== 401) return reply;
    const other = known === 'rfc9421' ? 'cavage' : 'rfc9421';
    const again = await signed(requests, url, other);
    if (again.status !== 401) this.remember(host, other);
    return again;
  }

  private remember(host: string, form: SignatureForm): void {
    this.forms.delete(host);
    this.forms.set(host, form);
    const [oldest] = this.forms.keys();
    if (this.forms.size > MAX_KNOWN_HOSTS) this.forms.delete(oldest!);
  }
}

function signed(requests: FediverseRequests, url: string, form: SignatureForm): Promise<JsonReply<PostObject>> {
  const headers = requests.signerOf()?.sign(url, form, new Date());
  if (!headers) {
    throw new PlatformUnavailableError(
      'The server of this account answers only servers that sign their requests, and this program cannot: a server of ' +
        'Signet whose PUBLIC_URL is an https address can.',
    );
  }
  return requests.getSigned<PostObject>(url, { ...headers, accept: ACCEPT });
}

function showsNothing({ apiHost }: ExpectedAuthor): PlatformUnavailableError {
  return new PlatformUnavailableError(
    `The server ${apiHost} does not show this post to other servers, so it cannot be checked.`,
  );
}

function judge(
  { id, type, attributedTo, to, cc, content }: PostObject,
  author: ExpectedAuthor,
  postId: string,
  seen: Pick<AuthorsPost, 'url' | 'body'>,
): AuthorsPost | InvalidVerdict {
  if (typeof id !== 'string' || typeof type !== 'string' || typeof content !== 'string') throw unusable();
  if (!URL.canParse(id) || new URL(id).origin !== `https://${author.apiHost}`) return invalid(writtenElsewhere(author));
  if (new URL(id).pathname.split('/').at(-1) !== postId) throw unusable();
  const writers = idsIn(attributedTo);
  if (writers.length === 0) throw unusable();
  if (writers.length > 1 || writers[0] !== author.actor) return invalid(writtenByAnother(author));
  if (!POSTS.includes(type)) return invalid('This is no post, but another kind of object.');
  if (![...idsIn(to), ...idsIn(cc)].some((one) => PUBLIC.includes(one))) return invalid(NOT_PUBLIC);
  const text = textOfHtml(content);
  return text === '' ? invalid(NO_TEXT) : { texts: [text], accountId: author.actor, ...seen };
}

/** The ids of one or several objects, each an id or an object with one. */
function idsIn(value: unknown): string[] {
  return [value].flat().flatMap((one: unknown) => {
    const id = typeof one === 'object' && one !== null ? (one as { id?: unknown }).id : one;
    return typeof id === 'string' ? [id] : [];
  });
}
