import { PlatformUnavailableError } from '../../errors.js';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';
import { MAX_IDS, type Seen, type XApi } from './twitter-api.js';
import { judgePost, newerVersion } from './twitter-post.js';

/**
 * Checks many claims with one request for each 100 posts, which is how X counts requests. The answers are in the order
 * of the claims; an Error stands for a claim of which nothing is known. A post that was edited since is asked for by
 * `verifyOne`.
 */
export async function verifyInBatches(
  claims: ProofClaim[],
  api: XApi,
  verifyOne: (claim: ProofClaim) => Promise<Verdict>,
): Promise<(Verdict | Error)[]> {
  const ids = [...new Set(claims.map((claim) => claim.proofLocation))];
  const seen = new Map<string, Seen | Error>();
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const asked = ids.slice(start, start + MAX_IDS);
    const answers = await api.lookUpMany(asked).catch(toError);
    for (const id of asked) seen.set(id, (answers instanceof Error ? answers : answers.get(id)) ?? nothingSaid());
  }

  const outcomes: (Verdict | Error)[] = [];
  for (const claim of claims) {
    const found = seen.get(claim.proofLocation)!;
    if (found instanceof Error) outcomes.push(found);
    else if ('gone' in found.answer) outcomes.push(invalid(found.answer.gone));
    else if (newerVersion(found.answer.post)) outcomes.push(await verifyOne(claim).catch(toError));
    else outcomes.push(judgePost(found.answer.post, claim, found.body));
  }
  return outcomes;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function nothingSaid(): PlatformUnavailableError {
  return new PlatformUnavailableError('X said nothing of this post; try again later.');
}
