/** A page of HTML, which `tweet-result` and `oembed` answer with 404 for a post that is not there. */
export const NOT_FOUND_PAGE =
  '<!DOCTYPE html><html lang="en"><head><title>404</title></head><body>Sorry, that page does not exist</body></html>';

/** What `tweet-result` answers for a post that it hides; cases of vercel/react-tweet, its tests and issue 160. */
export function tombstone(text?: string): object {
  return {
    __typename: 'TweetTombstone',
    tombstone: text === undefined ? {} : { text: { text, entities: [], rtl: false } },
  };
}

/** Tombstones of posts that are gone. */
export const GONE_TOMBSTONES = [
  'This Post was deleted by the Post author. Learn more',
  'This Post is from a suspended account. Learn more',
  'This Post is from an account that no longer exists. Learn more',
  'You’re unable to view this Post because this account owner limits who can view their Posts. Learn more',
];

/** Tombstones that stand for posts that are there as well. */
export const EMPTY_TOMBSTONES = [
  undefined,
  '',
  'Age-restricted adult content. This content might not be appropriate for people under 18 years old.',
];

/** An error of a batch without `type`, as in the integration guide of "Post lookup" (xdevplatform/docs). */
export function batchNotFound(id: string): object {
  return {
    resource_type: 'tweet',
    resource_id: id,
    parameter: 'ids',
    value: id,
    title: 'Not Found Error',
    detail: `Could not find tweet with ids: [${id}].`,
  };
}

/** How oEmbed ends the text of a long post. */
export const CUT_END = '… <a href="https://t.co/AbCdEfGhIj">https://t.co/AbCdEfGhIj</a>';
