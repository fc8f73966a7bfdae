import type { ExportFile, SignedLink } from '@signet/verify';
import type { ChainLink, FeedLink, Health, NamedAccount, Platform } from '../answers.js';
import { hasObjects } from './answer-forms.js';
import { CheckedReads } from './checked-reads.js';
import { askedKey, demandFunctions, findKey, inOrder, keyProblem, quoted, refuse } from '../checks.js';
import { WrongUsageError } from '../errors.js';
import type { SeenByOthers } from '../observers/observer-options.js';
import type { BindingName, CallOptions, FollowOptions } from './call-options.js';
import type { ClientOptions } from './client-options.js';
import { contentCalls } from './content.js';
import { Draft, type DraftState, type RecordedLink } from '../writes/draft.js';
import type { EventOptions, EventType, SignetEvent } from './events.js';
import type { ExportOptions } from './export.js';
import { keyCalls } from '../keys/key-calls.js';
import type { PostLook } from '../look/looks.js';
import type { CheckedReceipts } from '../log/receipts.js';
import type { Person } from '../person/person.js';
import type { Who } from '../person/who.js';
import { stayingName } from '../names/account-names.js';
import { invalidList, type PagedList } from './paged-list.js';
import type { PlatformName } from '../platform-names.js';
import { proofCalls, readPlatforms } from './proofs.js';
import { type BindOptions, type LinkRequest, signLink } from '../writes/sign-link.js';
import type { Transport } from '../transport.js';

const LINKS_PER_REQUEST = 100;

/** All that a server of Signet offers to apps. Make it with `createClient`. Holds no state but the heads of the log. */
export class Client {
  private readonly reads: CheckedReads;
  private readonly transport: Transport;
  /** The address of the server, without a slash at its end. */
  readonly baseUrl: string;
  /**
   * The server, and the names of what this client demands of its answers: caches keep answers under it. Clients with
   * the same demands and other trusted keys need caches of their own.
   */
  readonly scope: readonly string[];
  /** Look-ups of bindings. */
  readonly proofs: ReturnType<typeof proofCalls>;
  /** JSON content of Avatars. */
  readonly kv: ReturnType<typeof contentCalls>;
  /** What Avatars say about their keys: recovery keys, freezes, and who comes after them (docs/keys.md). */
  readonly keys: ReturnType<typeof keyCalls>;

  constructor(options: ClientOptions) {
    this.reads = new CheckedReads(options);
    this.transport = this.reads.transport;
    this.baseUrl = this.transport.baseUrl;
    this.scope = scopeOf(this.baseUrl, options);
    this.proofs = proofCalls(this.reads);
    this.kv = contentCalls(this.reads);
    this.keys = keyCalls(this.reads, this);
  }

  /** The signed links of an Avatar, oldest first. */
  chain(avatar: string, { signal }: CallOptions = {}): PagedList<ChainLink> {
    const key = findKey(avatar) ?? '';
    return this.reads.list<ChainLink>({
      path: '/v1/proofchain',
      query: { public_key: key },
      member: 'proof_chain',
      signal,
      wrong: keyProblem(avatar),
      check: (isFromFirst, { chainChecker, linkChecker }) =>
        inOrder(isFromFirst ? chainChecker(key) : linkChecker(key), (link) =>
          this.reads.prove({ link: link as SignedLink, avatar: key }, signal),
        ),
      completes: (complete) => complete.links(key, signal),
    });
  }

  /** The links of all Avatars behind `after`, oldest first, up to the newest. Each has the `id` to go on from. */
  async *changes({ after = 0, signal }: CallOptions & { after?: number } = {}): AsyncGenerator<FeedLink, void> {
    const check = this.reads.verifies ? (await this.reads.rules()).linkChecker() : null;
    for (let last = after; ;) {
      const query = { last_id: last, count: LINKS_PER_REQUEST };
      const answer: { links: FeedLink[] } = await this.transport.call({
        path: '/v1/proofchain/changes',
        query,
        signal,
        list: 'links',
        hasForm: (answer) => hasObjects(answer, 'links'),
      });
      if (answer.links.length === 0) return;
      for (const link of answer.links) {
        if (check) {
          check(link);
          await this.reads.prove({ link: link as SignedLink }, signal);
        }
        if (!(link.id > last)) {
          throw invalidList(
            `The feed of ${this.baseUrl} goes in circles: link ${last} is followed by ${quoted(link.id)}.`,
          );
        }
        last = link.id;
        yield link;
      }
    }
  }

  /**
   * All that is known of an Avatar in one object that can be checked offline (docs/export.md); written as JSON it is
   * the file that `signet verify` reads. Checked before it is returned, also with `trustServer`. Where the server
   * keeps a log, the object has the proofs that each record is in it, but for what is not logged after
   * `logWaitMs`; they are checked with `log.policy` or `log.logKey`, or with the key that the server names.
   * @throws NotFoundError for an Avatar that has signed nothing here; VerificationError
   */
  async export(avatar: string, options: ExportOptions = {}): Promise<ExportFile> {
    const key = askedKey(avatar);
    const { readExport } = await import('./export.js');
    return readExport({ client: this, transport: this.transport }, key, options, this.reads.settings.log);
  }

