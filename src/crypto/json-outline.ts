/** How large the structure of a JSON text is, without its values. */
export interface JsonOutline {
  /** How deep objects and arrays are nested: `[]` is 1 deep, a plain text 0. */
  depth: number;
  /** Objects, arrays and what they hold; no value is missed, and one inside an array or object may be counted twice. */
  values: number;
  /** Members of all objects. */
  members: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in one bit. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Reads the outline of `json` from its bytes in one pass, without making anything of it: what a text costs to parse and
 * to walk is known before that is done. Of a text that is not JSON the outline means nothing.
 * @param json in UTF-8, where no byte of another character looks like one of those that matter here (RFC 3629)
 */
export function outlineOf(json: Uint8Array): JsonOutline {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let members = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) members += 1;
    else if ((byte | BRACE_BIT) === OPENING) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if ((byte | BRACE_BIT) === CLOSING) depth -= 1;
  }
  return { depth: deepest, values, members };
}

/** The place of the quotation mark that ends the text which the one at `start` begins; the last place if none does. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
