import { Token, Tokenizer, TokenizerMode } from 'parse5';

/** One step through a document: a tag by its lowercase name, or text with its entities decoded. */
type Piece = { kind: 'start' | 'end'; name: string; classes: string[] } | { kind: 'text'; text: string };

/** As long as the longest text in which a signature is looked for. A megabyte would cost a third of a second. */
const MAX_HTML_CHARACTERS = 64 * 1024;

/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section summary table td th tr ul'
  ).split(' '),
);

/** Elements without an end tag, which hold no text. */
const VOID_ELEMENTS = new Set('br hr img input link meta wbr'.split(' '));

/** Elements whose content is not shown as text, with the way in which the tokenizer has to read that content. */
const UNSHOWN: Record<string, keyof typeof TokenizerMode> = {
  script: 'SCRIPT_DATA',
  style: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  noscript: 'RAWTEXT',
  xmp: 'RAWTEXT',
  textarea: 'RCDATA',
  title: 'RCDATA',
  template: 'DATA',
};

/**
 * Elements whose text is not the author's. Quotations hold the words of others: `blockquote.shared_content` is how
 * Friendica shows a shared post, `blockquote.wp-embedded-content` how WordPress embeds one. The text of a link is an
 * address, a name, or the title of a page by another author.
 */
const QUOTING_ELEMENTS = new Set(['blockquote', 'q', 'cite', 'a']);

/**
 * Classes of what servers write for a quoted or shared post of another author: `quote-inline` is written by Mastodon (a
 * paragraph), Akkoma, Fedibird, Iceshrimp and Sharkey (a span); `shared-wrapper` and `shared_header` by Friendica;
 * `reshared-content` and `shared_container` by Hubzilla and its relatives; `h-cite` is the microformat of a cited post
 * (microformats.org).
 */
const QUOTING_CLASSES = new Set(
  'quote-inline shared_content shared-wrapper shared_header shared_container reshared-content h-cite'.split(' '),
);

/**
 * The author's own text of a post that comes as HTML, in lines: `<br>` and the ends of blocks break lines, blanks
 * collapse outside `<pre>`, entities are decoded once. Scripts, styles, quotations, links, and what servers write for
 * the posts of others are left out. Any input is read in linear time, also when deeply nested. HTML of more than 64 Ki
 * characters is returned as it is, and refused as a text in which a signature is looked for: that would be too long.
 */
export function textOfHtml(html: string): string {
  return html.length > MAX_HTML_CHARACTERS ? html : textOf(piecesOf(html));
}

/**
 * The post in the HTML of an oEmbed answer of X: the first paragraph of `blockquote.twitter-tweet`, or null. What
 * follows that paragraph (display name, handle, date) is partly chosen by the author and no part of the post.
 */
export function postOfTweetEmbed(html: string): string | null {
  if (html.length > MAX_HTML_CHARACTERS) return null;
  const pieces = piecesOf(html);
  const quote = pieces.findIndex((piece) => isStart(piece, 'blockquote') && piece.classes.includes('twitter-tweet'));
  if (quote < 0) return null;
  const inside = pieces.slice(quote + 1);
  const start = inside.findIndex((piece) => isStart(piece, 'p') || isEnd(piece, 'blockquote'));
  if (start < 0 || !isStart(inside[start]!, 'p')) return null;
  const paragraph = inside.slice(start + 1);
  const end = paragraph.findIndex((piece) => piece.kind !== 'text' && BLOCKS.has(piece.name));
  // Without the end tag of the paragraph the end of the post and the start of the name are unknown.
  return end >= 0 && isEnd(paragraph[end]!, 'p') ? textOf(paragraph.slice(0, end)) : null;
}

function isStart(piece: Piece, name: string): piece is Exclude<Piece, { kind: 'text' }> {
  return piece.kind === 'start' && piece.name === name;
}

function isEnd(piece: Piece, name: string): boolean {
  return piece.kind === 'end' && piece.name === name;
}