  /**
   * What the option `observers` names saw of a binding, also where that is no quorum; null for a wallet, whose
   * signature is in its link.
   * @throws WrongUsageError without observers; VerificationError where no signed link makes the binding
   */
  async seenBy(of: BindingName, { signal }: CallOptions = {}): Promise<SeenByOthers | null> {
    const avatar = askedKey(of?.avatar);
    const name = await stayingName(this.transport, of, signal);
    const { links } = await this.reads.wholeChainOf(avatar, signal);
    const { bindingNamed } = await this.reads.rules();
    const made = bindingNamed(avatar, links, name);
    if (!made) refuse('The answer', `No signed link binds ${JSON.stringify(name.identity)} to ${avatar}.`);
    return (await this.reads.seenBy(avatar, [made], signal))[0]!;
  }

  /** Events as they happen, those of `types` alone; goes on by itself after every break, until `signal` is aborted. */
  async *events<Type extends EventType = EventType>(
    options: EventOptions<Type> = {},
  ): AsyncGenerator<SignetEvent<Type>, void> {
    const { followEvents } = await import('./events.js');
    yield* followEvents(this.transport, options);
  }

  /** The position of the newest event: `events` takes it as `after`. */
  async position({ signal }: CallOptions = {}): Promise<number> {
    const { newestPosition } = await import('./events.js');
    return newestPosition(this.transport, signal);
  }

  /** Signs a link and its text; nothing is sent but the request for the payload. */
  draft(request: LinkRequest): Promise<Draft> {
    return signLink(this.reads, 'create', request ?? {});
  }

  /** The whole flow: payload, signatures, publication, submit. @throws what `Draft.submit` throws */
  async bind(options: BindOptions): Promise<RecordedLink> {
    const { publish, onDraft, ...request } = options ?? {};
    demandFunctions(options, 'publish', 'onDraft');
    const draft = await this.draft(request);
    onDraft?.(draft);
    const location = (await publish?.({ text: draft.text(), draft })) ?? undefined;
    return draft.submit({ ...request, location });
  }

  /** A draft that was kept. */
  resume(state: DraftState): Draft {
    return new Draft(this.reads, structuredClone(state));
  }

  /** Revokes a binding by a link that the Avatar signs. */
  async unbind(request: Omit<LinkRequest, 'wallet' | 'chainId'>): Promise<RecordedLink> {
    const draft = await signLink(this.reads, 'delete', request ?? {});
    return draft.submit({ signal: request.signal });
  }

  /**
   * Holds the receipts that `log.receipts` keeps against the log. Those whose records are in it, exactly as promised,
   * are removed from the store. Nothing that a server says makes it throw: what is broken is in the answer, each with
   * receipt, checkpoint and what was found, and so is what the server did not answer.
   */
  async checkReceipts({ signal }: CallOptions = {}): Promise<CheckedReceipts> {
    return (await this.reads.receipts()).check(signal);
  }

  /**
   * Looks at the post, record or wallet of a binding, from where this program runs and without the word of the server:
   * the chain is read and checked, then the platform is asked. Nothing of a platform or of the network makes it throw.
   * @throws VerificationError where no signed link makes the binding; WrongUsageError without `looks`
   */
  async look(name: BindingName, options: CallOptions = {}): Promise<PostLook> {
    const { looks } = this.reads.settings;
    if (!looks) throw new WrongUsageError('look needs the option looks: createLooks() of @signet/sdk/look.');
    askedKey(name?.avatar);
    return looks.look(this.reads, await stayingName(this.transport, name, options.signal), options);
  }

  /**
   * Who is behind an address, an account or a key: its Avatar, its profile and its accounts, each with its state and
   * with what it rests on. Null where nothing is bound there and nothing was written. With `follow: true` the person
   * is the Avatar that has come after the one that was found.
   * @throws WrongUsageError for what is neither; VerificationError, and what look-ups throw
   */
  async resolve(who: Who, options: FollowOptions = {}): Promise<Person | null> {
    const { resolve } = await import('../person/resolve.js');
    const callsOf = (reads: CheckedReads) => ({ proofs: proofCalls(reads), kv: contentCalls(reads) });
    return resolve(this.reads, callsOf, who, options);
  }

  /**
   * The account behind a name that can change hands, such as a handle on Bluesky, or the name of an account given by
   * its identity; null where the name leads to no account that bears it. This is the server's word, of the time that it
   * names. Each call that names an account finds it by itself.
   * @throws SignetError (`invalid_answer`) for an answer that can be no account of this name
   */
  async account(platform: PlatformName, name: string, { signal }: CallOptions = {}): Promise<NamedAccount | null> {
    const { findAccount } = await import('../names/find-account.js');
    return findAccount(this.transport, platform, name, signal);
  }

  /** What the server says of itself. */
  health({ signal }: CallOptions = {}): Promise<Health> {
    return this.transport.call({ path: '/healthz', signal, list: 'platforms' });
  }

  /** The name of the server, under which it is asked about keys. */
  async serviceName({ signal }: CallOptions = {}): Promise<string> {
    return (await readPlatforms(this.reads, signal)).service_name;
  }

  /** What can be bound, with the steps for a person. */
  async platforms({ signal }: CallOptions = {}): Promise<Platform[]> {
    return (await readPlatforms(this.reads, signal)).platforms;
  }
}

function scopeOf(baseUrl: string, { trustServer, demand = {} }: ClientOptions): string[] {
  const demanded = Object.entries(demand).flatMap(([name, value]) => (value ? [name] : []));
  return [baseUrl, trustServer ? 'unchecked' : 'signatures', ...demanded.sort()];
}

/**
 * A client of the server at `baseUrl`, which checks the signatures of every answer.
 * @throws WrongUsageError for options that do not exist or do not go together, in a sentence that names them
 */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}
