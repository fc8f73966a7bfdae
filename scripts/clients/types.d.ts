/** A row of the table that `npm run test:clients` prints. */
export interface Step {
  language: string;
  /** What is tried. */
  what: string;
  /** What it is made with. */
  library: string;
  /** Files whose lines are counted. */
  sources: string[];
  /** Commands that succeed where its tools are. */
  needs: string[][];
  /**
   * Builds in the folder `work`, and tries it on the server at `baseUrl`.
   * @returns what was shown
   */
  try(place: { work: string; baseUrl: string }): Promise<string>;
}
