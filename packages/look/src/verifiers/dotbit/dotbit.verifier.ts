import { NAME_PATTERNS } from '@signet/verify/names';
import { type DotbitOptions, type Filled, filled } from '../../options/options.js';
import { PlatformUnavailableError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import { RequestBudget, type WebRequest } from '../../web/web-request.js';
import { canonicalDotbitName } from './dotbit-name.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { invalid, SIGNATURE_PLACEHOLDER } from '../../platform-verifier.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';

/** Codes in the body; the HTTP status is 200 for errors too (das-lib http_api/code.go). All others prove nothing. */
const OK = 0;
const BAD_NAME = 20006;
const NO_ACCOUNT = 20007;
const LOCKED_ACCOUNT = 20008; // on another chain, or locked there: it resolves to nothing

/** What a custom key may not hold (the chain allows `custom_key.[0-9a-z_]+`); a service name may hold `-`. */
const NOT_IN_CUSTOM_KEY = /[^0-9a-z_]/g;
const MAX_RECORDS = 20; // several proofs may stand under one key
const ASK_MS = 4000; // so that the next server can be asked in time
const MAX_REQUESTS = 16;
const ALL_MS = 20_000;

/** Servers write `err_no`, the SDK reads `errno`. Every field is optional: we did not write that server. */
interface Reply<T> {
  err_no?: number;
  errno?: number;
  data?: T | null;
}

interface RecordList {
  records?: (BitRecord | null)[] | null;
}

/** Indexers write `custom_key.self` as key; the register API splits it into `type` and `key`. */
interface BitRecord {
  key?: string;
  type?: string;
  value?: string;
}

interface ServerInfo {
  is_latest_block_number?: boolean;
}

/**
 * dotbit: a record `custom_key.<service name>` of a .bit name with the value `<0x and compressed key hex>:<Base64>`.
 * People can make no other one: the chain has a list of keys, and beyond it only custom ones are allowed (das-register,
 * http_server/handle/edit_records.go). `profile.<service name>`, which the contract speaks of, counts as well.
 * Indexers are asked in the order of the settings, then the register API. What an indexer does not show counts as
 * absent only while it is up to date. Source: dotbitHQ/das-account-indexer, API.md.
 */
export class DotbitVerifier implements PlatformVerifier {
  readonly platform = 'dotbit';
  readonly publishes = 'record';
  readonly addresses = { indexers: [''], registerApi: '' };
  /** No limit is published. A record and the state of the indexer are asked for. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 10, seconds: 1 } }, requestsPerCheck: 2 };
  readonly guide: PlatformGuide;
  /** The key of the record that people make, and the names under which it counts. */
  private readonly customKey: string;
  private readonly recordNames: [custom: string, profile: string];

  private readonly options: Filled<'dotbit'>;

  constructor(
    private readonly web: Fetcher,
    options: DotbitOptions = {},
  ) {
    this.options = filled('dotbit', options);
    const recordKey = this.options.recordKey ?? this.options.serviceName;
    this.customKey = recordKey.replace(NOT_IN_CUSTOM_KEY, '_');
    this.recordNames = [`custom_key.${this.customKey}`, `profile.${recordKey}`];
    this.guide = {
      label: '.bit',
      composeUrl: 'https://d.id/',
      identityPattern: NAME_PATTERNS.dotbit,
      identityExample: 'alice.bit',
      locationForms: [],
      steps: [
        'Ask for a payload with your .bit name as identity, and sign sign_payload with your Avatar key.',
        'Put the Base64 signature in place of %SIG_BASE64% in post_content.default.',
        `In the records of your name, add a custom record with the key ${this.customKey} and this text as its value.`,
        'When the change is on the chain, wait a few minutes until the indexers show it.',
        'Submit the proof without proof_location, and keep the record as long as the proof shall stay valid.',
      ],
    };
  }

  /** @throws InvalidRequestError (`invalid_identity`) for anything but a name that ends in `.bit`. */
  canonicalIdentity(text: string): string {
    return canonicalDotbitName(text);
  }

  postContent({ avatar }: ProofDraft): PostContent {
    return { default: `${avatar.compressed}:${SIGNATURE_PLACEHOLDER}` };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const { indexers, registerApi } = this.options;
    const budget = new RequestBudget(MAX_REQUESTS, ALL_MS);
    for (const base of indexers) {
      try {
        return await this.askIndexer(base, claim, budget);
      } catch (error) {
        if (!(error instanceof PlatformUnavailableError)) throw error;
      }
    }
    return this.askRegister(registerApi, claim, budget);
  }

  private async askIndexer(base: string, claim: ProofClaim, budget: RequestBudget): Promise<Verdict> {
    const verdict = this.judge(
      await this.post<RecordList>(base, '/v2/account/records', { account: claim.identity }, budget),
      claim,
    );
    if (verdict.valid) return verdict;
    const info = await this.post<ServerInfo>(base, '/v1/server/info', {}, budget);
    if (info.data?.is_latest_block_number === true) return verdict;
    throw new PlatformUnavailableError(
      'The .bit indexer is behind the chain, so a record may be missing there; try again later.',
    );
  }

  /** The register API answers with an empty list for names that do not exist, and does not say how current it is. */
  private async askRegister(base: string, claim: ProofClaim, budget: RequestBudget): Promise<Verdict> {
    return this.judge(
      await this.post<RecordList>(base, '/v1/account/records', { account: claim.identity }, budget),
      claim,
      { isSplit: true },
    );
  }

  private async post<T>(base: string, path: string, question: object, budget: RequestBudget): Promise<Reply<T>> {
    const request: WebRequest = {
      url: base.replace(/\/$/, '') + path,
      trust: 'operator',
      platform: this.platform,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      timeoutMs: Math.min(ASK_MS, this.options.timeoutMs),
      budget,
    };
    const { status, json } = await this.web.sendJson<Reply<T>>(request);
    if (status !== 200 || !json) throw noAnswer();
    return json;
  }

  /** `isSplit`: the answer is of the register API, which writes the type of a record beside its key. */
  private judge(reply: Reply<RecordList>, claim: ProofClaim, { isSplit = false } = {}): Verdict {
    const code = reply.err_no ?? reply.errno;
    if (code === NO_ACCOUNT) return invalid(`There is no name ${claim.identity}.`);
    if (code === LOCKED_ACCOUNT)
      return invalid(`The name ${claim.identity} is locked or on another chain, so it has no records.`);
    if (code === BAD_NAME) return invalid(`The .bit indexer says that ${claim.identity} cannot be a name.`);
    if (code !== OK) throw noAnswer();
    const records = reply.data?.records === null ? [] : reply.data?.records; // Go writes an empty list as null
    if (!Array.isArray(records)) throw noAnswer();
    const [custom, profile] = this.recordNames;
    let refused: Verdict | null = null;
    for (const { name, value } of this.recordsFor(claim, records)) {
      const seen = { url: `${claim.identity} ${name}`, body: new TextEncoder().encode(value) };
      const verdict = checkPostedSignature(bare(value), claim, seen);
      if (verdict.valid) return verdict;
      refused ??= verdict;
    }
    if (records.some((record) => !isWhole(record, isSplit))) throw noAnswer();
    return (
      refused ?? invalid(`The name ${claim.identity} has no record ${custom} (or ${profile}) for this Avatar key.`)
    );
  }

  /** The records of our key whose value names the Avatar before its first colon. */
  private recordsFor({ avatar }: ProofClaim, records: (BitRecord | null)[]): { name: string; value: string }[] {
    const found = records.flatMap((record) => {
      const { key, type, value } = record ?? {};
      if (typeof key !== 'string' || typeof value !== 'string') return [];
      const name = (typeof type === 'string' && type !== '' ? `${type}.${key}` : key).toLowerCase();
      const [hex = '', rest] = bare(value).toLowerCase().split(':', 2);
      const isForAvatar = rest !== undefined && hex.replace(/^0x/, '') === avatar.compressed.slice(2);
      return this.recordNames.includes(name) && isForAvatar ? [{ name, value }] : [];
    });
    return found.slice(0, MAX_RECORDS);
  }
}

/** Whether a record has what tells whether it is the one that is looked for. */
function isWhole(record: BitRecord | null, isSplit: boolean): boolean {
  const { key, type, value } = record ?? {};
  const hasType = typeof type === 'string' || (type === undefined && (!isSplit || String(key).includes('.')));
  return typeof key === 'string' && typeof value === 'string' && hasType;
}

/** Without the blanks and quotes that people paste along. */
function bare(value: string): string {
  return value.replace(/[\s"'`“”‘’]/g, '');
}

function noAnswer(): PlatformUnavailableError {
  return new PlatformUnavailableError('No .bit indexer gave a usable answer; try again later.');
}
