/** Look-ups of bindings: `client.proofs`. */
import { type CheckedLink, findAvatarKey } from '@signet/verify';
import type { ChainLink, Check, Evidence, IdentityGroup, Platform, ProofRecord, ProofState } from '../answers.js';
import type { CheckedReads } from './checked-reads.js';
import { nullWhereNotFound, SignetError } from '../errors.js';
import { askedKey, compressed, refuse } from '../checks.js';
import type { AnswerOptions, BindingName, CallOptions, FoundIdentity, ProofSearch } from './call-options.js';
import { canonicalName, findCanonicalName, isSameName } from './canonical-name.js';
import type { PlatformName } from '../platform-names.js';
import type { PagedList } from './paged-list.js';
import { untilComplete } from './until-complete.js';
import { demandShownHere, linksThatMade, shownBy } from './shown.js';

const IDENTITIES_PER_REQUEST = 50;
const QUERY_BYTES = 10_000;

/** The calls below `client.proofs`. */
export function proofCalls(reads: CheckedReads) {
  const { transport } = reads;
  return {
    /** Bindings by identity: groups, one for each Avatar, newest first. Exact unless `exact` is false. */
    find: (search: ProofSearch): PagedList<IdentityGroup> => find(reads, search),
    /** All bindings of one Avatar that the server shows, or null where it shows none: proved with `complete` only. */
    of: (avatar: string, options: AnswerOptions = {}): Promise<IdentityGroup | null> =>
      proofsOf(reads, avatar, options),
    /** Exact look-ups of any number of identities, in their order. */
    findMany: (
      identities: Iterable<string>,
      options: CallOptions & { platform?: PlatformName } = {},
    ): Promise<FoundIdentity[]> => findMany(reads, [...identities], options),
    /** The state of one binding, or null where the server shows none: proved with `complete` only. */
    exists: (name: BindingName, options: AnswerOptions = {}): Promise<ProofState | null> =>
      exists(reads, name, options),
    /** What was seen at the last successful check. @throws NotFoundError */
    evidence: (name: BindingName, { signal }: CallOptions = {}): Promise<Evidence> =>
      transport.call({ path: '/v1/proof/evidence', query: queryOf(name), signal }),
    /** The checks of one binding, newest first. */
    history: (name: BindingName, { signal }: CallOptions = {}): PagedList<Check> =>
      reads.list({ path: '/v1/proof/history', query: queryOf(name), member: 'checks', signal }),
  };
}

/** `GET /v1/platforms`. */
export function readPlatforms(
  { transport }: CheckedReads,
  signal: AbortSignal | undefined,
): Promise<{ service_name: string; platforms: Platform[] }> {
  return transport.call({ path: '/v1/platforms', signal });
}

function find(
  reads: CheckedReads,
  { platform, identity, exact = true, signal }: ProofSearch,
): PagedList<IdentityGroup> {
  const query = { platform, identity, exact: exact || undefined };
  const identities = identity.split(',').map((one) => one.trim());
  const isOfKeys = identities.every(isKey);
  if (reads.demandsAll && !exact) throw new TypeError("verify: 'complete' needs an exact look-up.");
  if (reads.demandsAll && isOfKeys && identities.length > 1) {
    throw new TypeError("verify: 'complete' needs a look-up of one key at a time.");
  }
  if (reads.demandsAll && platform === undefined) throw new TypeError("verify: 'complete' needs the platform.");
  return reads.list<IdentityGroup>({
    path: '/v1/proof',
    query,
    member: 'ids',
    signal,
    receive: ({ proofs }) => proofs.forEach(forgetOwn),
    check: () => (group, again) => {
      if (exact && platform !== undefined && !isOfKeys) demandAsked(group, platform, identities);
      return checkGroup(reads, group, again, signal);
    },
    completes: (complete) =>
      isOfKeys ? complete.key(compressed(identity), signal) : complete.look(platform!, identities, signal),
    isMoving: true,
  });
}

