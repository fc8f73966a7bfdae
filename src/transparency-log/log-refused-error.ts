/** Nothing may be signed: it could contradict what was signed before. The message says why, for the operator. */
export class LogRefusedError extends Error {
  constructor(
    message: string,
    /** Whether no server may go on until an operator has done something. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}
