import { encodeBase64, firstFailure } from '@signet/verify';
import {
  type AtprotoProof,
  type AtprotoVerification,
  MAX_CAR_BYTES,
  type PlcEntry,
  type RecordPlace,
  verifyAtprotoProof,
  verifyPlcOperations,
} from '@signet/verify/atproto';
import type { Filled } from '../../options/options.js';
import { type Fetcher, type JsonReply, RequestBudget, type WebRequest } from '../../web/fetcher.js';
import { jsonReplyTo } from '../../web/json-reader.js';
import { unusableAnswer } from '../../web/unusable-answer.js';

/** Operations of an account have some 700 bytes each. */
const MAX_OPERATIONS_BYTES = 128 * 1024;
const MAX_JSON_BYTES = 64 * 1024;
/** Errors of `com.atproto.sync.getRecord` by which a server says that an account or a record is not there. */
const ABSENT: Record<string, string> = {
  RecordNotFound: 'There is no such post or profile.',
  RepoNotFound: 'The server of this account does not know it.',
  RepoTakendown: 'The server of this account has taken it down.',
  RepoSuspended: 'The server of this account has suspended it.',
  RepoDeactivated: 'This account is deactivated.',
};

/** What a repository shows, with the proof of it; or why nothing is there, by the word of the server. */
export type SeenRecord = { car: Uint8Array; proof: AtprotoProof; verified: AtprotoVerification } | { reason: string };

/** What the DID of an account says of it. */
interface Account {
  /** Origin of the account's server; null where it has none any more. */
  server: string | null;
  /** The handle that the account claims; null where it claims none. */
  handle: string | null;
  operations: PlcEntry[] | null;
}

/** A service of a DID document. Every member is optional: we did not write that host. */
interface DidDocument {
  id?: unknown;
  service?: { id?: unknown; serviceEndpoint?: unknown }[];
  alsoKnownAs?: unknown;
}

/** Reads one record from the server of its account, with the proof that outlives both. */
export class BlueskyRepository {
  constructor(
    private readonly web: Fetcher,
    private readonly options: Pick<Filled<'bluesky'>, 'directory'>,
    private readonly budget = new RequestBudget(),
  ) {}

  /** @throws PlatformUnavailableError where nothing is known, or what was answered does not verify */
  async read(place: RecordPlace): Promise<SeenRecord> {
    const account = await this.accountOf(place.did);
    if ('reason' in account) return account;
    if (account.server === null) return { reason: 'This account has no server any more.' };
    const query = new URLSearchParams({ ...place });
    const url = `${account.server}/xrpc/com.atproto.sync.getRecord?${query}`;
    const headers = { accept: 'application/vnd.ipld.car' };
    const request = { ...this.toUserHost(url), headers, maxBytes: MAX_CAR_BYTES };
    const reply = await this.web.send(request);
    if (reply.status !== 200) return { reason: reasonIn(jsonReplyTo<{ error?: unknown }>(request, reply)) };
    const proof = { type: 'atproto', car: encodeBase64(reply.body), operations: account.operations } as const;
    const verified = await verifyAtprotoProof(proof, place);
    if (firstFailure(verified)) throw unusableAnswer('The server of this account');
    return { car: reply.body, proof, verified };
  }

  /** @throws PlatformUnavailableError where nothing is known, or what was answered does not verify */
  accountOf(did: string): Promise<Account | { reason: string }> {
    return did.startsWith('did:plc:') ? this.byOperations(did) : this.byHost(did);
  }

  private async byOperations(did: string): Promise<Account | { reason: string }> {
    const { status, json } = await this.web.sendJson<PlcEntry[]>({
      url: `${this.options.directory.replace(/\/$/, '')}/${did}/log/audit`,
      trust: 'operator',
      platform: 'bluesky',
      budget: this.budget,
      maxBytes: MAX_OPERATIONS_BYTES,
    });
    if (status === 404 && isObject(json)) return { reason: 'There is no account with this DID.' };
    if (status !== 200 || !Array.isArray(json)) throw unusableAnswer('The directory of did:plc');
    const { ok, account } = await verifyPlcOperations(did, json);
    if (!ok || !account) throw unusableAnswer('The directory of did:plc');
    return { server: originOf(account.server), handle: account.handle, operations: json };
  }

  private async byHost(did: string): Promise<Account> {
    const url = `https://${did.slice('did:web:'.length)}/.well-known/did.json`;
    const request = { ...this.toUserHost(url), maxBytes: MAX_JSON_BYTES, isJsonOfAnyType: true };
    const { status, json } = await this.web.sendJson<DidDocument>(request);
    if (status !== 200 || json?.id !== did || !Array.isArray(json.service))
      throw unusableAnswer('The host of this DID');
    const own = json.service.find((service) => ['#atproto_pds', `${did}#atproto_pds`].includes(String(service?.id)));
    return { server: originOf(own?.serviceEndpoint), handle: claimedIn(json.alsoKnownAs), operations: null };
  }

  private toUserHost(url: string): WebRequest {
    return { url, trust: 'user', platform: 'bluesky', budget: this.budget };
  }
}

/** @throws PlatformUnavailableError if this is no error of the protocol that says "not there" */
function reasonIn({ json }: JsonReply<{ error?: unknown }>): string {
  const error = json?.error;
  if (typeof error === 'string' && Object.hasOwn(ABSENT, error)) return ABSENT[error]!;
  throw unusableAnswer('The server of this account');
}

/** The handle of a DID document: the first of its names that is one. */
function claimedIn(names: unknown): string | null {
  const first = (Array.isArray(names) ? (names as unknown[]) : []).find(
    (name): name is string => typeof name === 'string' && name.startsWith('at://'),
  );
  return first?.slice('at://'.length) ?? null;
}

/** The origin of a server as an account names it: https alone; null for anything else. */
function originOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' ? origin : null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
