/** Ranges of code points that weigh 1 on X; all others weigh 2 (X developer documentation, "Counting characters"). */
const LIGHT: [first: number, last: number][] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/** The length of a post as X counts it, for texts without links and emoji; a post may weigh 280. */
export function weightedLength(text: string): number {
  return [...text.normalize('NFC')]
    .map((character) => character.codePointAt(0)!)
    .map((point) => (LIGHT.some(([first, last]) => first <= point && point <= last) ? 1 : 2))
    .reduce<number>((sum, weight) => sum + weight, 0);
}
