import { cleanPasted } from '@signet/verify/internal';
import { canonicalForm, NAME_PATTERNS } from '@signet/verify/names';
import { InvalidRequestError } from '../../errors.js';
import type { HostOptions } from '../../options/options.js';
import {
  invalid,
  type InvalidVerdict,
  type PlatformCosts,
  type PlatformGuide,
  type PlatformVerifier,
  type PostContent,
  type ProofClaim,
  type ProofDraft,
  SIGNATURE_PLACEHOLDER,
  type Verdict,
} from '../../platform-verifier.js';
import { textOfHtml } from '../../posts/html-text.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';
import { checkPostedSignature } from '../../posts/posted-signature.js';
import { withoutQuotedLines } from '../../posts/quoted-lines.js';
import { type Fetcher, type JsonReply, RequestBudget, type WebRequest } from '../../web/fetcher.js';
import { unusableAnswer } from '../../web/unusable-answer.js';
import { isOrdinaryName } from '../../web/url-guard.js';
import { type AskedAccount, type DescribedText, type JsonPath, valuesAt } from './described-text.js';

/** Answers about accounts have some KiB; those of the most active ones list all that they wrote. */
const MAX_BYTES = 1024 * 1024;

/** Reads one text of an account, or of a project of it, as a description says. */
class DescribedVerifier implements PlatformVerifier {
  readonly platform: string;
  readonly publishes: 'record' | 'post';
  readonly guide: PlatformGuide;
  readonly costs: PlatformCosts;
  readonly addresses?: { base: string };
  readonly canonicalLocation?: (text: string, identity: string) => string;

  constructor(
    private readonly described: DescribedText,
    private readonly web: Fetcher,
    private readonly options: HostOptions = {},
  ) {
    const { base, confirm, guide, platform, publishes, rates } = described;
    this.platform = platform;
    this.publishes = publishes;
    this.guide = { identityPattern: NAME_PATTERNS[platform as keyof typeof NAME_PATTERNS], ...guide };
    this.costs = {
      rates: { plain: rates },
      ...(confirm && { requestsPerCheck: 2 }),
      ...(base === undefined && { hostOf: (identity: string) => accountOf(described, identity).host! }),
    };
    if (base !== undefined) this.addresses = { base: '' };
    if (described.locationIn) this.canonicalLocation = (text, identity) => this.locationOf(text, identity);
  }

  /** Takes the address of the account's page, too. */
  canonicalIdentity(text: string): string {
    const pasted = cleanPasted(text);
    const url = /[/?]/.test(pasted) ? parsePastedUrl(pasted) : null;
    const written = (url && this.described.nameIn(url, pasted)) ?? pasted;
    const name = this.nameOf(decoded(written));
    const host = name === null ? undefined : accountOf(this.described, name).host;
    if (name !== null && (host === undefined || isOrdinaryName(host))) return name;
    const { identityExample, label } = this.guide;
    throw new InvalidRequestError(
      `Not an account of ${label}: expected a name such as ${identityExample}.`,
      'invalid_identity',
    );
  }

  postContent({ avatar }: ProofDraft): PostContent {
    return { default: `This account belongs to the Avatar key ${avatar.compressed}. Sig: ${SIGNATURE_PLACEHOLDER}` };
  }

  async verify(claim: ProofClaim): Promise<Verdict> {
    const account = { ...accountOf(this.described, claim.identity), location: claim.proofLocation };
    const budget = new RequestBudget();
    const path = this.described.path(account);
    const url = this.addressOf(account, path);
    const { accept = 'application/json' } = this.described;
    const reply = await this.web.sendJson<unknown>({ ...this.request(url, budget), headers: { accept } });
    const answer = this.read(reply);
    if ('valid' in answer) return answer;
    const refusal = this.judge(answer.json, claim) ?? (await this.confirm(account, budget));
    if (refusal) return refusal;
    // The platform's own address: that of the operator may hold a secret.
    const shown = (this.described.base ?? `https://${account.host}`) + path;
    return this.checkTexts(answer.json, claim, { url: shown, body: reply.body });
  }

  private nameOf(text: string): string | null {
    return canonicalForm(this.platform, text, this.guide.identityPattern);
  }

  private locationOf(text: string, identity: string): string {
    const location = this.described.locationIn!(cleanPasted(text), {
      ...accountOf(this.described, identity),
      location: '',
    });
    if (location !== null) return location;
    throw new InvalidRequestError(
      `Not a project of this account on ${this.guide.label}: expected its name or its address.`,
      'invalid_proof_location',
    );
  }

