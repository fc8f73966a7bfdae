/** What servers that a reader believes saw of posts: `client.seenBy`, and clients with `demand: { observers }`. */
import { type CheckedLink, type Step, WALLET_PLATFORMS } from '@signet/verify';
import { claimedTime } from '@signet/verify/internal/log';
import {
  judgeSeen,
  linkHash,
  type Observer,
  type Observers,
  ObserversError,
  readObservers,
  readStatement,
  type SeenVerdict,
} from '@signet/verify/seen';
import { VerificationError } from '../errors.js';
import { nameOf } from '../client/resting.js';
import type { ObserverOptions, ObserverSource, ObserverWord, SeenByOthers, Unread } from './observer-options.js';
import { Transport, type TransportOptions } from '../transport.js';

/** For one answer of an observer, with all its tries. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1 << 20;
/** Pages of one observer, of 100 statements each. */
const MAX_PAGES = 10;
/** Statements of one observer about one link: more of the newest are of no use. */
const NOTES_OF_LINK = 4;

interface Page {
  pagination?: { next?: unknown };
  statements?: { link?: unknown; note?: unknown }[];
}

/** What the observers show of themselves, by operator and hash of the link, and those of which not all was read. */
interface Read {
  notes: Map<string, Map<string, string[]>>;
  unread: Map<string, Unread>;
}

/** What a server shows about an Avatar. */
export interface ShownStatements {
  /** The signed texts by the hash of their link, unchecked. */
  notes: Map<string, string[]>;
  /** Whether these are all that it shows; it has more where there are more than are read. */
  isWhole: boolean;
}

/** Asks the observers of a client, and judges what they signed. */
export class ObserverQuorum {
  private readonly list: Observers;

  /**
   * @param options of the client; its own server is no observer of itself
   * @throws ObserversError for a list that cannot be read, or an observer without a URL
   */
  constructor(
    { observers, quorum }: ObserverOptions,
    private readonly options: TransportOptions,
  ) {
    const linesOf = ({ operator, key, url }: ObserverSource) =>
      `observer ${operator ?? key.slice(0, key.indexOf('+'))} ${key} ${url}\n`;
    const text = typeof observers === 'string' ? observers : observers.map(linesOf).join('');
    const read = readObservers(text);
    const own = withoutSlash(options.baseUrl);
    const others = read.observers.filter(({ urls }) => !urls.some((url) => withoutSlash(url) === own));
    const silent = others.find(({ urls }) => urls.length === 0);
    if (silent) throw new ObserversError(`The observer ${silent.operator} has no URL.`);
    this.list = { observers: others, quorum: quorum ?? read.quorum };
  }

  /** What the observers saw of links that made bindings of an Avatar, in their order; null for wallets. */
  async seenBy(avatar: string, made: CheckedLink[], signal: AbortSignal | undefined): Promise<(SeenByOthers | null)[]> {
    const isPost = ({ link }: CheckedLink) => !WALLET_PLATFORMS.includes(link.platform);
    if (!made.some(isPost)) return made.map(() => null);
    const { notes: read, unread } = await this.read(avatar, signal);
    return made.map((one) => {
      if (!isPost(one)) return null;
      const { platform, identity, signature_payload: payload } = one.link;
      const link = linkHash(payload);
      const notes = new Map([...read].map(([operator, own]) => [operator, own.get(link) ?? []]));
      const verdict = judgeSeen(notes, { link, platform, identity }, this.list, { now: Date.now() / 1000 });
      const observers = verdict.observers.map((view): ObserverWord => {
        return view.state === 'no_statement' ? { ...view, state: unread.get(view.operator) ?? view.state } : view;
      });
      return { ...verdict, observers, notes: [...new Set([...notes.values()].flat())], warning: warningOf(verdict) };
    });
  }

  /**
   * Demands of bindings that the server says are valid that a quorum saw them.
   * @param areValid whether the server says so of each
   * @returns what the observers say of each; null for wallets
   * @throws VerificationError (`not_seen` where a quorum saw that it is not there, otherwise `no_quorum`) that names
   *   the bindings, and the observers that are missing
   */
  async demand(
    avatar: string,
    made: CheckedLink[],
    areValid: boolean[],
    signal: AbortSignal | undefined,
  ): Promise<(SeenByOthers | null)[]> {
    const words = await this.seenBy(avatar, made, signal);
    const refused = words.flatMap((word, index) =>
      word && areValid[index] && word.result !== 'seen' ? [{ name: nameOf(made[index]!.link), word }] : [],
    );
    if (refused.length === 0) return words;
    const steps = refused.map(({ name, word }): Step => {
      return {
        name: 'seen',
        state: word.result === 'not_seen' ? 'failed' : 'not_checkable',
        detail: sentence(name, word),
      };
    });
    const isGone = refused.some(({ word }) => word.result === 'not_seen');
    const message = steps.map(({ detail }) => detail).join(' ');
    throw new VerificationError(message, steps, isGone ? 'not_seen' : 'no_quorum');
  }

