/** A public post that was read from the server of its author, who has an account there. */
export interface AuthorsPost {
  /** The author's text, best form first; without what the server marks as the words of others. */
  texts: string[];
  /** The server's stable id of the author. */
  accountId: string;
  /** Where it was read, or the page that shows the same. */
  url: string;
  /** The bytes that were read. */
  body: Uint8Array;
}

/** The account that must have written a post, and where its posts are read. */
export interface ExpectedAuthor {
  user: string;
  /** Host of the name. */
  host: string;
  /** Host of the API; another one on split domains. */
  apiHost: string;
  /** The address of the actor, as its server writes it. */
  actor: string;
}

/**
 * A server keeps copies of posts from elsewhere under ids of its own, so the name alone proves nothing: `alice` of one
 * server would pass as `alice` of another.
 */
export function writtenElsewhere({ apiHost }: ExpectedAuthor): string {
  return `The post is a copy of one from another server than ${apiHost}.`;
}

export function writtenByAnother({ user, host }: ExpectedAuthor): string {
  return `The post was written by another account than ${user}@${host}.`;
}

export const NO_SUCH_POST = 'There is no such public post on the server of this account.';
export const NOT_PUBLIC = 'The post is not public.';
export const NO_TEXT = 'The post has no text of its own.';