/**
 * Runs the tokenizer alone. The tree builder of HTML takes quadratic time and memory for tags that are nested or
 * misnested on purpose, and lines of text need no tree.
 */
function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  // The tokenizer makes a token of each word and each blank.
  const addText = ({ chars }: Token.CharacterToken) => {
    const last = pieces.at(-1);
    if (last?.kind === 'text') last.text += chars;
    else pieces.push({ kind: 'text', text: chars });
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: (tag) => {
        const classes = (Token.getTokenAttr(tag, 'class') ?? '').split(/\s+/);
        pieces.push({ kind: 'start', name: tag.tagName, classes });
        if (Object.hasOwn(UNSHOWN, tag.tagName)) tokenizer.state = TokenizerMode[UNSHOWN[tag.tagName]!];
      },
      onEndTag: (tag) => void pieces.push({ kind: 'end', name: tag.tagName, classes: [] }),
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  );
  tokenizer.write(html, true);
  return pieces;
}

function textOf(pieces: Piece[]): string {
  const lines = new LineWriter();
  /** The element whose content is being left out, and how many of its name are open. */
  let hidden: { name: string; depth: number } | null = null;
  let openPres = 0;
  for (const piece of pieces) {
    // A paragraph ends where another block starts or ends, with or without its end tag.
    if (hidden?.name === 'p' && piece.kind !== 'text' && BLOCKS.has(piece.name)) {
      hidden = null;
      if (piece.kind === 'end' && piece.name === 'p') continue;
    }
    if (hidden) {
      if (piece.kind !== 'text' && piece.name === hidden.name) hidden.depth += piece.kind === 'start' ? 1 : -1;
      if (hidden.depth === 0) hidden = null;
    } else if (piece.kind === 'text') {
      lines.write(piece.text, openPres > 0);
    } else if (piece.kind === 'start' && isLeftOut(piece)) {
      hidden = { name: piece.name, depth: 1 };
      // A word before the element and one behind it are two words.
      if (BLOCKS.has(piece.name)) lines.breakTo(2);
      else if (QUOTING_ELEMENTS.has(piece.name)) lines.write(' ', false);
    } else {
      if (piece.name === 'pre') openPres = Math.max(0, openPres + (piece.kind === 'start' ? 1 : -1));
      if (piece.name === 'br') lines.write('\n', true);
      else if (BLOCKS.has(piece.name)) lines.breakTo(piece.kind === 'start' ? 1 : 2);
    }
  }
  return lines.text();
}

/** Whether the text inside is not the author's. */
function isLeftOut({ name, classes }: Exclude<Piece, { kind: 'text' }>): boolean {
  if (Object.hasOwn(UNSHOWN, name) || QUOTING_ELEMENTS.has(name)) return true;
  return classes.some((each) => QUOTING_CLASSES.has(each)) && !VOID_ELEMENTS.has(name);
}

/** Collects text as a browser would lay it out in lines. */
class LineWriter {
  private readonly parts: string[] = [];
  /** Line ends at the end of the text so far; a text that is empty needs none. */
  private lineEnds = 2;
  private endsWithBlank = true;

  /** Adds text; `verbatim` keeps its blanks and line ends. */
  write(text: string, verbatim: boolean): void {
    let added = verbatim ? text : text.replace(/[ \t\n\f\r]+/g, ' ');
    if (!verbatim && this.endsWithBlank && added.startsWith(' ')) added = added.slice(1);
    if (added === '') return;
    this.parts.push(added);
    let ends = 0; // counted by hand: a pattern for the end of a text takes quadratic time on long runs inside it
    while (ends < added.length && added[added.length - 1 - ends] === '\n') ends += 1;
    this.lineEnds = ends === added.length ? this.lineEnds + ends : ends;
    this.endsWithBlank = /\s$/.test(added);
  }

  /** Makes the text end with at least `count` line ends. */
  breakTo(count: number): void {
    if (this.lineEnds < count) this.write('\n'.repeat(count - this.lineEnds), true);
  }

  text(): string {
    return this.parts.join('').trim();
  }
}
