import type { PlatformGuide } from '../../platform-verifier.js';
import type { Rate } from '../../web/fetcher.js';
import type { PastedUrl } from '../../posts/pasted-url.js';

/** A member of a JSON answer: names with dots between, `[]` behind a list of which each item is meant. */
export type JsonPath = string;

/** The identity that is asked about, in parts: `host` is undefined where the platform is one host. */
export interface AskedAccount {
  user: string;
  host?: string | undefined;
  /** Canonical proof_location; `''` where none is needed. */
  location: string;
}

/**
 * A platform whose proof is one text in one public JSON answer: the description of an account, or of one project of it.
 * What does not fit a path, such as whether a project is a fork, is said by functions.
 */
export interface DescribedText {
  platform: string;
  /** `record`: a text of the account itself; `post`: of something that proof_location names. */
  publishes: 'record' | 'post';
  /** `identityPattern` is that of `NAME_PATTERNS`, and has to be given for a platform that is not in there. */
  guide: Omit<PlatformGuide, 'identityPattern'> & Partial<Pick<PlatformGuide, 'identityPattern'>>;
  rates: Rate;
  /** The origin that is asked; absent where users choose the host, which then stands behind the `@` of identities. */
  base?: string;
  /** The path, below the origin, of the answer. */
  path(account: AskedAccount): string;
  /** Value of the header `Accept`; absent: application/json. */
  accept?: string;
  /** Where the texts stand that the account wrote. */
  texts: JsonPath[];
  /** How the API shows that the account wrote nothing: by null, or by no member at all; absent: by an empty text. */
  noText?: 'null' | 'absent';
  /** How the texts are written. */
  format: 'html' | 'plain';
  /** Where the platform's stable id of the account stands. */
  id: JsonPath;
  /** Where the name of the account stands. */
  name: JsonPath;
  /** Statuses by which the API says that there is no such account or project; a JSON body is demanded with each. */
  absent: number[];
  /** Whether a 200 with `null` says so too. */
  isNullAbsent?: boolean;
  /** What the text may also belong to, as a sentence that refuses; null where nothing speaks against it. */
  refuse?(answer: unknown): string | null;
  /** One more question, where the answer does not say all; its path and body, and how its answer is read. */
  confirm?: Confirmation;
  /** The name in the address of a profile, as people paste it, with its host where users choose it; or null. */
  nameIn(url: PastedUrl, written: string): string | null;
  /** The address of the account's page, where users choose the host; elsewhere the guide has it. */
  page?(account: AskedAccount): string;
  /** The canonical location in a pasted one; null where it is none of this account. Given for a `post`. */
  locationIn?(written: string, account: AskedAccount): string | null;
}

/** A further question about an account or a project. */
export interface Confirmation {
  path(account: AskedAccount): string;
  /** JSON to POST; absent: a GET is sent. */
  body?(account: AskedAccount): unknown;
  /** A sentence that refuses, null where nothing speaks against it, undefined where the answer makes no sense. */
  read(status: number, isJson: boolean, answer: unknown): string | null | undefined;
}

/**
 * The values at a path; what is null on the way has none, and a last member that is absent is undefined.
 * @throws TypeError where a member on the way is absent or has another type than its path says
 */
export function valuesAt(value: unknown, path: JsonPath): unknown[] {
  const parts = path.split('.');
  let found: unknown[] = [value];
  for (const [place, part] of parts.entries()) {
    const isList = part.endsWith('[]');
    const name = isList ? part.slice(0, -2) : part;
    found = found.flatMap((one) => {
      if (one === null) return [];
      if (typeof one !== 'object') throw new TypeError(`${part} is in no object`);
      const member: unknown = Object.hasOwn(one, name) ? (one as Record<string, unknown>)[name] : undefined;
      if (member === undefined && place < parts.length - 1) throw new TypeError(`${name} is absent`);
      if (!isList || member === null) return [member];
      if (!Array.isArray(member)) throw new TypeError(`${name} is no list`);
      return member as unknown[];
    });
  }
  return found;
}
