import { PlatformMisconfiguredError, PlatformUnavailableError } from '../../errors.js';
import type { ProofClaim, ValidVerdict, Verdict } from '../../platform-verifier.js';
import { invalid } from '../../platform-verifier.js';

/** What an endpoint that needs no key says of the post of a claim. */
export type KeylessAnswer =
  /** The endpoint shows the post. `verdict` is null where it does not show enough of it to judge. */
  | { isShown: true; verdict: Verdict | null }
  /** The endpoint reports that the post cannot be seen, and why, in one sentence. */
  | { isShown: false; reason: string };

/** An endpoint that needs no key. */
export interface KeylessSource {
  /** @throws PlatformUnavailableError if this endpoint cannot say whether the post is there */
  look(claim: ProofClaim): Promise<KeylessAnswer>;
}

/**
 * Asks the endpoints in their order. The first that shows enough of the post decides. That a post is gone is believed
 * of the first endpoint for a create; for a recheck only if one endpoint says so and none of the others shows the post,
 * because each of them is known to hide posts that are there.
 * @throws PlatformUnavailableError if none can say, PlatformMisconfiguredError if no endpoint is set
 */
export async function verifyKeyless(claim: ProofClaim, sources: KeylessSource[]): Promise<Verdict> {
  if (sources.length === 0)
    throw new PlatformMisconfiguredError('X cannot be asked without a key: X_FALLBACKS (twitter.fallbacks) is empty.');
  let failure: PlatformUnavailableError | null = null;
  let goneReason: string | null = null;
  let isShown = false;
  for (const source of sources) {
    const answer = await lookOrFail(source, claim);
    if (answer instanceof PlatformUnavailableError) failure ??= answer;
    else if (!answer.isShown) goneReason ??= answer.reason;
    else if (answer.verdict) return answer.verdict;
    else isShown = true;
    if (goneReason !== null && !claim.isRecheck) break;
  }
  if (goneReason !== null && !isShown) return invalid(goneReason);
  throw failure ?? cannotSay();
}

/** Claims in a row without an answer after which the rest of a batch is not asked for: it would only wait. */
const MOST_SILENT = 2;

/**
 * Looks for the posts of rechecks at the endpoints. Returns the verdict of each claim that they confirm, and null for
 * the others, creates among them: what the endpoints do not confirm is no finding here.
 */
export async function confirmKeyless(claims: ProofClaim[], sources: KeylessSource[]): Promise<(ValidVerdict | null)[]> {
  const confirmed: (ValidVerdict | null)[] = [];
  let silent = 0;
  for (const claim of claims) {
    const isAsked = claim.isRecheck === true && sources.length > 0 && silent < MOST_SILENT;
    const verdict = isAsked ? await verdictOrNull(claim, sources) : null;
    if (isAsked) silent = verdict === null ? silent + 1 : 0;
    confirmed.push(verdict?.valid ? verdict : null);
  }
  return confirmed;
}

/** @returns null where no endpoint can say */
async function verdictOrNull(claim: ProofClaim, sources: KeylessSource[]): Promise<Verdict | null> {
  try {
    return await verifyKeyless(claim, sources);
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return null;
    throw error;
  }
}

async function lookOrFail(source: KeylessSource, claim: ProofClaim): Promise<KeylessAnswer | PlatformUnavailableError> {
  try {
    return await source.look(claim);
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return error;
    throw error;
  }
}

/** The endpoint gave no answer that says whether the post is there. */
export function cannotSay(): PlatformUnavailableError {
  return new PlatformUnavailableError('X did not say whether this post is public; try again later.');
}
