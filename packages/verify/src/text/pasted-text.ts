/**
 * Marks that steer how text is set and are no letters: soft hyphen, blanks of no width, marks and embeddings of
 * direction, byte order mark, annotations. Profiles and chats put them around names that are copied. Joiners (U+200C,
 * U+200D), variation selectors and tags are none of them: names in some scripts and of emoji need them. Nor is U+202E,
 * which shows letters in another order than they have: what is seen is not what would be read.
 */
const INVISIBLE_MARKS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202d\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** What shows nothing at the end of a text: white space, joiners, and letters without a shape. */
const BLANK = /[\u200d\s\u200c\u115f\u1160\u2800\u3164\uffa0]/;

/** Quotes and brackets that stand around what is quoted, in the ways of several languages. */
const PAIRS = [
  '""',
  "''",
  '``',
  '<>',
  '“”',
  '„“',
  '„”',
  '””',
  '‘’',
  '‚‘',
  '’’',
  '«»',
  '»«',
  '‹›',
  '›‹',
  '「」',
  '『』',
  '＂＂',
  '＜＞',
];
/** Quotes within quotes within brackets. */
const MAX_PAIRS = 3;

/** `[words](address)` of Markdown. */
const MARKDOWN_LINK = /^\[[^[\]]*\]\(([^()\s]+)\)$/;

const ELEMENT = String.raw`<(script|iframe|a)\s(?:[^<>]*\s)?(?:src|href)=(["'])(https?:[^"'<>\s]+)\2[^<>]*>[^<>]*</\1>`;
/**
 * The code with which a page embeds a post or links to it: one element with one address, perhaps with a script behind
 * it.
 */
const EMBED_CODE = new RegExp(String.raw`^${ELEMENT}\s*(?:<script\b[^<>]*></script>)?$`, 'i');
const MAX_EMBED_CODE = 2048; // UTF-16 units

/**
 * A name, an address or an id as it was meant by whoever pasted it: without marks that cannot be seen, without white
 * space (NBSP and line ends too), joiners and quotes around it, and out of a link of Markdown or the code that embeds a
 * post. What stands between its letters and can be seen stays. Texts of any other kind (content, signatures, payloads)
 * are none of this function's.
 */
export function cleanPasted(text: string): string {
  let clean = withoutBlanks(text.replace(INVISIBLE_MARKS, '')).replace(MARKDOWN_LINK, '$1');
  if (clean.startsWith('<') && clean.length <= MAX_EMBED_CODE) clean = clean.replace(EMBED_CODE, '$3');
  for (let pairs = 0; pairs < MAX_PAIRS && clean.length > 2; pairs += 1) {
    if (!PAIRS.includes(clean[0]! + clean.at(-1)!)) break;
    clean = withoutBlanks(clean.slice(1, -1));
  }
  return clean;
}

/** Goes inwards from both ends, so that blanks in the middle of a long text cost nothing. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text[start]!)) start += 1;
  while (end > start && BLANK.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
