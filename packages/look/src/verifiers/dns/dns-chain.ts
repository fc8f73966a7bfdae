/** The proof that a zone has signed a TXT record: what a resolver shows of it, of its zones, and of their keys. */
import { findPostedSignature } from '@signet/verify';
import { dnssecProofOf, type RootKey } from '@signet/verify/dnssec';
import { PlatformUnavailableError } from '../../errors.js';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { postedClaim } from '../../posts/posted-signature.js';
import { readReply, signatureOf, TYPES, wireName, type WireRecord, writeQuestion } from './dns-wire.js';

/** Sends one question in wire format to a resolver. @throws PlatformUnavailableError if it gave no answer */
export type DnsExchange = (question: Uint8Array) => Promise<Uint8Array>;

/** Zones between a name and the root, and those of an alias; each takes two questions. */
const MAX_ZONES = 12;
/** The entry of the log, at whose time a proof has to hold, is made after it is fetched. */
const MARGIN_SECONDS = 600;

/**
 * A verdict with the proof that the zone has signed the record, by the first resolver that shows it. The verdict as it
 * is where the zone is not signed, where what came does not verify or does not hold the signature, and where something
 * could not be asked: then the record is the word of the resolvers.
 * @param at UNIX seconds
 */
export async function withDnssecProof(
  verdict: Verdict,
  claim: ProofClaim,
  exchanges: DnsExchange[],
  { at, rootKeys }: { at: number; rootKeys: readonly RootKey[] },
): Promise<Verdict> {
  if (!verdict.valid || !verdict.evidence || !claim.withProof) return verdict;
  for (const exchange of exchanges) {
    const records = await recordsBy(exchange, claim.identity);
    const made = records && dnssecProofOf(records, claim.identity, { at, rootKeys, curves: claim.curves });
    const isGood = made && made.until >= at + MARGIN_SECONDS && holdsSignature(made.texts, claim);
    if (isGood) return { ...verdict, evidence: { ...verdict.evidence, proof: made.proof } };
  }
  return verdict;
}

/** As exports are checked, which know no more of a text than that. */
function holdsSignature(texts: string[], claim: ProofClaim): boolean {
  const [posted, { curves }] = [postedClaim(claim), claim];
  return texts.some((text) => findPostedSignature(text, posted, { curves }).found);
}

async function recordsBy(exchange: DnsExchange, domain: string): Promise<Uint8Array | null> {
  try {
    return await askAll(exchange, wireName(domain));
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return null;
    throw error;
  }
}

/** All records; null where nothing at the name is signed. */
async function askAll(exchange: DnsExchange, name: string): Promise<Uint8Array | null> {
  const ask = async (owner: string, type: number) => readReply(await exchange(writeQuestion(owner, type)), owner, type);
  const records = await ask(name, TYPES.TXT);
  const zones = new Set(signersOf(records));
  if (zones.size === 0) return null;
  for (const zone of zones) {
    // What is added while the set is gone through comes up as well: the zone above, as DS records name it.
    if (zones.size > MAX_ZONES) return null;
    const isRoot = zone === wireName('');
    const [keys, digests] = await Promise.all([
      ask(zone, TYPES.DNSKEY),
      isRoot ? Promise.resolve([]) : ask(zone, TYPES.DS),
    ]);
    records.push(...keys, ...digests);
    for (const above of signersOf(digests)) zones.add(above);
  }
  return joined(records);
}

function signersOf(records: WireRecord[]): string[] {
  return records.flatMap((record) => signatureOf(record)?.signer ?? []);
}

/** One behind the other, each once. */
function joined(records: WireRecord[]): Uint8Array {
  const bytes = new Uint8Array(records.reduce((sum, one) => sum + one.bytes.length, 0));
  let at = 0;
  for (const one of records) {
    bytes.set(one.bytes, at);
    at += one.bytes.length;
  }
  return bytes;
}
