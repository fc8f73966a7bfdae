/**
 * A code block of Discord, which shows no quotations; a quotation to the end of the message behind `>>> `; one of a
 * single line behind `> `, or behind a full-width `＞`, which readers take for one. What stands first in the text
 * decides, as it does for Discord.
 */
const DISCORD = /```[^]*?```|^ *>>> [^]*|^ *(?:> |＞).*/gm;

/** A line that begins with `>`, of usual or full width. No blank before it ends a line, so that time is linear. */
const QUOTED_LINE = /^[^\S\n\r\u2028\u2029]*[>＞].*/gm;

/** The author's own words of a Discord message. Source: Discord Support, "Markdown Text 101", "Block Quotes". */
export function withoutDiscordQuotes(text: string): string {
  return text.replace(DISCORD, (found) => (found.startsWith('```') ? found : ''));
}

/**
 * The author's own words of a plain text. A line that begins with `>` is a quotation in mail (RFC 3676, 4.5), in the
 * Markdown that servers of the Fediverse, forges and forums take, and in Misskey's own markup.
 */
export function withoutQuotedLines(text: string): string {
  return text.replace(QUOTED_LINE, '');
}
