import { PlatformUnavailableError } from '../errors.js';

/**
 * `who` answered with something that it does not say by its documentation, so nothing is known. Shows nothing of the
 * answer.
 */
export function unusableAnswer(who: string): PlatformUnavailableError {
  return new PlatformUnavailableError(`${who} gave no usable answer; try again later.`);
}
