import { type Profile, type SignedLink, type SignedPatch, signedProfile, verifyChain } from '@signet/verify/badge';
import { spelled } from '@signet/verify/names';

/** What is asked for; `avatar` is empty where any key will do. */
export interface Asked {
  server: string;
  platform: string;
  identity: string;
  avatar: string;
}

/** What the server says of a binding, and what was found here. */
export interface Found {
  /** Compressed key; empty where nobody has bound the name. */
  avatar: string;
  /** Canonical. */
  identity: string;
  /** The word of the server. */
  state: 'valid' | 'gone' | 'not_bound';
  /** UNIX seconds of the server's last check. */
  checkedAt: number;
  /**
   * `checked`: both signatures of a wallet; `checked_post`: that of the key, and not the post; `unknown` where a
   * signature could not be checked. Whether the server leaves a newer revoke out is never checked here.
   */
  here: 'checked' | 'checked_post' | 'failed' | 'unknown';
  /** Why it failed or is unknown, a sentence. */
  reason: string;
  /** What the key signed of itself, checked here; null where there is none, and where that could not be checked. */
  profile: Profile | null;
  /** The word of the server: the key is frozen for a time, or another one has come after it; null for neither. */
  hold: 'frozen' | 'moved' | null;
  /** Why the operator of the server hides it; null where nobody does. */
  hidden: string | null;
}

interface State {
  last_checked_at: string;
  is_valid: boolean;
  avatar?: string;
  identity?: string;
}

interface Group {
  avatar: string;
  proofs: (State & { platform: string; identity: string })[];
  frozen?: true;
  successor?: string;
}

interface Groups {
  pagination: { next: number };
  ids: Group[];
}

interface Page<Item> {
  pagination: { next: number };
  proof_chain?: Item[];
  kv_chain?: Item[];
}

/** Pages of changes that are read for a profile; who has written more has none here. */
const MAX_PATCH_PAGES = 2;

/** A chain has 20 links a page; longer ones are left to the page of the Avatar. */
const MAX_PAGES = 25;

/** An answer of the server; `nothing` in place of a 404, where it is given. */
type Get = <Answer>(
  path: string,
  query: Record<string, string> | [string, string][],
  nothing?: Answer,
) => Promise<Answer>;

/** Asks the server, and checks the chain of what it answers. @throws Error where an answer is missing */
export async function findBinding(asked: Asked, signal: AbortSignal): Promise<Found> {
  const { server, platform, identity, avatar } = asked;
  const get: Get = async <Answer>(
    path: string,
    query: Record<string, string> | [string, string][],
    nothing?: Answer,
  ): Promise<Answer> => {
    const answer = await fetch(`${server}${path}?${new URLSearchParams(query).toString()}`, { signal });
    if (answer.status === 404 && nothing !== undefined) return nothing;
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return (await answer.json()) as Answer;
  };
  // The server knows the exact form of addresses; that it answers for another name altogether is seen here.
  const names = [spelled(platform, identity), identity];
  const isAsked = (named: { platform: string; identity: string }) =>
    named.platform === platform && names.includes(named.identity);
  const { ids, pagination } = await get<Groups>('/v1/proof', { platform, identity, exact: 'true' });
  const proofs = ids
    .filter((group) => avatar === '' || group.avatar === avatar)
    .flatMap((group) => group.proofs.map((one) => ({ ...one, avatar: group.avatar })))
    .filter(isAsked);
  let proof: State | null | undefined = proofs.find(({ is_valid }) => is_valid) ?? proofs[0];
  // The first page of very many holders of a name need not have this one.
  if (!proof && avatar !== '' && pagination.next !== 0) {
    proof = await get<State | null>('/v1/proof/exists', { platform, identity, public_key: avatar }, null);
  }
  const owner = proof?.avatar ?? avatar;
  const hiding = readHidden(get, { platform, identity: proof?.identity ?? names[0]!, avatar: owner });
  if (!proof) {
    const { reason: hidden } = await hiding;
    const none = { checkedAt: 0, here: 'unknown', reason: '', profile: null, hold: null } as const;
    return { avatar, identity, state: 'not_bound', ...none, hidden };
  }
  const links = await pagesOf<SignedLink>(get, '/v1/proofchain', { public_key: owner }, MAX_PAGES);
  const binding = {
    avatar: owner,
    platform,
    identity: proof.identity ?? links?.filter(isAsked).at(-1)?.identity ?? identity,
  };
  const verdict = links ? verdictOf(links, binding) : unknown('The chain is too long to be checked here.');
  const { reason: hidden, hasProfile } = await hiding;
  const hold = holdOf(ids.find((group) => group.avatar === owner));
  // A name beside a binding that fails would look as if something were right; that of a key which moved may be a
  // thief's.
  const isNamed = verdict.here !== 'failed' && hold !== 'moved' && hasProfile;
  return {
    ...binding,
    hold,
    hidden,
    profile: isNamed ? await readProfile(owner, get).catch(() => null) : null,
    state: proof.is_valid ? 'valid' : 'gone',
    checkedAt: Number(proof.last_checked_at),
    ...verdict,
  };
}

