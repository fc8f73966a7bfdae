/** Who is behind an address, an account or a key: `client.resolve`. */
import { bindingState, WALLET_PLATFORMS } from '@signet/verify/bindings';
import type { Hex } from '@signet/verify';
import { isSameName } from '@signet/verify/names';
import type { IdentityGroup, ProofRecord } from '../answers.js';
import { compressed } from '../checks.js';
import type { FollowOptions } from '../client/call-options.js';
import type { CheckedReads } from '../client/checked-reads.js';
import type { contentCalls } from '../client/content.js';
import type { proofCalls } from '../client/proofs.js';
import { ON_THE_SERVER, type Resting } from '../client/resting.js';
import { SignetError } from '../errors.js';
import { readProfile } from '../profile.js';
import { readAtOnce } from './given-answers.js';
import type { Account, Person } from './person.js';
import { stayingIdentity } from '../names/account-names.js';
import { type AskedFor, readWho, type Who } from './who.js';

/** What is asked of a client. */
interface Calls {
  proofs: ReturnType<typeof proofCalls>;
  kv: ReturnType<typeof contentCalls>;
}

/** What was found out about a person or a log, and does not change by asking once more. */
const FINDINGS = ['log_fork', 'no_quorum', 'not_seen', 'not_shown_here', 'wrong_usage'];

/**
 * @param callsOf the calls of a client over these reads
 * @returns null where nothing is bound and nothing was written. @throws as the calls of the client
 */
export async function resolve(
  reads: CheckedReads,
  callsOf: (reads: CheckedReads) => Calls,
  who: Who,
  { signal, follow }: FollowOptions,
): Promise<Person | null> {
  const asked = await settled(reads, readWho(who), signal);
  const found = await findAtOnce(reads, callsOf, asked, signal);
  const key = 'key' in asked ? asked.key : found?.avatar;
  if (!follow || key === undefined) return found;
  const { followKeys } = await import('../keys/read-keys.js');
  const { avatar, steps: followed } = await followKeys(reads, key, { signal });
  if (followed.length === 0) return found && { ...found, followed };
  const last = await findAtOnce(reads, callsOf, { key: avatar }, signal);
  const none = { accounts: ON_THE_SERVER, own: { isThere: false, profile: null, resting: ON_THE_SERVER } };
  return { ...(last ?? personOf(avatar, null, null, [], none)), account: found?.account ?? null, followed };
}

/** What is asked for, with the account in the place of a name that can change hands. */
async function settled(reads: CheckedReads, asked: AskedFor, signal: AbortSignal | undefined): Promise<AskedFor> {
  if ('key' in asked) return asked;
  const { platform } = asked;
  return { platform, identity: await stayingIdentity(reads.transport, platform, asked.identity, signal) };
}

/**
 * Asks once where the server answers all at once. Where that is no proof, because the Avatar signs at this moment or
 * because of a server that answers wrongly, all is asked for one after the other. Key events are asked for by
 * themselves.
 */
async function findAtOnce(
  reads: CheckedReads,
  callsOf: (reads: CheckedReads) => Calls,
  asked: AskedFor,
  signal: AbortSignal | undefined,
): Promise<Person | null> {
  const atOnce = await readAtOnce(reads, asked, signal);
  if (atOnce) {
    try {
      return await find(callsOf(atOnce), asked, signal);
    } catch (error) {
      if (!(error instanceof SignetError) || FINDINGS.includes(error.code)) throw error;
    }
  }
  return find(callsOf(reads), asked, signal);
}

function find(calls: Calls, asked: AskedFor, signal: AbortSignal | undefined): Promise<Person | null> {
  return 'key' in asked ? ofKey(calls, asked.key, signal) : ofAccount(calls, asked, signal);
}

async function ofKey(client: Calls, key: Hex, signal: AbortSignal | undefined): Promise<Person | null> {
  let resting: Resting = ON_THE_SERVER;
  const onResting = (found: Resting) => void (resting = found);
  const [group, own] = await Promise.all([
    client.proofs.of(key, { signal, onResting }),
    profileOf(client, key, signal),
  ]);
  if (!group && !own.isThere) return null;
  return personOf(key, group, null, [], { accounts: resting, own });
}

async function ofAccount(
  client: Calls,
  { platform, identity }: { platform: string; identity: string },
  signal: AbortSignal | undefined,
): Promise<Person | null> {
  const list = client.proofs.find({ platform, identity, signal });
  const groups = await list.toArray();
  const holders = groups
    .flatMap((group) => {
      const proof = group.proofs.find((one) => one.platform === platform && isSameName(one, identity));
      return proof ? [{ group, proof }] : [];
    })
    .sort((one, other) => rankOf(other.proof) - rankOf(one.proof));
  // A form that only the server reads, such as the address of a profile, is the name of what it answered alone.
  const [first] = holders.length > 0 ? holders : groups.map((group) => ({ group, proof: onlyOn(group, platform) }));
  if (!first) return null;
  const { avatar } = first.group;
  const others = holders.slice(1).filter(({ proof }) => proof.is_valid);
  const alsoHeldBy = others.map(({ group }) => compressed(group.avatar) as Hex);
  const own = await profileOf(client, avatar, signal);
  return personOf(avatar, first.group, first.proof, alsoHeldBy, { accounts: list.resting ?? ON_THE_SERVER, own });
}

/** A valid binding before one that is not, and then the newest. */
function rankOf({ is_valid, created_at }: ProofRecord): number {
  return Number(created_at) + (is_valid ? 1e12 : 0);
}

function onlyOn({ proofs }: IdentityGroup, platform: string): ProofRecord | null {
  const own = proofs.filter((proof) => proof.platform === platform);
  return own.length === 1 ? own[0]! : null;
}

interface OwnWords {
  isThere: boolean;
  profile: Person['profile'];
  resting: Resting;
}

async function profileOf(client: Calls, avatar: string, signal: AbortSignal | undefined): Promise<OwnWords> {
  let resting: Resting = ON_THE_SERVER;
  const content = await client.kv.get(avatar, { signal, onResting: (found) => void (resting = found) });
  return { isThere: content !== null, profile: readProfile(content), resting };
}

function personOf(
  avatar: string,
  group: IdentityGroup | null,
  asked: ProofRecord | null,
  alsoHeldBy: Hex[],
  { accounts, own }: { accounts: Resting; own: OwnWords },
): Person {
  const proofs = [...(group?.proofs ?? [])].sort((one, other) => Number(other.created_at) - Number(one.created_at));
  return {
    avatar: compressed(avatar) as Hex,
    profile: own.profile,
    account: asked && accountOf(asked),
    accounts: proofs.map(accountOf),
    alsoHeldBy,
    resting: { accounts, profile: own.resting },
  };
}

function accountOf(proof: ProofRecord): Account {
  const { platform, identity, created_at, last_checked_at, invalid_reason, resting } = proof;
  const seenAt = WALLET_PLATFORMS.includes(platform) ? null : Number(last_checked_at);
  return {
    ...{ platform, identity, state: bindingState(proof), boundAt: Number(created_at), seenAt },
    ...{ reason: invalid_reason, resting },
  };
}
