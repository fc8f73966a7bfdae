/** Texts of lines that people write by hand: policies, and lists of observers. */
import { withoutMark } from './text-file.js';

/** C0 and DEL, but tabs. */
const CONTROLS = /[^\P{Cc}\t\u0080-\u009f]/u;
/** What looks like a space, or like nothing, and is no separator of words here. */
const UNSEEN = /(?! )[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** The lines of a text, without a byte order mark in front and without CR at their ends, as Windows writes them. */
export function linesOf(text: string): string[] {
  return withoutMark(text)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Whether a line holds a control character other than a tab. */
export function hasControls(line: string): boolean {
  return CONTROLS.test(line);
}

/** What is wrong with a line, and what nobody sees in it, which is then the likely cause. */
export function withUnseen(problem: string, line: string): string {
  const unseen = UNSEEN.exec(line)?.[0];
  if (unseen === undefined) return problem;
  const code = `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = unseen === '\u00a0' ? `${code}, a no-break space,` : code;
  return `${problem}; the line holds ${name} which cannot be seen: write the line anew`;
}