async function proofsOf(
  reads: CheckedReads,
  avatar: string,
  { signal, onComplete }: AnswerOptions,
): Promise<IdentityGroup | null> {
  if (reads.demandsAll) askedKey(avatar);
  const { service_name: platform } = await readPlatforms(reads, signal);
  // The list has to be read to its end, where a client with `complete` finds out whether all is there.
  const list = find(reads, { platform, identity: compressed(avatar), signal });
  const groups = await list.toArray();
  if (list.complete) onComplete?.(list.complete);
  return groups.find((group) => compressed(group.avatar) === compressed(avatar)) ?? null;
}

async function findMany(
  reads: CheckedReads,
  identities: string[],
  { platform, signal }: CallOptions & { platform?: string },
): Promise<FoundIdentity[]> {
  const found: FoundIdentity[] = [];
  for (const part of partsOf(identities, reads.demandsAll)) {
    const groups = await findAll(reads, { platform, identity: part.join(','), signal });
    if (!groups) {
      for (const identity of part) {
        found.push({ identity, groups: await findCrowded(reads, { platform, identity, signal }) });
      }
      continue;
    }
    const own = part.map((identity) => ({ identity, groups: groups.filter((group) => isOf(group, identity)) }));
    const isEachPlaced = groups.every((group) => own.some((one) => one.groups.includes(group)));
    for (const one of own) {
      // A form that only the server can read, such as the address of a profile, is asked for by itself.
      const isAskedAgain = one.groups.length === 0 && !isEachPlaced;
      if (isAskedAgain) {
        one.groups = await findCrowded(reads, { platform, identity: one.identity, signal });
      }
      found.push(one);
    }
  }
  return found;
}

/** All groups; null where so many Avatars hold one of several names that the server does not list them all. */
function findAll(reads: CheckedReads, search: ProofSearch): Promise<IdentityGroup[] | null> {
  return find(reads, search)
    .toArray()
    .catch((error: unknown) => {
      if (error instanceof SignetError && error.code === 'page_too_deep') return null;
      throw error;
    });
}

/** Groups of one identity, of which there are the newest 1,000 on each platform; without one, all are asked. */
async function findCrowded(reads: CheckedReads, search: ProofSearch): Promise<IdentityGroup[]> {
  const all = search.platform === undefined ? await findAll(reads, search) : await find(reads, search).toArray();
  if (all) return all;
  const groups = new Map<string, IdentityGroup>();
  for (const { platform } of (await readPlatforms(reads, search.signal)).platforms) {
    for (const group of await find(reads, { ...search, platform }).toArray()) groups.set(group.avatar, group);
  }
  return [...groups.values()];
}

function exists(reads: CheckedReads, name: BindingName, options: AnswerOptions): Promise<ProofState | null> {
  return untilComplete(() => existsOnce(reads, name, options));
}

/** Asks the server and then the map, so that a link that is made between the two contradicts the answer. */
async function existsOnce(
  reads: CheckedReads,
  name: BindingName,
  { signal, onComplete }: AnswerOptions,
): Promise<ProofState | null> {
  const { platform, identity } = name;
  const complete = await reads.complete();
  const avatar = complete ? askedKey(name.avatar) : compressed(name.avatar);
  const asked = complete && { platform, identity: canonicalName(platform, identity) };
  const demandComplete = async (link: CheckedLink['link'] | null, chain: ChainLink[]) => {
    if (!asked) return;
    const completeness = await complete.demandBinding(avatar, asked, { link, chain }, signal);
    onComplete?.(completeness);
  };
  for (let tries = 0; ; tries++) {
    const state = await reads.transport
      .call<ProofState>({ path: '/v1/proof/exists', query: queryOf(name), signal })
      .catch(nullWhereNotFound);
    if (!state) {
      await demandComplete(null, []);
      return null;
    }
    forgetOwn(state);
    if (!reads.verifies) return state;
    const links = await reads.linksOf(name.avatar, signal);
    const canonical = links.filter((link) => link.platform === platform && isSameName(link, identity));
    const proofs = canonical
      .slice(-1)
      .map((link) => ({ ...name, identity: link.identity, created_at: state.created_at }));
    const made = linksThatMade(name.avatar, links, proofs);
    if (made?.[0]) {
      await accept(reads, name.avatar, made, [state], signal);
      const { link } = made[0];
      await demandComplete(link, links);
      return { ...state, shown: shownBy(made[0]) };
    }
    if (tries > 0) refuse('The answer', `No signed link binds ${JSON.stringify(identity)} to ${name.avatar}.`);
  }
}