function holdOf(group: Group | undefined): Found['hold'] {
  if (group?.successor) return 'moved';
  return group?.frozen ? 'frozen' : null;
}

interface HiddenAnswer {
  hidden: { kind: string; reason: string }[];
}

/**
 * Why the operator of the server hides a name or its key, and whether the profile may be shown. What cannot be asked
 * counts as shown: an older server hides nothing, and all of it is public elsewhere.
 */
async function readHidden(
  get: Get,
  { platform, identity, avatar }: { platform: string; identity: string; avatar: string },
): Promise<{ reason: string | null; hasProfile: boolean }> {
  const items = [`identity:${platform}:${identity}`, ...(avatar === '' ? [] : [`key:${avatar}`, `profile:${avatar}`])];
  const query = items.map((item): [string, string] => ['item', item]);
  const { hidden } = await get<HiddenAnswer>('/v1/hidden', query).catch((): HiddenAnswer => ({ hidden: [] }));
  const found = hidden.find(({ kind }) => kind !== 'profile');
  return { reason: found?.reason ?? null, hasProfile: hidden.length === 0 };
}

/** What the changes of a key add up to, all of which are checked. @throws Error where an answer is missing */
async function readProfile(avatar: string, get: Get): Promise<Profile | null> {
  const patches = await pagesOf<SignedPatch>(get, '/v1/kv/chain', { avatar }, MAX_PATCH_PAGES);
  return patches && signedProfile(patches, avatar);
}

/** All items of a list, page by page; null where there are more pages than `most`. */
async function pagesOf<Item>(
  get: Get,
  path: string,
  query: Record<string, string>,
  most: number,
): Promise<Item[] | null> {
  const items: Item[] = [];
  for (let next = 1; next !== 0; most--) {
    if (most === 0) return null;
    const page = await get<Page<Item>>(path, { ...query, page: String(next) });
    items.push(...(page.proof_chain ?? page.kv_chain!));
    next = page.pagination.next;
  }
  return items;
}

/** Whether the signatures of the chain hold, and make this binding. */
function verdictOf(
  links: SignedLink[],
  { avatar, platform, identity }: { avatar: string; platform: string; identity: string },
): Pick<Found, 'here' | 'reason'> {
  const result = verifyChain(links, { avatar });
  const failure = result.steps.find(({ state }) => state === 'failed');
  if (failure) return { here: 'failed', reason: failure.detail };
  const bound = result.bindings.find((link) => link.platform === platform && link.identity === identity);
  if (!bound) return { here: 'failed', reason: 'The signed chain does not hold this binding.' };
  const steps = result.links.find(({ link }) => link === bound)?.steps ?? [];
  const wallet = steps.find(({ name, state }) => name === 'wallet_signature' && state !== 'ok');
  if (wallet) return unknown(wallet.detail);
  const hasPost = steps.some(({ name }) => name === 'post');
  return { here: hasPost ? 'checked_post' : 'checked', reason: '' };
}

function unknown(reason: string): Pick<Found, 'here' | 'reason'> {
  return { here: 'unknown', reason };
}
