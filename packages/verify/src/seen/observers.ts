/** Which observers a reader trusts, and how many of them have to agree (docs/verify.md, section 14). */
import type { WithEd25519 } from '../keys/curves.js';
import { SignetError } from '../errors/errors.js';
import { hasControls, linesOf, withUnseen } from '../files/text-lines.js';
import { readVerifierKey, SEEN_KEY, type VerifierKey } from '../log/verifier-key.js';

/** One operator of observers; several keys and servers of one operator count once. */
export interface Observer {
  /** The reader's own name for the operator. */
  operator: string;
  keys: VerifierKey[];
  /** Base URLs of its servers. */
  urls: string[];
}

/** The observers that a reader trusts. */
export interface Observers {
  observers: Observer[];
  /** How many have to agree, where the reader says so; null: the usual rule, see `neededOf`. */
  quorum: number | null;
}

/** A text is not a list of observers. The message says why, with the number of the line; code `invalid_observers`. */
export class ObserversError extends SignetError {
  override name = 'ObserversError';

  constructor(message: string) {
    super(message, 'invalid_observers');
  }
}

/** A longer list is refused unread. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * How many observers have to agree: one of two to five may be missing or say otherwise, and two of six or more, as
 * certificate authorities count their remote perspectives (CA/Browser Forum, Baseline Requirements, 3.2.2.9). Null for
 * fewer than two, who show nothing.
 */
export function neededOf({ observers, quorum }: Observers): number | null {
  if (quorum !== null) return quorum;
  return observers.length < 2 ? null : observers.length - (observers.length < 6 ? 1 : 2);
}

/**
 * Reads a list of observers: lines `observer <operator> <verifier key> [<url>]`, several of one operator being its
 * several keys, and at most one line `quorum <number>`. Empty lines, those that begin with `#`, a byte order mark and
 * the line ends of Windows do not matter.
 * @throws ObserversError that names the line and what is wrong with it
 */
export function readObservers(text: string, options: WithEd25519 = {}): Observers {
  if (text.length > MAX_CHARACTERS) throw new ObserversError('A list of observers has at most 64 Ki characters.');
  const list: Observers = { observers: [], quorum: null };
  linesOf(text).forEach((line, index) => {
    const problem = hasControls(line) ? 'it holds a control character' : addLine(list, line, options);
    if (problem !== null) throw new ObserversError(`line ${index + 1}: ${withUnseen(problem, line)}`);
  });
  if (list.quorum !== null && list.quorum > list.observers.length) {
    throw new ObserversError(`The quorum is ${list.quorum}, and there are ${list.observers.length} observers.`);
  }
  return list;
}

/** The end of a sentence; null for a good line. */
function addLine(list: Observers, line: string, options: WithEd25519): string | null {
  const [keyword, ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
  if (keyword === undefined || keyword.startsWith('#')) return null;
  if (keyword === 'quorum') {
    if (list.quorum !== null) return 'there is a quorum already';
    if (words.length !== 1 || !/^[1-9]\d{0,3}$/.test(words[0]!)) return 'a quorum is one number above 0';
    list.quorum = Number(words[0]);
    return null;
  }
  if (keyword !== 'observer') return `"${keyword}" is neither observer nor quorum`;
  const [operator, vkey, url, ...more] = words;
  const key = readVerifierKey(vkey ?? '', options);
  if (operator === undefined || more.length > 0) return 'an observer has a name, a key and a URL';
  if (key?.type !== SEEN_KEY) return `the key of an observer is <name>+<id>+<Base64> of type ${SEEN_KEY}`;
  if (list.observers.some(({ keys }) => keys.some((one) => one.publicKey.join() === key.publicKey.join()))) {
    return 'this key belongs to an observer already';
  }
  let own = list.observers.find((one) => one.operator === operator);
  if (!own) list.observers.push((own = { operator, keys: [], urls: [] }));
  own.keys.push(key);
  if (url !== undefined && !own.urls.includes(url)) own.urls.push(url);
  return null;
}
