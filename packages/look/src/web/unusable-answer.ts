import { PlatformUnavailableError } from '../errors.js';

/**
 * `who` answered with something that it does not say by its documentation, so nothing is known. Shows nothing of the
 * answer.
 */
export function unusableAnswer(who: string): PlatformUnavailableError {
  return new PlatformUnavailableError(`${who} gave no usable answer: it has not the form that is documented.`);
}
