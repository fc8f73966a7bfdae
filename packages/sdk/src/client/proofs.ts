/** Look-ups of bindings: `client.proofs`. */
import type { CheckedLink } from '@signet/verify';
import { isSameName } from '@signet/verify/names';
import type { ChainLink, Check, Evidence, IdentityGroup, Platform, ProofState } from '../answers.js';
import { askedKey, compressed, findKey, quoted, refuse } from '../checks.js';
import { InvalidRequestError, nullWhereNotFound, SignetError, WrongUsageError } from '../errors.js';
import { answerOfLast } from '../keys/key-calls.js';
import { stayingIdentity, stayingName } from '../names/account-names.js';
import { isAskedFor } from '../names/asked-names.js';
import { hasObjects, isGroup, isState } from './answer-forms.js';
import type { CheckedReads } from './checked-reads.js';
import type {
  AnswerOptions,
  BindingName,
  CallOptions,
  FollowOptions,
  FoundIdentity,
  ProofSearch,
} from './call-options.js';
import { canonicalName } from '../names/canonical-name.js';
import type { PlatformName } from '../platform-names.js';
import type { PagedList } from './paged-list.js';
import { bearOut, checkGroup, linkOf, restOnServer } from './binding-checks.js';
import { untilComplete } from './until-complete.js';

const IDENTITIES_PER_REQUEST = 50;
const QUERY_BYTES = 10_000;

/** The calls below `client.proofs`. */
export function proofCalls(reads: CheckedReads) {
  const { transport } = reads;
  return {
    /** Bindings by identity: groups, one for each Avatar, newest first. Exact unless `exact` is false. */
    find: (search: ProofSearch): PagedList<IdentityGroup> => find(reads, search ?? {}),
    /**
     * All bindings of one Avatar that the server shows, or null where it shows none: proved with `demand: { complete }`
     * only.
     */
    of: (avatar: string, { follow, ...options }: AnswerOptions & FollowOptions = {}): Promise<IdentityGroup | null> =>
      follow
        ? answerOfLast(reads, avatar, options, (last) => proofsOf(reads, last, options))
        : proofsOf(reads, avatar, options),
    /** Exact look-ups of any number of identities, in their order. */
    findMany: (
      identities: Iterable<string>,
      options: CallOptions & { platform?: PlatformName } = {},
    ): Promise<FoundIdentity[]> => findMany(reads, [...identities], options),
    /** The state of one binding, or null where the server shows none: proved with `demand: { complete }` only. */
    exists: (name: BindingName, options: AnswerOptions = {}): Promise<ProofState | null> =>
      exists(reads, name, options),
    /** What was seen at the last successful check. @throws NotFoundError */
    evidence: async (name: BindingName, { signal }: CallOptions = {}): Promise<Evidence> => {
      const query = await stayingName(transport, queryOf(name), signal);
      return transport.call({ path: '/v1/proof/evidence', query, text: 'url', signal });
    },
    /** The checks of one binding, newest first. */
    history: (name: BindingName, { signal }: CallOptions = {}): PagedList<Check> => {
      const query = queryOf(name);
      const settle = async () => void Object.assign(query, await stayingName(transport, query, signal));
      return reads.list({ path: '/v1/proof/history', query, settle, member: 'checks', signal });
    },
  };
}

/** `GET /v1/platforms`. */
export function readPlatforms(
  { transport }: CheckedReads,
  signal: AbortSignal | undefined,
): Promise<{ service_name: string; platforms: Platform[] }> {
  return transport.call({
    path: '/v1/platforms',
    signal,
    list: 'platforms',
    hasForm: (answer) => hasObjects(answer, 'platforms'),
  });
}

/** The name under which keys are looked up; a server keeps it for good, so it is asked for once. */
async function readServiceName(reads: CheckedReads, signal: AbortSignal | undefined): Promise<string> {
  reads.serviceName ??= (await readPlatforms(reads, signal)).service_name;
  return reads.serviceName;
}

function find(reads: CheckedReads, search: ProofSearch): PagedList<IdentityGroup> {
  const { platform, identity, exact = true, signal } = search;
  const wrong = problemOf(search, reads.demandsAll);
  const identities = typeof identity === 'string' ? [identity] : wrong === null ? [...identity] : [];
  const isOfKeys = identities.every(isKey);
  const query = { platform, identity: identities.join(','), exact: exact || undefined };
  const settle = async () => {
    for (const [place, one] of identities.entries()) {
      identities[place] = await stayingIdentity(reads.transport, platform!, one, signal);
    }
    query.identity = identities.join(',');
  };
  return reads.list<IdentityGroup>({
    path: '/v1/proof',
    query,
    ...(exact && platform !== undefined && { settle }),
    member: 'ids',
    isItem: isGroup,
    signal,
    wrong: wrong === null ? null : new WrongUsageError(wrong),
    receive: ({ proofs }) => proofs.forEach(restOnServer),
    check: () => (group, again) => {
      if (exact && platform !== undefined && !isOfKeys) demandAsked(group, platform, identities);
      return checkGroup(reads, group, again, signal);
    },
    completes: (complete) =>
      isOfKeys ? complete.key(compressed(identities[0]!), signal) : complete.look(platform!, identities, signal),
    isMoving: true,
  });
}

