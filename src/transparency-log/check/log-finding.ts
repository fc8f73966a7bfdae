/** The first thing that is not as it was signed; the message names it, for the operator. */
export class LogFinding extends Error {}
