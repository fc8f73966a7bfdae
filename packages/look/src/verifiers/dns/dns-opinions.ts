/** What resolvers show of a name, judged. */
import { PlatformUnavailableError } from '../../errors.js';
import { invalid, type ProofClaim, SIGNATURE_PLACEHOLDER, type Verdict } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { cleanRecord, readProofRecord } from './dns-record.js';

/** Records with the uuid of the claim that are tried; more than one is a left-over of an edit. */
const MAX_RECORDS = 20;
/** Base64 that is shorter than a signature, whose 65 bytes are 88 characters with padding. */
const CUT_SIGNATURE = /^[\w+/-]{8,85}=?$/;
/** Characters of a record of which it is said how it was damaged. */
const MAX_BEGUN = 4096;
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
  for (const { raw, text, sig } of meant) {
    const url = `dns:${claim.identity}?type=TXT`; // RFC 4501
    const verdict = checkPostedSignature(text, claim, {
      url,
      body: Uint8Array.from(raw, (character) => character.charCodeAt(0)),
    });
    if (verdict.valid) return verdict;
    refusal ??= invalid(
      `The TXT record of ${claim.identity} with uuid ${claim.uuid} holds no signature that this Avatar made over this payload: ${faultOf(sig)}`,
    );
  }
  return (
    refusal ??
    invalid(proofs.length === 0 ? (damage(records, claim) ?? absence(0, claim)) : absence(proofs.length, claim))
  );
}

/** What is wrong with the field `sig` of a record of ours, in one clause with a full stop. */
function faultOf(sig: string): string {
  if (sig === SIGNATURE_PLACEHOLDER) return `${sig} still stands where the Base64 signature belongs.`;
  if (CUT_SIGNATURE.test(sig)) {
    return `sig has ${sig.length} characters, where 88 were expected, so the signature was cut.`;
  }
  return 'sig has to be the whole Base64 text of 65 bytes, with each + and / in it.';
}

/** What became of a record that begins like ours, in one sentence; null if none does. */
function damage(records: string[], { identity }: ProofClaim): string | null {
  const texts = records.filter((raw) => raw.length <= MAX_BEGUN).map(cleanRecord);
  const begun = texts.find((text) => /^ps:true(?:;|$)/i.test(text));
  if (begun === undefined) return null;
  const last = begun.split(';').findLast((part) => part !== '')!;
  const starts = `A TXT record of ${identity} begins like a proof record, but ends after "${last.split(':')[0]!.slice(0, 16)}"`;
  if (texts.some((text) => /^(?:sig|uuid|v):/i.test(text))) {
    return `${starts}, and other fields stand in records of their own: all fields belong into one record, with ; between them.`;
  }
  return `${starts}: it was cut, perhaps at a semicolon, behind which zone files have comments. There the whole text has to stand in quotes.`;
}

function absence(proofs: number, { identity, uuid }: ProofClaim): string {
  const seen = proofs === 0 ? 'no proof record' : `${proofs} proof record${proofs === 1 ? '' : 's'}, but none`;
  return `The TXT records of ${identity} hold ${seen} with uuid ${uuid}; a new record can take some minutes to be seen.`;
}

/** The failure of a resolver that gave no answer. */
export function silent(cause?: unknown): PlatformUnavailableError {
  return new PlatformUnavailableError('A DNS resolver did not answer; try again later.', { cause });
}