/** What is wrong with a look-up, in a sentence; null where it can be asked. */
function problemOf({ platform, identity, exact = true }: ProofSearch, demandsAll: boolean): string | null {
  const identities: readonly unknown[] = typeof identity === 'string' ? [identity] : identity;
  if (!Array.isArray(identities) || identities.length === 0 || !identities.every(isName)) {
    return `identity has to be a name, or a list of names, not ${quoted(identity)}.`;
  }
  const listed = identities.find((one) => one.includes(','));
  if (listed !== undefined) {
    return `A comma stands between names, so ${quoted(listed)} would ask for several: give a list of names.`;
  }
  if (!demandsAll) return null;
  if (!exact) return 'demand.complete needs an exact look-up.';
  if (identities.length > 1 && identities.every(isKey)) return 'demand.complete needs a look-up of one key at a time.';
  return platform === undefined ? 'demand.complete needs the platform.' : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

async function proofsOf(
  reads: CheckedReads,
  avatar: string,
  { signal, onResting }: AnswerOptions,
): Promise<IdentityGroup | null> {
  const key = askedKey(avatar);
  const platform = await readServiceName(reads, signal);
  // The list has to be read to its end, where a client with `complete` finds out whether all is there.
  const list = find(reads, { platform, identity: key, signal });
  const group = (await list.toArray()).find((one) => compressed(one.avatar) === key) ?? null;
  onResting?.(group ? list.resting! : reads.restingOfNone(list.resting!.map));
  return group;
}

async function findMany(
  reads: CheckedReads,
  asked: string[],
  { platform, signal }: CallOptions & { platform?: string },
): Promise<FoundIdentity[]> {
  const found: FoundIdentity[] = [];
  const identities: string[] = [];
  for (const name of asked) {
    identities.push(platform === undefined ? name : await stayingIdentity(reads.transport, platform, name, signal));
  }
  for (const part of partsOf(identities, reads.demandsAll)) {
    const groups = await findAll(reads, { platform, identity: part, signal });
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
  return found.map(({ groups }, place) => ({ identity: asked[place]!, groups }));
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
    const found = await find(reads, { ...search, platform })
      .toArray()
      .catch(noneWhereNoName);
    for (const group of found) groups.set(group.avatar, group);
  }
  return [...groups.values()];
}

/** A name need not be one on each platform. @throws the error, if it is another */
function noneWhereNoName(error: unknown): IdentityGroup[] {
  if (error instanceof InvalidRequestError && error.code === 'invalid_identity') return [];
  throw error;
}

async function exists(reads: CheckedReads, name: BindingName, options: AnswerOptions): Promise<ProofState | null> {
  const avatar = askedKey(name?.avatar);
  const staying = await stayingName(reads.transport, name, options.signal);
  return untilComplete(() => existsOnce(reads, { ...staying, avatar }, options));
}

/** Asks the server and then the map, so that a link that is made between the two contradicts the answer. */
async function existsOnce(
  reads: CheckedReads,
  name: BindingName,
  { signal, onResting }: AnswerOptions,
): Promise<ProofState | null> {
  const { platform, identity, avatar } = name;
  const complete = await reads.complete();
  const asked = complete && { platform, identity: canonicalName(platform, identity) };
  const demandComplete = async (link: CheckedLink | null, chain: ChainLink[], said: ProofState[]) => {
    if (!asked) return null;
    const map = await complete.demandBinding(avatar, asked, { link: link?.link ?? null, chain }, signal);
    // What the server calls invalid counts for nothing anyway.
    if (!link || !said[0]!.is_valid) return map;
    const keys = await reads.keyStateOf(avatar, complete, signal, { links: chain.length, map });
    const { demandOwn } = await import('../keys/applied-keys.js');
    demandOwn(avatar, { links: chain, made: [link], said }, keys, map);
    return map;
  };
  for (let tries = 0; ; tries++) {
    const state = await reads.transport
      .call<ProofState>({ path: '/v1/proof/exists', query: queryOf(name), signal, hasForm: isState })
      .catch(nullWhereNotFound);
    if (!state) {
      const map = await demandComplete(null, [], []);
      onResting?.(reads.restingOfNone(map));
      return null;
    }
    restOnServer(state);
    if (!reads.verifies) {
      onResting?.(state.resting);
      return state;
    }
    const made = await linkOf(reads, avatar, name, state, signal);
    if (made) {
      const [resting] = await bearOut(reads, avatar, [made.link], [state], null, signal);
      const map = await demandComplete(made.link, made.chain, [state]);
      state.resting = { ...resting!, ...reads.resting(map) };
      onResting?.(state.resting);
      return state;
    }
    if (tries > 0) refuse('The answer', `No signed link binds ${JSON.stringify(identity)} to ${avatar}.`);
  }
}

/** Refuses an Avatar that holds nothing of what was asked for. */
function demandAsked({ avatar, proofs }: IdentityGroup, platform: string, identities: readonly string[]): void {
  if (proofs.some((proof) => isAskedFor(proof, platform, identities))) return;
  refuse('The answer', `It shows ${avatar}, which holds nothing that was asked for.`);
}

function isKey(text: string): boolean {
  return findKey(text) !== null;
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