  /**
   * What the observers say about an Avatar: of each what its own addresses show of it, the newest first. What others
   * kept of it does not count, because it may say otherwise by now. Never throws but for `signal`.
   */
  async read(avatar: string, signal: AbortSignal | undefined): Promise<Read> {
    const read: Read = { notes: new Map(), unread: new Map() };
    const { fetch, timeoutMs = TIMEOUT_MS } = this.options;
    const limits = { retries: 1, timeoutMs, totalTimeoutMs: timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES };
    const ask = async (observer: Observer, url: string) => {
      const { operator } = observer;
      try {
        const shown = await readStatements(new Transport({ baseUrl: url, fetch, ...limits }), avatar, signal);
        const own = read.notes.get(operator) ?? new Map<string, string[]>();
        if (!shown.isWhole) read.unread.set(operator, 'too_many');
        for (const [link, notes] of shown.notes) {
          own.set(link, newestOf(observer, [...(own.get(link) ?? []), ...notes]));
        }
        read.notes.set(operator, own);
      } catch (error) {
        if (signal?.aborted) throw error;
        read.unread.set(operator, 'could_not_ask');
      }
    };
    await Promise.all(this.list.observers.flatMap((one) => one.urls.map((url) => ask(one, url))));
    return read;
  }
}

/** The statements that a server shows about an Avatar, 1,000 at most. @throws SignetError */
export async function readStatements(
  transport: Transport,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<ShownStatements> {
  const notes = new Map<string, string[]>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await transport.call<Page>({ path: '/v1/proofs/seen', query: { avatar, page }, signal });
    for (const item of Array.isArray(answer.statements) ? answer.statements : []) {
      const { link, note } = item ?? {};
      if (typeof link === 'string' && typeof note === 'string') notes.set(link, [...(notes.get(link) ?? []), note]);
    }
    if (answer.pagination?.next !== page + 1) return { notes, isWhole: true };
  }
  return { notes, isWhole: false };
}

/** The notes that have a line of this observer, by the times in it: the newest few. */
function newestOf({ keys }: Observer, notes: string[]): string[] {
  return [...new Set(notes)]
    .flatMap((text) => {
      const note = readStatement(text)?.note;
      const times = keys.flatMap((key) => (note && claimedTime(note, key)) ?? []);
      return times.length === 0 ? [] : [{ text, time: Math.max(...times) }];
    })
    .sort((one, other) => other.time - one.time)
    .slice(0, NOTES_OF_LINK)
    .map(({ text }) => text);
}

/** What a reader has to know who lets one observer decide. */
function warningOf({ needed, of }: SeenVerdict): string | null {
  if (needed !== 1) return null;
  return `One of ${of} is enough by this list: whoever runs it, or has its key, alone says what was seen.`;
}

const WORDS: { [state in ObserverWord['state']]: string } = {
  seen: 'saw it',
  not_seen: 'saw that it was not there',
  other_account: 'saw another account',
  too_old: 'looked more than a week ago',
  from_the_future: 'has a clock that is ahead',
  contradictory: 'contradicts itself',
  no_statement: 'has signed nothing about it',
  could_not_ask: 'could not be asked',
  too_many: 'shows more statements than are read',
};

/** Why a binding is refused: what each observer said of it. */
function sentence(name: string, { result, count, of, needed, observers }: SeenByOthers): string {
  if (result === 'no_claim')
    return `${name}: at least two observers besides this server are needed, and there are ${of}.`;
  const others = observers.filter(({ state }) => state !== (result === 'not_seen' ? 'not_seen' : 'seen'));
  const rest = others.map(({ operator, state }) => `${operator} ${WORDS[state]}`).join(', ');
  const tail = rest === '' ? '' : `: ${rest}`;
  if (result === 'not_seen') return `${name} was not there for ${count} of ${of} observers${tail}.`;
  return `${name} was seen by ${count} of ${of} observers, and ${needed} are needed${tail}.`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
