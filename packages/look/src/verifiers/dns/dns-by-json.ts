import { encodeBase64 } from '@signet/verify';
import { canonicalDomainName } from '../../dns-name.js';
import type { ProofClaim, Verdict } from '../../platform-verifier.js';
import { BROWSER_DOH_URLS, type DnsOptions } from '../../options/options.js';
import { type Fetcher, RequestBudget } from '../../web/fetcher.js';
import { type AnswerRecord, MAX_RECORDS, noAnswer, textsOf } from './dns-answers.js';
import { withDnssecProof } from './dns-chain.js';
import { MAX_RESOLVERS, silent, verdictOfResolvers } from './dns-opinions.js';
import { isWireFormat, MAX_CHAIN_MS, MAX_CHAIN_REQUESTS, WIRE_FORMAT } from './dns-wire-format.js';
import { rootKeysOf } from './dns-root-keys.js';

/** Codes of RFC 1035 4.1.1 and record types of its 3.2.2. */
const NO_ERROR = 0;
const NAME_ERROR = 3; // NXDOMAIN
const TYPES = new Map<unknown, AnswerRecord['type']>([
  [5, 'CNAME'],
  [16, 'TXT'],
]);
const MAX_REPLY_BYTES = 512 * 1024; // a DNS message has 64 KiB at most, and escapes make four characters of a byte
/** One string of a TXT record in presentation format (RFC 1035 5.1), with its escapes. */
const QUOTED = /"((?:[^"\\]|\\[^])*)"/g;

/** The parts of a reply that are read. Every member is optional: we did not write that server. */
interface JsonReply {
  Status?: unknown;
  /** The answer was cut. */
  TC?: unknown;
  /** Recursion is available; without it an empty answer may be a referral. */
  RA?: unknown;
  Question?: unknown;
  Answer?: unknown;
}

/**
 * DNS for browsers: the TXT records of a domain, by resolvers that answer in JSON to a GET (option `dohUrls`). No
 * request is asked for in advance, since `accept` is the only header. What the records prove is judged as by
 * `DnsVerifier`. Sources: "JSON API" of Cloudflare's 1.1.1.1 and of Google Public DNS.
 */
export class DnsByJson {
  readonly platform = 'dns';

  constructor(
    private readonly web: Fetcher,
    private readonly options: DnsOptions = {},
  ) {}

  /** @throws InvalidRequestError (`invalid_identity`) for anything but a public domain name of at least two labels. */
  canonicalIdentity(text: string): string {
    return canonicalDomainName(text);
  }

  /** @throws PlatformUnavailableError if the resolvers disagree or could not be asked */
  async verify(claim: ProofClaim): Promise<Verdict> {
    const resolvers = (this.options.dohUrls ?? BROWSER_DOH_URLS).slice(0, MAX_RESOLVERS);
    const verdict = await verdictOfResolvers(
      resolvers.map((url) => (domain) => this.ask(url, domain)),
      claim,
    );
    const budget = new RequestBudget(MAX_CHAIN_REQUESTS, MAX_CHAIN_MS);
    const exchanges = resolvers.map((url) => (question: Uint8Array) => this.exchange(url, question, budget));
    const at = Math.floor(Date.now() / 1000);
    return withDnssecProof(verdict, claim, exchanges, { at, rootKeys: rootKeysOf(this.options) ?? [] });
  }

  /** By a GET (RFC 8484 4.1), which needs no request in advance. Resolvers of JSON alone give another type. */
  private async exchange(base: string, question: Uint8Array, budget: RequestBudget): Promise<Uint8Array> {
    const url = new URL(base);
    url.searchParams.set('dns', base64urlOf(question));
    const reply = await this.web.send({
      ...{ url: url.href, trust: 'operator', platform: this.platform, budget },
      headers: { accept: WIRE_FORMAT },
      maxBytes: MAX_REPLY_BYTES,
    });
    if (reply.status !== 200 || !isWireFormat(reply)) throw silent();
    return reply.body;
  }

  private async ask(base: string, domain: string): Promise<string[]> {
    const url = new URL(base);
    url.searchParams.set('name', domain);
    url.searchParams.set('type', 'TXT');
    const { status, json } = await this.web.sendJson<JsonReply>({
      url: url.href,
      trust: 'operator',
      platform: this.platform,
      headers: { accept: 'application/dns-json' },
      maxBytes: MAX_REPLY_BYTES,
    });
    if (status !== 200 || typeof json !== 'object' || json === null) throw silent();
    return textsIn(json, domain);
  }
}

/** The TXT records of `domain` in a reply; empty if the name or the record does not exist. */
function textsIn({ Status, TC, RA, Question, Answer = [] }: JsonReply, domain: string): string[] {
  const isAnswer = TC === false && asksFor(Question, domain) && Array.isArray(Answer) && Answer.length <= MAX_RECORDS;
  if (!isAnswer || (Status !== NO_ERROR && Status !== NAME_ERROR)) throw noAnswer();
  const texts = Status === NO_ERROR ? textsOf((Answer as unknown[]).flatMap(recordOf), domain) : [];
  if (texts.length === 0 && RA !== true) throw noAnswer();
  return texts;
}

/** Both resolvers answer a list with one question. */
function asksFor(question: unknown, domain: string): boolean {
  const [asked, ...others] = (Array.isArray(question) ? question : []) as ({ name?: unknown; type?: unknown } | null)[];
  return others.length === 0 && asked?.type === 16 && nameOf(asked.name)?.toLowerCase() === domain;
}

/** @throws PlatformUnavailableError if a member is missing: the record might be the one that is looked for */
function recordOf(record: unknown): AnswerRecord[] {
  const { name, type, data } = (record ?? {}) as { name?: unknown; type?: unknown; data?: unknown };
  const [owner, known] = [nameOf(name), TYPES.get(type)];
  if (owner === null || typeof type !== 'number' || typeof data !== 'string') throw noAnswer();
  if (known === undefined) return [];
  return [{ name: owner, type: known, data: known === 'TXT' ? textOf(data) : nameOf(data)! }];
}

/** A name without the dot at its end, which Google writes. */
function nameOf(name: unknown): string | null {
  return typeof name === 'string' ? name.replace(/\.$/, '') : null;
}

/** Cloudflare writes the strings of a record in quotes, Google its text as it is. */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data;
  return [...data.matchAll(QUOTED)].map((match) => unescaped(match[1]!)).join('');
}

/** `\DDD` is a byte by its decimal number, and `\X` the character X itself. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3}|[^])/g, (_all, what: string) =>
    what.length === 3 ? String.fromCharCode(Number(what)) : what,
  );
}

/** Base64url without padding (RFC 4648 5). */
function base64urlOf(bytes: Uint8Array): string {
  return encodeBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