/** Refuses an Avatar that holds nothing of what was asked for, as far as that can be told here. */
function demandAsked({ avatar, proofs }: IdentityGroup, platform: string, identities: string[]): void {
  if (identities.some((identity) => findCanonicalName(platform, identity) === null)) return;
  const isAsked = (proof: ProofRecord) => identities.some((identity) => isSameName(proof, identity));
  if (proofs.some((proof) => proof.platform === platform && isAsked(proof))) return;
  refuse('The answer', `It shows ${avatar}, which holds nothing that was asked for.`);
}

function isKey(text: string): boolean {
  return findAvatarKey(text.startsWith('0x') ? text : `0x${text}`) !== null;
}

/** The chain is read after the answer, so a revoke between the two is looked at a second time. */
async function checkGroup(
  reads: CheckedReads,
  group: IdentityGroup,
  again: () => Promise<IdentityGroup[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!isKey(group.avatar)) refuse('The answer', `It shows ${JSON.stringify(group.avatar)}, which is no key.`);
  if (await isGroupBound(reads, group, signal)) return;
  const now = (await again()).find(({ avatar }) => avatar === group.avatar);
  if (now && (await isGroupBound(reads, now, signal))) {
    Object.assign(group, now);
    return;
  }
  refuse('The answer', `It shows a binding of ${group.avatar} that its signed chain does not have.`);
}

async function isGroupBound(
  reads: CheckedReads,
  { avatar, proofs }: IdentityGroup,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const made = linksThatMade(avatar, await reads.wholeChainOf(avatar, signal), proofs);
  if (!made) return false;
  await accept(reads, avatar, made, proofs, signal);
  for (const [index, proof] of proofs.entries()) proof.shown = shownBy(made[index]!);
  return true;
}

/**
 * Demands of links that made bindings that they are in the log, show all by themselves, and are borne out by what a
 * look or other servers saw, as the client is set. `said` is what the server says of each.
 */
async function accept(
  reads: CheckedReads,
  avatar: string,
  made: CheckedLink[],
  said: Pick<ProofRecord, 'is_valid' | 'look' | 'seenBy'>[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (reads.acceptsOnlyHere) demandShownHere(made);
  for (const { link } of made) await reads.prove({ link, avatar: compressed(avatar) }, signal);
  await reads.demandSeen(compressed(avatar), made, said, signal);
}

/** What a server writes in the place of our own findings does not count. */
function forgetOwn(answer: { shown?: unknown; look?: unknown; seenBy?: unknown }): void {
  delete answer.seenBy;
  delete answer.shown;
  delete answer.look;
}

function queryOf({ platform, identity, avatar }: BindingName): {
  platform: string;
  identity: string;
  public_key: string;
} {
  return { platform, identity, public_key: compressed(avatar) };
}

/** Requests of at most 50 identities and some 10 KB; a key by itself where answers have to be complete. */
function* partsOf(identities: string[], areKeysAlone: boolean): Generator<string[]> {
  let part: string[] = [];
  let bytes = 0;
  for (const identity of identities) {
    const size = encodeURIComponent(identity).length + 3;
    const isApart = areKeysAlone && [identity, ...part.slice(-1)].some(isKey);
    const isFull = part.length === IDENTITIES_PER_REQUEST || bytes + size > QUERY_BYTES || isApart;
    if (part.length > 0 && isFull) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(identity);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function isOf({ proofs }: IdentityGroup, identity: string): boolean {
  return proofs.some((proof) => isSameName(proof, identity));
}
