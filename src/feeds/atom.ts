import { escaped } from '../http/markup.js';

export interface AtomEntry {
  /** Of the record: the same on every server, in every feed and for ever. */
  uuid: string;
  title: string;
  /** Compressed key. */
  author: string;
  /** The page that shows it, from `/` on. */
  path: string;
  published: Date;
  /** When its text was taken away, else when it was published. */
  updated: Date;
  /** A sentence; absent where the text was taken away. */
  summary?: string;
}

/** A feed, or one page of it. */
export interface AtomFeed {
  /** Hex digits that name the feed wherever it is served. */
  uuid: string;
  title: string;
  /** The page whose news it has, from `/` on. */
  path: string;
  /** Addresses of this page, of the first one and of the one behind this one, from `/` on. */
  self: string;
  first: string;
  next: string | null;
  entries: AtomEntry[];
}

/** The time of a feed without entries, which has never changed. */
const NEVER = new Date(0);

/**
 * Writes a feed as RFC 4287 says, with the pages of RFC 5005, section 3. Nothing in it but what is given here, so that
 * the same news are the same bytes.
 * @param origin of the addresses, without a slash at the end; `''` leaves them relative
 */
export function atomText(feed: AtomFeed, origin: string): string {
  const at = (path: string) => escaped(origin + path);
  const newest = feed.entries.reduce((time, { updated }) => (updated > time ? updated : time), NEVER);
  const links = [
    `<link rel="alternate" type="text/html" href="${at(feed.path)}"/>`,
    `<link rel="self" type="application/atom+xml" href="${at(feed.self)}"/>`,
    `<link rel="first" type="application/atom+xml" href="${at(feed.first)}"/>`,
    ...(feed.next === null ? [] : [`<link rel="next" type="application/atom+xml" href="${at(feed.next)}"/>`]),
  ];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>urn:uuid:${feed.uuid}</id>`,
    `<title>${escaped(feed.title)}</title>`,
    `<updated>${newest.toISOString()}</updated>`,
    '<generator>Signet</generator>',
    ...links,
    ...feed.entries.map((entry) => entryText(entry, at)),
    '</feed>',
    '',
  ].join('\n');
}

function entryText(entry: AtomEntry, at: (path: string) => string): string {
  const { uuid, title, author, path, published, updated, summary } = entry;
  return [
    '<entry>',
    `<id>urn:uuid:${uuid}</id>`,
    `<title>${escaped(title)}</title>`,
    `<published>${published.toISOString()}</published>`,
    `<updated>${updated.toISOString()}</updated>`,
    `<author><name>${author}</name><uri>${at(`/a/${author}`)}</uri></author>`,
    `<link rel="alternate" type="text/html" href="${at(path)}"/>`,
    ...(summary === undefined ? [] : [`<summary>${escaped(summary)}</summary>`]),
    '</entry>',
  ].join('\n');
}
