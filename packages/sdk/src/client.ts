import type { ExportFile, SignedLink, SignedPatch } from '@signet/verify';
import type {
  ChainLink,
  Check,
  Evidence,
  FeedLink,
  Health,
  IdentityGroup,
  KvContent,
  KvPatch,
  KvPayload,
  Pagination,
  Platform,
  ProofRecord,
  ProofState,
} from './answers.js';
import {
  addsUp,
  areBound,
  chainChecker,
  checkOneLink,
  checkPatchPayload,
  compressed,
  patchChecker,
  refuse,
} from './checks.js';
import { Draft, type DraftState, type LinkRequest, type RecordedLink, signLink, type SubmitOptions } from './draft.js';
import { NotFoundError, SignetError, StaleChainError } from './errors.js';
import { type EventOptions, followEvents, newestPosition, type SignetEvent } from './events.js';
import { type ExportOptions, readExport } from './export.js';
import type { LogChecker, LogOptions } from './log/log-checker.js';
import { PagedList } from './paged-list.js';
import { type MessageSigner, type Signer, toSigner } from './signers.js';
import { Transport, type TransportOptions } from './transport.js';
import { submit } from './writes.js';

/** How a client works. */
export interface ClientOptions extends TransportOptions {
  /**
   * `signatures`: every answer that follows from signed links or patches is checked with `@signet/verify` before it is
   * returned, which takes a request more where the answer itself has no signatures. `log`: that, and the proof that
   * what it follows from is in the transparency log of the server, which must be the same log at every call: a request
   * more for each link or patch. Of content it is the newest patch, whose signature covers all before it.
   */
  verify?: 'none' | 'signatures' | 'log' | undefined;
  /** For `verify: 'log'`: whom to believe about the log, and where its heads are remembered. */
  log?: LogOptions | undefined;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** One binding. */
export interface BindingName {
  platform: string;
  identity: string;
  /** The Avatar's key, in any spelling. */
  avatar: string;
}

/** A look-up. */
export interface ProofSearch extends CallOptions {
  /** All platforms when absent. */
  platform?: string | undefined;
  identity: string;
  /** True when absent: an app must not mistake `alice2` for `alice`. */
  exact?: boolean | undefined;
}

/** What is bound where an identity was asked for. */
export interface FoundIdentity {
  /** As it was asked for. */
  identity: string;
  groups: IdentityGroup[];
}

/** What `bind` publishes. */
export interface Publication {
  /** The text to publish, signature included. */
  text: string;
  draft: Draft;
}

/** The whole flow of a binding. */
export interface BindOptions extends LinkRequest, Omit<SubmitOptions, 'location'> {
  /** Publishes the text, or lets the person do it, and answers where (as the platform needs it). Not for wallets. */
  publish?: ((publication: Publication) => Promise<string | void> | string | void) | undefined;
  /** Called with the signed draft before anything is published: a good time to keep it. */
  onDraft?: ((draft: Draft) => void) | undefined;
}

/** A patch to sign. */
export interface PatchRequest extends CallOptions {
  platform: string;
  identity: string;
  /** A JSON merge patch (RFC 7396). */
  patch: object;
  signer: Signer | MessageSigner;
}

const IDENTITIES_PER_REQUEST = 50;
const QUERY_BYTES = 10_000;
const LINKS_PER_REQUEST = 100;
/** All pages of one list together, which may be held in memory: 800 patches of the largest size. */
const MAX_LIST_BYTES = 128 << 20;

/** All that a server of Signet offers to apps. Make it with `createClient`. Holds no state but the heads of the log. */
export class Client {
  private readonly transport: Transport;
  private readonly verifies: boolean;
  private readonly logOptions: LogOptions | null;
  private logChecker: Promise<LogChecker> | undefined;

  constructor({ verify = 'none', log = {}, ...options }: ClientOptions) {
    this.transport = new Transport(options);
    this.verifies = verify !== 'none';
    this.logOptions = verify === 'log' ? log : null;
  }

  /** Look-ups of bindings. */
  readonly proofs = {
    /** Bindings by identity: groups, one for each Avatar, newest first. Exact unless `exact` is false. */
    find: (search: ProofSearch): PagedList<IdentityGroup> => this.find(search),
    /** All bindings of one Avatar, or null where it holds none. */
    of: (avatar: string, options: CallOptions = {}) => this.proofsOf(avatar, options),
    /** Exact look-ups of any number of identities, in their order. */
    findMany: (identities: Iterable<string>, options: CallOptions & { platform?: string } = {}) =>
      this.findMany([...identities], options),
    /** The state of one binding, or null where there is none. */
    exists: (name: BindingName, options: CallOptions = {}) => this.exists(name, options),
    /** What was seen at the last successful check. @throws NotFoundError */
    evidence: (name: BindingName, { signal }: CallOptions = {}): Promise<Evidence> =>
      this.transport.call({ path: '/v1/proof/evidence', query: queryOf(name), signal }),
    /** The checks of one binding, newest first. */
    history: (name: BindingName, { signal }: CallOptions = {}): PagedList<Check> =>
      this.list('/v1/proof/history', queryOf(name), 'checks', signal),
  };

