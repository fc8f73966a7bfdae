import { VerificationError } from '../errors.js';

/** How often an answer is read that is not complete. */
const READINGS = 3;

/**
 * Reads an answer again that is not complete by the map of its time. What an Avatar binds or revokes between two
 * requests of one reading may look as if it was left out: an Avatar that moves from one page to the page before it is
 * on neither of them. What a server hides is missing in each reading.
 * @throws VerificationError (`incomplete`) of the last reading; what `read` throws besides
 */
export async function untilComplete<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let readings = 1; ; readings++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof VerificationError) || error.code !== 'incomplete') throw error;
      if (readings < READINGS) continue;
      const message = `${error.message} It was read ${READINGS} times, each time by a new map.`;
      throw new VerificationError(message, error.steps, 'incomplete');
    }
  }
}
