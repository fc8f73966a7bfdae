/** What resolvers show of a name, judged. */
import { PlatformUnavailableError } from '../../errors.js';
import { invalid, type ProofClaim, type Verdict } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { readProofRecord } from './dns-record.js';

/** Records with the uuid of the claim that are tried; more than one is a left-over of an edit. */
const MAX_RECORDS = 20;
/** Resolvers that are asked: two opinions are enough; more would only make a disagreement likelier. */
export const MAX_RESOLVERS = 2;

/**
 * The TXT records of a name as one resolver sees them: one text per record, its strings joined, bytes as Latin-1. Empty
 * if the name or the record does not exist.
 * @throws PlatformUnavailableError if the resolver gave no answer.
 */
export type TxtResolver = (domain: string) => Promise<string[]>;

/** What one resolver says; an error is one that could not be asked. */
type Opinion = Verdict | PlatformUnavailableError;

/**
 * The verdict of one or two resolvers. Both must show the record for a create, and both must miss it before it counts
 * as gone.
 * @throws PlatformUnavailableError if they disagree, or one that is needed could not be asked
 */
export async function verdictOfResolvers(resolvers: TxtResolver[], claim: ProofClaim): Promise<Verdict> {
  const opinions = await Promise.all(resolvers.map((resolver) => opinionOf(resolver, claim)));
  const verdicts = opinions.flatMap((opinion) => (opinion instanceof PlatformUnavailableError ? [] : [opinion]));
  const failure = opinions.find((opinion) => opinion instanceof PlatformUnavailableError);
  const yes = verdicts.find((verdict) => verdict.valid);
  const no = verdicts.find((verdict) => !verdict.valid);
  if (yes && (claim.isRecheck || (!no && !failure))) return yes;
  if (no && !yes && !failure) return no;
  if (failure) throw failure;
  throw new PlatformUnavailableError(
    `The DNS resolvers disagree about the TXT records of ${claim.identity}; a change may be on its way, so try again in some minutes.`,
  );
}

async function opinionOf(resolver: TxtResolver, claim: ProofClaim): Promise<Opinion> {
  try {
    return judge(await resolver(claim.identity), claim);
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return error;
    throw error;
  }
}

/** The uuid says which record is meant; whether it counts is for the signature to say. */
function judge(records: string[], claim: ProofClaim): Verdict {
  const proofs = records.flatMap((raw) => {
    const record = readProofRecord(raw);
    return record ? [{ raw, ...record }] : [];
  });
  const meant = proofs.filter((proof) => proof.uuid === claim.uuid.toLowerCase()).slice(0, MAX_RECORDS);
  let refusal: Verdict | null = null;
  for (const { raw, text } of meant) {
    const url = `dns:${claim.identity}?type=TXT`; // RFC 4501
    const verdict = checkPostedSignature(text, claim, {
      url,
      body: Uint8Array.from(raw, (character) => character.charCodeAt(0)),
    });
    if (verdict.valid) return verdict;
    refusal ??= verdict;
  }
  return refusal ?? invalid(absence(proofs.length, claim));
}

function absence(proofs: number, { identity, uuid }: ProofClaim): string {
  const seen = proofs === 0 ? 'no proof record' : `${proofs} proof record${proofs === 1 ? '' : 's'}, but none`;
  return `The TXT records of ${identity} hold ${seen} with uuid ${uuid}; a new record can take some minutes to be seen.`;
}

/** The failure of a resolver that gave no answer. */
export function silent(cause?: unknown): PlatformUnavailableError {
  return new PlatformUnavailableError('A DNS resolver did not answer; try again later.', { cause });
}