  /** JSON content of Avatars. */
  readonly kv = {
    /** All content of an Avatar, or null where there was never any. */
    get: (avatar: string, options: CallOptions = {}) => this.kvGet(avatar, options),
    /** Signs and applies a patch; answers all content of the Avatar. Takes a new payload once on `stale_chain`. */
    patch: (request: PatchRequest) => this.kvPatch(request),
    /** The signed patches of an Avatar, oldest first. */
    chain: (avatar: string, options: CallOptions = {}) => this.kvChain(avatar, options),
  };

  /** The signed links of an Avatar, oldest first. */
  chain(avatar: string, { signal }: CallOptions = {}): PagedList<ChainLink> {
    const each = async (link: ChainLink) => {
      checkOneLink(link, avatar);
      await this.prove({ link: link as SignedLink, avatar: compressed(avatar) }, signal);
    };
    const all = this.verifies ? () => chainChecker(avatar) : undefined;
    return this.list('/v1/proofchain', { public_key: avatar }, 'proof_chain', signal, each, all);
  }

  /** The links of all Avatars behind `after`, oldest first, up to the newest. Each has the `id` to go on from. */
  async *changes({ after = 0, signal }: CallOptions & { after?: number } = {}): AsyncGenerator<FeedLink, void> {
    for (let last = after; ;) {
      const query = { last_id: last, count: LINKS_PER_REQUEST };
      const answer: { links: FeedLink[] } = await this.transport.call({
        path: '/v1/proofchain/changes',
        query,
        signal,
      });
      if (answer.links.length === 0) return;
      for (const link of answer.links) {
        if (this.verifies) {
          checkOneLink(link);
          await this.prove({ link: link as SignedLink }, signal);
        }
        yield link;
        last = link.id;
      }
    }
  }

  /**
   * All that is known of an Avatar in one object, which whoever has it can check offline (docs/export.md); written as
   * JSON it is the file that `signet verify` reads. Checked before it is returned, whatever `verify` says. It has the
   * proofs that each link and patch is in the log of the server, where there is a log: without those of what is not in
   * the log after `logWaitMs`.
   * @throws NotFoundError for an Avatar that has signed nothing here; VerificationError
   */
  export(avatar: string, options: ExportOptions = {}): Promise<ExportFile> {
    return readExport(this, this.transport, compressed(avatar), options);
  }

  /** Events as they happen; goes on by itself after every break, until `signal` is aborted. */
  events(options: EventOptions = {}): AsyncGenerator<SignetEvent, void> {
    return followEvents(this.transport, options);
  }

  /** The position of the newest event. Whoever keeps it can ask for `events` behind it later. */
  position({ signal }: CallOptions = {}): Promise<number> {
    return newestPosition(this.transport, signal);
  }

  /** Signs a link and its text; nothing is sent but the request for the payload. */
  draft(request: LinkRequest): Promise<Draft> {
    return signLink(this.transport, 'create', request);
  }

  /** The whole flow: payload, signatures, publication, submit. @throws what `Draft.submit` throws */
  async bind({ publish, onDraft, ...request }: BindOptions): Promise<RecordedLink> {
    const draft = await this.draft(request);
    onDraft?.(draft);
    const location = (await publish?.({ text: draft.text(), draft })) ?? undefined;
    return draft.submit({ ...request, location });
  }

  /** A draft that was kept. */
  resume(state: DraftState): Draft {
    return new Draft(this.transport, structuredClone(state));
  }

  /** Revokes a binding by a link that the Avatar signs. */
  async unbind(request: Omit<LinkRequest, 'wallet'>): Promise<RecordedLink> {
    const draft = await signLink(this.transport, 'delete', request);
    return draft.submit({ signal: request.signal });
  }

  /** What the server says of itself. */
  health({ signal }: CallOptions = {}): Promise<Health> {
    return this.transport.call({ path: '/healthz', signal });
  }

  /** What can be bound, with the steps for a person. */
  async platforms({ signal }: CallOptions = {}): Promise<Platform[]> {
    return (await this.readPlatforms(signal)).platforms;
  }

  private find({ platform, identity, exact = true, signal }: ProofSearch): PagedList<IdentityGroup> {
    const query = { platform, identity, exact: exact || undefined };
    return this.list('/v1/proof', query, 'ids', signal, (group, again) => this.checkGroup(group, again, signal));
  }

