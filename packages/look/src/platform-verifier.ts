import type { AtprotoProof } from '@signet/verify/atproto';
import type { DnssecProof } from '@signet/verify/dnssec';
import type { AvatarKeyText, Curves, SignedChain } from '@signet/verify';
import type { HostRates } from './web/fetcher.js';

export { SIGNATURE_PLACEHOLDER } from '@signet/verify';

/** What a platform has signed of what was seen, for a third person. */
export type PlatformProof = AtprotoProof | DnssecProof;

/** What step 1 knows: the payload is written, nothing is signed yet. */
export interface ProofDraft {
  avatar: AvatarKeyText;
  /** Canonical identity. */
  identity: string;
  /** The exact text to sign. */
  signPayload: string;
  uuid: string;
  createdAt: Date;
  /** Base64 signature of the Avatar's previous link, or null for the first. */
  previous: string | null;
}

/** What step 2 (or a recheck) asserts and the platform has to confirm. */
export interface ProofClaim extends ProofDraft {
  /**
   * The identity as the caller wrote it at submit; absent in rechecks. It may say more than the canonical one: a wallet
   * named as `eip155:<chain>:<address>` is asked on that chain alone.
   */
  identityAsSent?: string | undefined;
  /** Canonical location of the post; `''` where the platform needs none. */
  proofLocation: string;
  /** The wallet's signature exactly as submitted in `extra.wallet_signature`; only for platforms of wallets. */
  walletSignature?: string | undefined;
  /** The chain that the payload names: a contract wallet is asked there alone, at no older block. */
  chain?: SignedChain | undefined;
  /** What the wallet signed, where that is more than `signPayload`, as submitted in `extra.wallet_message` (solana). */
  walletMessage?: string | undefined;
  /**
   * The platform's stable account id seen at the first acceptance. The caller compares it with that of each
   * later look; a verifier may use it earlier.
   */
  accountId?: string | undefined;
  /**
   * A later check of a proof that was accepted before. Where two sources are asked, one that still shows it is then
   * enough (dns).
   */
  isRecheck?: boolean | undefined;
  /**
   * Whether what the platform has signed is fetched also where that takes requests of its own (dns): at a create and at
   * a look, and not at each recheck.
   */
  withProof?: boolean | undefined;
  /**
   * `me`: the page need not hold the signature of the link, and names the key by `rel="me"` (`takesRelMe`), as
   * submitted in `extra.rel`.
   */
  rel?: 'me' | undefined;
  /** The libraries that check signatures; absent: those of `@signet/verify`, which run everywhere and are slower. */
  curves?: Curves | undefined;
}

/** Texts by language code (`zh_CN`); `default` is always there. Each holds `SIGNATURE_PLACEHOLDER` exactly once. */
export type PostContent = { default: string } & Record<string, string>;

/** What was seen at a successful check; kept so that a proof stays explicable after the platform is gone. */
export interface Evidence {
  /** The URL or record name that was read. Never holds a credential. */
  url: string;
  /** Lowercase hex SHA-256 of the bytes that were read. */
  sha256: string;
  /** The text in which the signature was found, cut to 4 KiB; `''` where a page names the key alone (`rel="me"`). */
  matchedText: string;
  /** What the platform has signed of it, which a third person can check; absent where it signs nothing. */
  proof?: PlatformProof;
}

/** The platform confirmed the claim. */
export interface ValidVerdict {
  valid: true;
  /** Standard Base64 of the Avatar's signature as found in the post; absent where the request has it. */
  signature?: string;
  /** The platform's stable account id, where it has one. */
  accountId?: string;
  /** Facts of the check that belong to the link for good, such as `{ chain_id, block_number }` of a contract wallet. */
  extra?: Record<string, string | number>;
  evidence?: Evidence;
  /**
   * The address of the page of this account as its own server writes it, character by character, where users choose
   * that server; otherwise the guide says it. At most 2,048 characters of printable ASCII.
   */
  profileUrl?: string;
}

/**
 * The platform said no: absent, not public, another author, no or a wrong signature. An ordinary answer, not an error.
 */
export interface InvalidVerdict {
  valid: false;
  /** One sentence for people: what was seen and what was expected. Echoes no remote body. */
  reason: string;
  /** What the platform has signed of that, such as that a record is not there; absent where it signs nothing. */
  proof?: PlatformProof;
}

/** What a platform says of a claim: it bears it out, by a signature that was found, or it does not, for a reason. */
export type Verdict = ValidVerdict | InvalidVerdict;

/**
 * Guidance for a person and for client programs, answered by `GET /v1/platforms`. All that a client shows about a
 * platform comes from here. Addresses are templates, which `fillAddress` of `@signet/sdk` fills: `{identity}`, and
 * `{user}` and `{host}` for what stands before and behind its last `@`; `{location}`, the canonical proof_location;
 * `{text}`, what is published; `{avatar}`, the compressed key.
 */
export interface PlatformGuide {
  /** The name by which people know the platform, such as `GitHub`. */
  label: string;
  /** Addresses that profiles have, with `{identity}`; the first is the one to link. Absent: no such page is known. */
  profileUrls?: string[];
  /** The page that shows the post behind a binding. Absent: the location itself, where that is an address. */
  postUrl?: string;
  /** The page on which a person publishes, with `{text}` where it takes one. Absent: there is none. */
  composeUrl?: string;
  /** The name that a file with the text must have, with `{avatar}`. Absent where no file is published. */
  fileName?: string;
  /** A regular expression (text) that canonical identities match. */
  identityPattern: string;
  identityExample: string;
  /** Forms of proof_location that are accepted, by example; empty where none is needed. */
  locationForms: string[];
  /** Steps for a person, in order, English. */
  steps: string[];
}

