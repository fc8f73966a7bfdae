/** Checks archived links with nothing but themselves (docs/archive.md, "What is verified"), by the rules of all. */
import { verifyArchiveDocuments } from '@signet/verify';
import { serviceCurves } from '../../dist/src/crypto/ecdsa.js';

/**
 * Checks the links of one Avatar, oldest first.
 * @returns for each link `{ problems, notes }`: parts of sentences about what is wrong, and about what could not be
 *   checked here
 */
export function checkChain(links) {
  return verifyArchiveDocuments(links, { curves: serviceCurves }).map(({ steps }) => ({
    problems: partsOf(steps, 'failed'),
    // That a post is not in the archive is known in advance.
    notes: partsOf(
      steps.filter(({ name }) => name !== 'post'),
      'not_checkable',
    ),
  }));
}

function partsOf(steps, wanted) {
  return steps
    .filter(({ state }) => state === wanted)
    .map(({ detail }) => detail[0].toLowerCase() + detail.slice(1, -1));
}