  private async proofsOf(avatar: string, { signal }: CallOptions): Promise<IdentityGroup | null> {
    const { service_name: platform } = await this.readPlatforms(signal);
    const [group] = await this.find({ platform, identity: compressed(avatar), signal }).toArray({ limit: 1 });
    return group ?? null;
  }

  private readPlatforms(signal: AbortSignal | undefined): Promise<{ service_name: string; platforms: Platform[] }> {
    return this.transport.call({ path: '/v1/platforms', signal });
  }

  private async findMany(
    identities: string[],
    { platform, signal }: CallOptions & { platform?: string },
  ): Promise<FoundIdentity[]> {
    const found: FoundIdentity[] = [];
    for (const part of partsOf(identities)) {
      const groups = await this.find({ platform, identity: part.join(','), signal }).toArray();
      const own = part.map((identity) => ({ identity, groups: groups.filter((group) => isOf(group, identity)) }));
      const isEachPlaced = groups.every((group) => own.some((one) => one.groups.includes(group)));
      for (const one of own) {
        // A form that only the server can read, such as the address of a profile, is asked for by itself.
        const isAskedAgain = one.groups.length === 0 && !isEachPlaced;
        if (isAskedAgain) one.groups = await this.find({ platform, identity: one.identity, signal }).toArray();
        found.push(one);
      }
    }
    return found;
  }

  private async exists(name: BindingName, { signal }: CallOptions): Promise<ProofState | null> {
    for (let tries = 0; ; tries++) {
      const state = await this.transport
        .call<ProofState>({ path: '/v1/proof/exists', query: queryOf(name), signal })
        .catch(nullWhereNotFound);
      if (!state || !this.verifies) return state;
      const links = await this.allLinks(name.avatar, signal);
      const canonical = links.filter((link) => link.platform === name.platform && isSame(link.identity, name.identity));
      const proofs = canonical.slice(-1).map(({ identity }) => ({ ...name, identity, created_at: state.created_at }));
      if (proofs.length > 0 && areBound(name.avatar, links, proofs)) {
        await this.proveBindings(name.avatar, links, proofs, signal);
        return state;
      }
      if (tries > 0) refuse('The answer', `No signed link binds ${JSON.stringify(name.identity)} to ${name.avatar}.`);
    }
  }

  /** The chain is read after the answer, so a revoke between the two is looked at a second time. */
  private async checkGroup(
    group: IdentityGroup,
    again: () => Promise<IdentityGroup[]>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (await this.isGroupBound(group, signal)) return;
    const now = (await again()).find(({ avatar }) => avatar === group.avatar);
    if (now && (await this.isGroupBound(now, signal))) {
      Object.assign(group, now);
      return;
    }
    refuse('The answer', `It shows a binding of ${group.avatar} that its signed chain does not have.`);
  }

  private async isGroupBound({ avatar, proofs }: IdentityGroup, signal: AbortSignal | undefined): Promise<boolean> {
    const links = await this.allLinks(avatar, signal);
    if (!areBound(avatar, links, proofs)) return false;
    await this.proveBindings(avatar, links, proofs, signal);
    return true;
  }

  /** Demands the log proofs of the links that made these bindings. */
  private async proveBindings(
    avatar: string,
    links: ChainLink[],
    proofs: Pick<ProofRecord, 'platform' | 'identity' | 'created_at'>[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const { platform, identity, created_at } of proofs) {
      const link = links.findLast(
        (one) => one.platform === platform && one.identity === identity && one.created_at === created_at,
      );
      if (link) await this.prove({ link: link as SignedLink, avatar: compressed(avatar) }, signal);
    }
  }

  /** Nothing unless `verify` is `log`. @throws what `LogChecker.prove` throws */
  private async prove(
    item: { link: SignedLink; avatar?: string } | { patch: SignedPatch; avatar?: string },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { logOptions, transport } = this;
    if (!logOptions) return;
    // Loaded when it is used, so that other clients stay small.
    this.logChecker ??= import('./log/log-checker.js').then(({ LogChecker }) => new LogChecker(transport, logOptions));
    await (await this.logChecker).prove(item, signal);
  }

  private allLinks(avatar: string, signal: AbortSignal | undefined): Promise<ChainLink[]> {
    return this.list<ChainLink>('/v1/proofchain', { public_key: avatar }, 'proof_chain', signal).toArray();
  }