/** What the checks of a platform cost, and what each of its hosts allows. */
export interface PlatformCosts {
  /** Requests that each host allows this server. */
  rates: HostRates;
  /** Whether requests carry a credential of the operator; absent: they do not. */
  hasToken?: boolean;
  /** Whether the operator pays for each post that a check reads; absent: no. */
  isPaid?: boolean;
  /** Requests to one host that a check takes as a rule; absent: one. */
  requestsPerCheck?: number;
  /** Checks that share one request, above one where `verifyMany` asks for many at once; absent: one. */
  checksPerRequest?: number;
  /** The host that is asked about `identity`, where users choose it: each such host has a budget of its own. */
  hostOf?(identity: string): string;
}

/** An account that was found by a name which can go over to another one. */
export interface FoundAccount {
  /** Canonical identity, which stays. */
  identity: string;
  /** The name that leads to the account, and that the account bears where it can say so; `''` where there is none. */
  name: string;
}

/**
 * One platform: how its posts are written, found and read. A verifier knows no controller, no status code and no table:
 * it gets a claim and answers with a verdict.
 */
export interface PlatformVerifier {
  /** The platform value of the contract, such as `github`. */
  readonly platform: string;
  /**
   * `post`: something public at proof_location; `record`: public, found by identity; `nothing`: a wallet signs, nothing
   * is published.
   */
  readonly publishes: 'post' | 'record' | 'nothing';
  readonly guide: PlatformGuide;
  /** Whether a page that names the key by `rel="me"`, and holds no signature, bears out a claim that says so. */
  readonly takesRelMe?: boolean;
  /** Absent where checks send no request. */
  readonly costs?: PlatformCosts;
  /**
   * Whether checks may send requests with the settings that there are; absent: those of wallets send none, and those of
   * everything else do.
   */
  readonly asksOthers?: boolean;
  /**
   * The options that name the servers which are asked, each with the path behind the origin, in a list where the option
   * is one; so that tests and the demo can lead all of them to a server of their own.
   */
  readonly addresses?: Readonly<Record<string, string | string[]>>;

  /**
   * The one form of an identity that is signed, stored and compared. Forgiving towards pasted forms (`@name`, profile
   * URLs).
   * @throws InvalidRequestError (`invalid_identity`) if the platform could not have this identity.
   */
  canonicalIdentity(text: string): string;

  /**
   * For queries: the canonical form, or null if the platform could not have it. Absent: `canonicalIdentity`, with null
   * for what it refuses. Given where a query is checked less strictly than a claim (ethereum asks no checksum of a
   * query).
   */
  findIdentity?(text: string): string | null;

  /**
   * The account behind a name of the present, or the name of an account, where identities are not what people call
   * accounts. Asks, by few requests.
   * @returns null where the name leads to no account that bears it
   * @throws InvalidRequestError (`invalid_identity`) for what is neither; PlatformUnavailableError if it could not be
   *   asked
   */
  findAccount?(name: string): Promise<FoundAccount | null>;

  /** The chain that an identity as written names (EIP-155 id), where one identity can be of several chains; or null. */
  chainOf?(text: string): number | null;

  /**
   * The chain of that id with its newest block, for the payload of a contract wallet.
   * @throws InvalidRequestError (`unknown_chain`) for a chain that this server does not ask;
   *   PlatformUnavailableError or PlatformMisconfiguredError if it could not be asked.
   */
  newestBlock?(chainId: number): Promise<SignedChain>;

  /**
   * Reduces a pasted location to the canonical id that is stored and answered. Only where `publishes` is `post`. Makes
   * no network call, except through a guarded resolution that the verifier documents.
   * @throws InvalidRequestError (`invalid_proof_location`) if it cannot be a location on this platform.
   */
  canonicalLocation?(text: string, identity: string): string | Promise<string>;

  /** The texts to publish, for a create. */
  postContent(draft: ProofDraft): PostContent;

  /**
   * Asks the platform. Called for creates and rechecks, never for deletes.
   * @throws PlatformUnavailableError if it could not be asked, PlatformMisconfiguredError if this server lacks a
   *   setting.
   */
  verify(claim: ProofClaim): Promise<Verdict>;

  /**
   * Checks many claims in few requests, for rechecks; absent where the platform has no such call. The answers are in
   * the order of the claims. An Error stands for a claim of which nothing is known: what `verify` would have thrown.
   */
  verifyMany?(claims: ProofClaim[]): Promise<(Verdict | Error)[]>;

  /** What the operator has to set before a create can work here, in one sentence; null or absent when all is there. */
  missingSetting?(): string | null;

  /**
   * What has to be set before this very claim, which was accepted elsewhere, can be looked at, in one sentence; null or
   * absent when all is there. Given where a claim that cannot be asked about looks like one that is refused.
   */
  missingFor?(claim: ProofClaim): string | null;
}

/** Whether identities on this platform are wallets: the wallet signs the payload itself, and nothing is published. */
export function isWallet(verifier: Pick<PlatformVerifier, 'publishes'>): boolean {
  return verifier.publishes === 'nothing';
}

/** The negative verdict. */
export function invalid(reason: string): InvalidVerdict {
  return { valid: false, reason };
}
