/**
 * Asks `packages/verify` about the vectors of a folder, as the verifiers of examples/verifiers do: `node
 * scripts/vectors/check.mjs FOLDER`. Ends with 1 if it returns another result for one.
 */
import { checkVectors } from './package-verifier.mjs';

const { count, differences } = await checkVectors(process.argv[2]);
for (const difference of differences) console.error(difference);
console.log(`${count - differences.length} of ${count} vectors as expected`);
process.exit(differences.length > 0 ? 1 : 0);