  private async kvGet(avatar: string, { signal }: CallOptions): Promise<KvContent | null> {
    for (let tries = 0; ; tries++) {
      const content = await this.transport
        .call<KvContent>({ path: '/v1/kv', query: { avatar }, signal })
        .catch(nullWhereNotFound);
      if (!content || !this.verifies) return content;
      const patches = await this.list<KvPatch>('/v1/kv/chain', { avatar }, 'kv_chain', signal).toArray();
      if (addsUp(avatar, patches, content)) {
        const newest = patches.at(-1);
        if (newest) await this.prove({ patch: newest as SignedPatch, avatar: compressed(avatar) }, signal);
        return content;
      }
      if (tries > 0) refuse('The content', 'It is not what the signed patches add up to.');
    }
  }

  private kvChain(avatar: string, { signal }: CallOptions): PagedList<KvPatch> {
    const all = this.verifies ? () => patchChecker(avatar) : undefined;
    const each = (patch: KvPatch) => this.prove({ patch: patch as SignedPatch, avatar: compressed(avatar) }, signal);
    return this.list('/v1/kv/chain', { avatar }, 'kv_chain', signal, each, all);
  }

  private async kvPatch(request: PatchRequest): Promise<KvContent> {
    try {
      return await this.patchOnce(request);
    } catch (error) {
      if (!(error instanceof StaleChainError)) throw error;
      return this.patchOnce(request);
    }
  }

  private async patchOnce({ platform, identity, patch, signer: given, signal }: PatchRequest): Promise<KvContent> {
    const signer = toSigner(given);
    const { avatar } = signer;
    const fields = { avatar, platform, identity, patch };
    const payload = await this.transport.call<KvPayload>({
      ...{ method: 'POST', path: '/v1/kv/payload', body: fields, isRepeatable: true, signal },
    });
    const { uuid, created_at, sign_payload } = payload;
    checkPatchPayload(sign_payload, fields, { uuid, created_at });
    const body = { ...fields, uuid, created_at, signature: await signer.sign(sign_payload) };
    const isRecorded = async () => {
      const patches = await this.list<KvPatch>('/v1/kv/chain', { avatar }, 'kv_chain', signal).toArray();
      return patches.some((item) => item.uuid === uuid);
    };
    const answer = await submit<KvContent>(
      this.transport,
      { method: 'POST', path: '/v1/kv', body, signal },
      isRecorded,
    );
    const content = answer ?? (await this.transport.call<KvContent>({ path: '/v1/kv', query: { avatar }, signal }));
    return content;
  }

  /** A list of the service: `member` is what its answers call the items. */
  private list<Item>(
    path: string,
    query: Record<string, string | boolean | undefined>,
    member: string,
    signal: AbortSignal | undefined,
    check?: (item: Item, again: () => Promise<Item[]>) => void | Promise<void>,
    checker?: () => (item: Item) => void,
  ): PagedList<Item> {
    let budget = { bytes: MAX_LIST_BYTES, left: MAX_LIST_BYTES };
    const readPage = (page: number) =>
      this.transport.call<{ pagination: Pagination } & Record<string, Item[]>>({
        path,
        query: { ...query, page },
        budget,
        signal,
      });
    const read = async (page: number) => {
      if (page === 1) budget = { ...budget, left: MAX_LIST_BYTES };
      const answer = await readPage(page);
      const items = answer[member] ?? [];
      if (this.verifies && check) {
        for (const item of items) await check(item, async () => (await readPage(page))[member] ?? []);
      }
      const { total, next } = answer.pagination;
      if (next !== 0 && !(next > page)) throw goesInCircles(this.transport.baseUrl, page, next);
      return { items, total, next };
    };
    return new PagedList(read, checker);
  }
}

/** A client of the server at `baseUrl`. */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

function queryOf({ platform, identity, avatar }: BindingName): {
  platform: string;
  identity: string;
  public_key: string;
} {
  return { platform, identity, public_key: compressed(avatar) };
}

function nullWhereNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

function goesInCircles(baseUrl: string, page: number, next: number): SignetError {
  const message = `The list of ${baseUrl} goes in circles: page ${page} is followed by page ${next}.`;
  return new SignetError(message, { code: 'invalid_answer', status: 200 });
}

/** Requests of at most 50 identities and some 10 KB. */
function* partsOf(identities: string[]): Generator<string[]> {
  let part: string[] = [];
  let bytes = 0;
  for (const identity of identities) {
    const size = encodeURIComponent(identity).length + 3;
    if (part.length === IDENTITIES_PER_REQUEST || (part.length > 0 && bytes + size > QUERY_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(identity);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function isOf({ proofs }: IdentityGroup, identity: string): boolean {
  return proofs.some((proof) => isSame(proof.identity, identity));
}

/** Spellings that differ in letter case or a leading @ only. */
function isSame(canonical: string, written: string): boolean {
  return canonical === written || canonical.toLowerCase() === written.trim().replace(/^@/, '').toLowerCase();
}
