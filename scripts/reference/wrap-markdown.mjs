const WIDTH = 120;
/** A list item: its indentation, its marker with the blanks behind, and its text. */
const ITEM = /^( *)([-*+]|\d+[.)])( +)(.*)$/;
/** Lines that stay as they are: headings, tables, HTML, rules, link definitions, front matter. */
const FIXED = /^ *(#{1,6} |\||<|---+$|\*\*\*+$|\[[^\]]+\]: )/;
/** What follows the backticks holds none (CommonMark 4.5), so that a paragraph may begin with such code. */
const FENCE = /^ *(```(?=[^`]*$)|~~~)/;
/** A word that would begin a list, a heading or a quotation at the beginning of a line. */
const MARKER = /^([-*+>]|#+|\d+[.)])$/;
/** Code and the texts of links, which are not broken. */
const UNBROKEN = /(`+)(?:(?!\1).)+?\1|!?\[(?:[^[\]]|\[[^\]]*\])*\](?:\([^)]*\))?/g;

/**
 * Fills the paragraphs and list items of a Markdown text up to 120 columns; leaves code, tables and headings.
 * @param {string} text
 */
export function wrapMarkdown(text) {
  const lines = text.split('\n');
  /** @type {string[]} */
  const out = [];
  let isInList = false;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence) {
      do out.push(lines[at++]);
      while (at < lines.length && !lines[at].trim().startsWith(fence));
      if (at < lines.length) out.push(lines[at++]);
      continue;
    }
    const indent = line.length - line.trimStart().length;
    if (line.trim() === '' || FIXED.test(line) || line.startsWith('>') || (indent >= 4 && !isInList)) {
      out.push(line);
      at += 1;
      continue;
    }
    const [, space = ' '.repeat(indent), marker = '', gap = '', rest = line.trimStart()] = ITEM.exec(line) ?? [];
    isInList = marker !== '' || (isInList && indent > 0);
    const words = [rest];
    for (at += 1; at < lines.length && continues(lines[at - 1], lines[at]); at += 1) words.push(lines[at].trim());
    out.push(...filled(words.join(' '), space + marker + gap));
  }
  return out.join('\n');
}

/**
 * Whether `line` belongs to the paragraph of the line before it, which does not end in a hard line break.
 * @param {string} before
 * @param {string} line
 */
function continues(before, line) {
  const isBreak = /( {2}|\\)$/.test(before);
  return (
    !isBreak && line.trim() !== '' && !FIXED.test(line) && !FENCE.test(line) && !ITEM.test(line) && !/^ *>/.test(line)
  );
}

/** @param {string} text @param {string} first */
function filled(text, first) {
  const hanging = ' '.repeat(first.length);
  // U+0000 stands for blanks that stay.
  const words = text.replace(UNBROKEN, (part) => part.replaceAll(' ', '\0')).split(/ +(?=\S)/);
  /** @type {string[]} */
  const lines = [];
  let line = first;
  for (const word of words) {
    const isFirst = line === first;
    if (isFirst || line.length + 1 + word.length <= WIDTH) line += isFirst ? word : ` ${word}`;
    else {
      // A marker takes the word before it along.
      const end = MARKER.test(word) ? line.lastIndexOf(' ') : line.length;
      lines.push(line.slice(0, end));
      line = hanging + `${line.slice(end + 1)} ${word}`.trimStart();
    }
  }
  return [...lines, line].map((one) => one.replaceAll('\0', ' '));
}