  private addressOf({ host }: AskedAccount, path: string): string {
    const base = host === undefined ? (this.options.base ?? this.described.base!) : `https://${host}`;
    return base.replace(/\/$/, '') + path;
  }

  private request(url: string, budget: RequestBudget): WebRequest {
    const trust = this.described.base === undefined ? 'user' : 'operator';
    return { url, trust, platform: this.platform, budget, maxBytes: MAX_BYTES };
  }

  /** @throws PlatformUnavailableError for what is neither an answer nor the API's own "not there" */
  private read({ status, json, isJson }: JsonReply<unknown>): { json: object } | InvalidVerdict {
    const { absent, isNullAbsent = false } = this.described;
    if (isJson && (absent.includes(status) || (status === 200 && json === null && isNullAbsent))) {
      return invalid(`There is no such account${this.publishes === 'post' ? ' or project' : ''}.`);
    }
    if (status !== 200 || typeof json !== 'object' || json === null) throw this.unusable();
    return { json };
  }

  /** What speaks against an answer: another account, or what the description refuses. */
  private judge(json: object, { identity }: ProofClaim): InvalidVerdict | null {
    const [name] = this.valuesAt(json, this.described.name);
    if (typeof name !== 'string') throw this.unusable();
    const { host } = accountOf(this.described, identity);
    if (this.nameOf(host === undefined ? name : `${name}@${host}`) !== identity) {
      return invalid(`The answer is about another account than "${identity}".`);
    }
    let refusal: string | null;
    try {
      refusal = this.described.refuse?.(json) ?? null;
    } catch {
      throw this.unusable();
    }
    return refusal === null ? null : invalid(refusal);
  }

  private async confirm(account: AskedAccount, budget: RequestBudget): Promise<InvalidVerdict | null> {
    const { confirm } = this.described;
    if (!confirm) return null;
    const body = confirm.body?.(account);
    const { status, isJson, json } = await this.web.sendJson<unknown>({
      ...this.request(this.addressOf(account, confirm.path(account)), budget),
      ...(body !== undefined && {
        method: 'POST' as const,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const refusal = confirm.read(status, isJson, json);
    if (refusal === undefined) throw this.unusable();
    return refusal === null ? null : invalid(refusal);
  }

  private checkTexts(json: object, claim: ProofClaim, seen: { url: string; body: Uint8Array }): Verdict {
    const { id, format } = this.described;
    const accountId = this.valuesAt(json, id)[0];
    const isUsable = (typeof accountId === 'string' && accountId !== '') || Number.isSafeInteger(accountId);
    if (!isUsable) throw this.unusable();
    const written = this.textsIn(json);
    const text = withoutQuotedLines((format === 'html' ? written.map(textOfHtml) : written).join('\n'));
    if (text.trim() === '') return invalid('The account shows no text there.');
    const verdict = checkPostedSignature(text, claim, { ...seen, accountId: String(accountId) });
    const page = this.described.page?.(accountOf(this.described, claim.identity));
    return verdict.valid && page !== undefined ? { ...verdict, profileUrl: page } : verdict;
  }

  /** @throws PlatformUnavailableError where something else stands than a text, or the sign that there is none */
  private textsIn(json: object): string[] {
    const { texts, noText } = this.described;
    return texts.flatMap((path) =>
      this.valuesAt(json, path).flatMap((one) => {
        if (typeof one === 'string') return [one];
        if (one === null ? noText !== undefined : one === undefined && noText === 'absent') return [];
        throw this.unusable();
      }),
    );
  }

  private valuesAt(json: object, path: JsonPath): unknown[] {
    try {
      return valuesAt(json, path);
    } catch {
      throw this.unusable();
    }
  }

  private unusable() {
    return unusableAnswer(this.guide.label);
  }
}

/** The parts of a canonical identity. */
function accountOf({ base }: DescribedText, identity: string): AskedAccount {
  const at = base === undefined ? identity.lastIndexOf('@') : identity.length;
  return { user: identity.slice(0, at), host: base === undefined ? identity.slice(at + 1) : undefined, location: '' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The class of a verifier that reads as `described` says, for the list of all. */
export function verifierFor(described: DescribedText): new (web: Fetcher, options?: HostOptions) => PlatformVerifier {
  return class extends DescribedVerifier {
    constructor(web: Fetcher, options?: HostOptions) {
      super(described, web, options);
    }
  };
}
