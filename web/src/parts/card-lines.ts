/** What a card names. Apart from its drawing, which needs a browser. */

/** Lines that there is room for. */
const MOST_LINES = 5;

/** The lines that there is room for; the last one says how many others there are. */
export function shownLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const shown = lines.slice(0, MOST_LINES - 1);
  return [...shown, `+ ${lines.length - shown.length}`];
}
