/** The whole ProofChain of an Avatar, link by link. */
import type { WithCurves } from '../keys/curves.js';
import { identityKeyText, isErased } from './erased.js';
import { avatarIn, avatarOf, type LinkContext, type SignedLink, verifyLink } from './link.js';
import { bindingKey, LiveLinks } from './live-links.js';
import { CLOCK_SPREAD_SECONDS } from '../text/constants.js';
import { checkUuid } from '../text/signed-text.js';
import { checked, notCheckable, ok, type Step, verificationOf, type Verification, withoutThrowing } from '../steps.js';

/** A link that was checked in its chain. */
export interface CheckedLink<Link extends SignedLink = SignedLink> extends Verification {
  link: Link;
}

/** What came of a chain. */
export interface ChainVerification extends Verification {
  /** Compressed key; `''` for an empty chain whose Avatar is not given. */
  avatar: string;
  /** One for each link, oldest first. `steps` above has those that are not ok, with the place in front. */
  links: CheckedLink[];
  /** The links that made what is bound at the end, in the order in which they were made. */
  bindings: SignedLink[];
}

/** How a chain is checked. */
export interface ChainOptions {
  /** The Avatar that is expected, as a compressed key. Without it, the one that the first link names. */
  avatar?: string | undefined;
  /** The link before the first one here, if this is not the beginning of the chain. */
  after?: Pick<SignedLink, 'signature' | 'created_at'> | null | undefined;
}

/** Checks the links of one Avatar as they come, by a given check of one: see `ChainChecker`. */
export class LinksChecker<Link extends SignedLink = SignedLink> {
  private readonly live = new LiveLinks<Link>();
  /** What is bound after the links so far, by platform and identity (`bindingKey`). */
  readonly bindings = this.live.items;

  private readonly uuids = new Set<string>();
  /** Keys of identities whose last link is a create that was erased. */
  private readonly lost = new Set<string>();
  private readonly isFromBeginning: boolean;
  private previous: Pick<SignedLink, 'signature' | 'created_at'> | null;
  private avatar: string | undefined;

  constructor(
    private readonly check: (link: Link, context: LinkContext) => Verification,
    { avatar, after }: ChainOptions = {},
  ) {
    this.avatar = avatar;
    this.previous = after ?? null;
    this.isFromBeginning = this.previous === null;
  }

  /**
   * The steps of `verifyLink`, then `uuid`, `time`, and `binding` for a delete that is not erased. Never throws. The
   * order of links is that of `prev`; a `time` that contradicts it is not checkable, and says nothing of when.
   */
  add(link: Link): CheckedLink<Link> {
    const { previous } = this;
    const { steps } = this.check(link, { avatar: this.avatar, previous });
    if (steps[0]!.state === 'failed') return { link, ...verificationOf(steps) };
    this.avatar ??= link.avatar ?? (isErased(link) ? undefined : avatarIn(link.signature_payload));
    steps.push(checkUuid(this.uuids, link.uuid, 'link'));
    if (previous) steps.push(checkTime(link, previous));
    this.previous = link;
    steps.push(...this.follow(link));
    return { link, ...verificationOf(steps) };
  }

  /** Takes a link in; the step `binding` of a delete whose text is there. */
  private follow(link: Link): Step[] {
    const key = isErased(link) ? link.erased.identity_key : identityKeyText(link);
    const isRevoke = !isErased(link) && link.action === 'delete';
    const steps = isRevoke ? [this.checkBinding(bindingKey(link), key)] : [];
    if (isErased(link) && link.action === 'create') this.lost.add(key);
    else this.lost.delete(key);
    this.live.add(link, link);
    return steps;
  }

  private checkBinding(key: string, identity: string): Step {
    if (this.lost.has(identity))
      return notCheckable('binding', 'The text of the link that made what it revokes was erased.');
    if (!this.isFromBeginning && !this.bindings.has(key)) {
      return notCheckable('binding', 'What it revokes may have been bound before the links that are at hand.');
    }
    return checked(
      'binding',
      this.bindings.has(key),
      'It revokes a binding that existed.',
      'It deletes a binding that did not exist.',
    );
  }
}

/**
 * Checks the links of one Avatar as they come, oldest first, so that a chain of any length needs no list of them. Holds
 * the uuids and the live bindings.
 */
export class ChainChecker<Link extends SignedLink = SignedLink> extends LinksChecker<Link> {
  constructor({ curves, ...options }: ChainOptions & WithCurves = {}) {
    super((link, context) => verifyLink(link, { ...context, curves }), options);
  }
}

/**
 * Checks the links of one Avatar, oldest first: all of them, or those behind `after`. Each link has the steps of
 * `verifyLink`, then `uuid`, `time` and `binding`; the result has those that are not ok, or one step `all`. An empty
 * list of an Avatar that is named is not checkable: a server that hides a chain answers one too. Never throws, whatever
 * it is given.
 */
export function verifyChain(links: SignedLink[], options: ChainOptions & WithCurves = {}): ChainVerification {
  return withoutThrowing(() => checkLinks(links, options, new ChainChecker(options)), noChain());
}

/** What is known of the chain of an Avatar of which nothing can be read. */
export function noChain(): Pick<ChainVerification, 'avatar' | 'links' | 'bindings'> {
  return { avatar: '', links: [], bindings: [] };
}

/** The links of a list by a checker that has seen none yet. */
export function checkLinks(links: SignedLink[], options: ChainOptions, checker: LinksChecker): ChainVerification {
  const results = links.map((link) => checker.add(link));
  const avatar = avatarOf(links, options.avatar);
  return { avatar, links: results, bindings: [...checker.bindings.values()], ...summaryOf(results, options.avatar) };
}

/**
 * What is not ok in a list, each with its place in front; a single step `all` where everything is. An empty list of an
 * Avatar that was named shows nothing: a server that hides a chain answers one too.
 */
export function summaryOf(results: Verification[], named?: string): Verification {
  const steps = results.flatMap(({ steps: own }, index) =>
    own
      .filter(({ state }) => state !== 'ok')
      .map((step) => ({ ...step, detail: `${index + 1} of ${results.length}: ${step.detail}` })),
  );
  if (steps.length > 0) return verificationOf(steps);
  if (results.length === 0 && named !== undefined) return verificationOf([notCheckable('all', 'It is empty.')]);
  const detail = results.length === 1 ? 'The only one verifies.' : `All ${results.length} verify.`;
  return verificationOf([{ name: 'all', state: 'ok', detail }]);
}

/**
 * Never fails: `prev` is signed and says which link came first, so a time cannot forge a chain. Servers of before 0.2.0
 * recorded such links while one of their clocks was wrong.
 */
function checkTime(link: SignedLink, previous: Pick<SignedLink, 'created_at'>): Step {
  const back = Number(previous.created_at) - Number(link.created_at);
  if (!(back > CLOCK_SPREAD_SECONDS)) return ok('time', 'It is not older than the link before it.');
  return notCheckable(
    'time',
    `A clock was wrong when it or the link before it was recorded: its time is ${back} seconds before that of the other.`,
  );
}
