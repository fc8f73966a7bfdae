/** Whether a text is one line of at most `most` characters without any that nobody sees; the page shows it. */
export function isShownLine(text: string, most: number): boolean {
  return text !== '' && [...text].length <= most && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
