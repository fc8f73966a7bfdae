/** What is wrong with an archived chain; the message is a sentence for people. */
export class Problem extends Error {}
