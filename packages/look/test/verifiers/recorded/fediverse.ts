/** What somebody else wrote: an address of the other post, and its text in HTML. */
interface OtherPost {
  url: string;
  html: string;
}

/**
 * How servers of the Fediverse write the post of somebody else into the `content` of one's own, each after the source
 * that is named. Host names are invented.
 */
export const EMBEDDED_POSTS: Record<string, (other: OtherPost) => string> = {
  // mastodon/documentation, content/en/methods/statuses.md: the paragraph that is put before a quote, since 4.5.
  'a quote of Mastodon 4.5': ({ url, html }) => `<p class="quote-inline">RE: <a href="${url}">${html}</a></p>`,
  // Akkoma and Iceshrimp (Akkoma's `quote_url` in CommonAPI; SillyQuote, "Quote posts in the Fediverse").
  'a quote of Akkoma, Fedibird or Iceshrimp': ({ url, html }) =>
    `<span class="quote-inline"><br/><br/>RE: <a href="${url}">${url}</a> ${html}</span>`,
  // friendica/friendica, src/Content/Text/BBCode.php, convertShareCallback, case MASTODON_API.
  'a share of Friendica': ({ url, html }) =>
    `<br><b><a href="${url}">♲ bob@other.example</a>:</b><br>\n<blockquote class="shared_content" dir="auto">${html}</blockquote>`,
  // friendica/friendica, convertShareCallback, case ACTIVITYPUB: what Friendica sends to other servers.
  'a share of Friendica as other servers show it': ({ url, html }) =>
    `<div><a href="${url}">♲</a> @<span class="vcard"><a href="${url}" class="url u-url mention">` +
    `<span class="fn nickname mention">bob@other.example</span></a>:</span><blockquote>${html}</blockquote></div>\n`,
  // friendica/friendica, view/templates/shared_content.tpl.
  'a share of Friendica by its template': ({ url, html }) =>
    '<div class="shared-wrapper well well-sm"><div class="shared_header"><div class="metadata"><p class="shared-author">' +
    `<a href="${url}">Bob</a></p></div></div><blockquote class="shared_content" dir="auto">${html}</blockquote></div>`,
  // friendica/friendica, BBCode::convertAttachment: a link with the title and the description of its page.
  'a link preview of Friendica': ({ url, html }) =>
    `<div class="type-link"><h3><a href="${url}">${html}</a></h3><blockquote>${html}</blockquote></div>`,
  // Hubzilla and (streams), include/bbcode.php, bb_ShareAttributes.
  'a share of Hubzilla': ({ url, html }) =>
    `<div class="shared_container"><div class="shared_header"><span><a href="${url}">Bob</a> wrote:</span></div>` +
    `<div class="reshared-content">${html}</div></div>`,
  // WordPress/wordpress-develop, get_post_embed_html.
  'an embedded post of WordPress': ({ url, html }) =>
    `<figure class="wp-block-embed"><blockquote class="wp-embedded-content"><a href="${url}">${html}</a>${html}</blockquote>` +
    `<iframe src="${url}embed/">${html}</iframe></figure>`,
  // microformats.org, h-cite: what bridges and WordPress plug-ins write around a post that is quoted.
  'a cited post of a bridge': ({ url, html }) =>
    `<div class="u-quotation-of h-cite"><a class="u-url" href="${url}">Bob</a><div class="e-content">${html}</div></div>`,
  // BookWyrm, Pleroma and glitch-soc in Markdown: a quotation as HTML has it.
  'a quotation': ({ html }) => `<blockquote><p>${html}</p></blockquote>`,
  // Mastodon's TextFormatter: an address, its scheme and the rest of it in spans that are not seen.
  'a link': ({ url, html }) =>
    `<a href="${url}" rel="nofollow noopener"><span class="invisible">https://</span><span class="ellipsis">${html}</span></a>`,
};

/** Mastodon from 4.5 on names posts by the number of the account (tests of pooza/ginseng-fediverse, 2026). */
export const NUMERIC_STATUS_PATH = '/ap/users/116701601341929545/statuses/116701682233818969';

/** What Mastodon 4.5 answers for a post that is not there. */
export const NOT_FOUND = { error: 'Not Found' };

/** What Pleroma's `public_timeline` answers where `restrict_unauthenticated` holds for it (TimelineController). */
export const TIMELINE_RESTRICTED = { error: 'authorization required for timeline view' };
/** `{:error, :not_found}` in Pleroma's FallbackController: also where `restrict_unauthenticated` hides all posts. */
export const PLEROMA_NOT_FOUND = { error: 'Record not found' };
