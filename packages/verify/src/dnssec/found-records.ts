/** The records of one type at a name, where aliases (CNAME) lead, with all signatures that show them. */
import { type Chain, onlyName, type RecordSet, type RecordSignature, TYPES } from './chain.js';
import { DnssecError } from './dnssec-error.js';
import { type DomainName, nameText } from './domain-name.js';
import { type CheckContext, SignedSets } from './signed-sets.js';

/** What a chain shows of a name. */
export interface FoundRecords {
  set: RecordSet;
  /** The zone that has signed the set. */
  zone: DomainName;
  /** UNIX seconds between which every signature holds. */
  from: number;
  until: number;
  /** The signatures that show it, each with the set that it signs. */
  used: readonly { set: RecordSet; signature: RecordSignature }[];
}

/** Each alias takes a signature or more, and names of people lead over one or two. */
const MAX_ALIASES = 8;
const SECONDS = 0x1_0000_0000;

/** @throws DnssecError with the step that fails */
export function findRecords(context: CheckContext, asked: DomainName, type: number): FoundRecords {
  const { at, chain } = context;
  const signed = new SignedSets(context);
  let name = asked;
  for (let hops = 0; hops <= MAX_ALIASES; hops += 1) {
    const set = chain.find(name, type);
    if (set) {
      const { zone } = signed.demand(set);
      return { set, zone, ...timeOf(signed.used, at), used: signed.used };
    }
    const alias = chain.find(name, TYPES.CNAME);
    if (!alias) throw new DnssecError(`The chain has no such record of ${nameText(name)}.`, 'record');
    if (alias.data.length !== 1) throw new DnssecError(`The name ${nameText(name)} has several aliases.`, 'record');
    signed.demand(alias);
    name = onlyName(alias.data[0]!);
  }
  throw new DnssecError(`More than ${MAX_ALIASES} aliases lead on from ${nameText(asked)}.`, 'record');
}

/** The newest time at which a signature of a chain begins to hold: a time at which the chain may hold. */
export function newestInception({ sets }: Chain): number {
  return sets.flatMap(({ signatures }) => signatures).reduce((newest, one) => Math.max(newest, one.inception), 0);
}

/** The seconds of a signature are numbers of 32 bits, which run over: they are read as those next to `at`. */
function timeOf(used: FoundRecords['used'], at: number): { from: number; until: number } {
  const behind = (from: number, to: number) => (((to - from) % SECONDS) + SECONDS) % SECONDS;
  const from = used.map(({ signature }) => at - behind(signature.inception, at));
  const until = used.map(({ signature }) => at + behind(at, signature.expiration));
  return { from: Math.max(...from), until: Math.min(...until) };
}
