/**
 * The operations of a did:plc, as `https://plc.directory/<did>/log/audit` answers them: which key, server and handle an
 * account has, without the word of that directory (did:plc, version 0.1). Its word are the times alone.
 */
import * as CBOR from '@atcute/cbor';
import * as CID from '@atcute/cid';
import { type FoundPublicKey, parseDidKey, verifySig } from '@atcute/crypto';
import { fromBase64Url, toBase32, toBase64Url } from '@atcute/multibase';
import { isObject } from '../text/signed-text.js';
import { show } from '../steps.js';
import { AtprotoError } from './atproto-error.js';

/** One entry of the list. */
export interface PlcEntry {
  did: string;
  /** A `plc_operation`, `plc_tombstone` or `create` (of the first year) with `sig`. */
  operation: Record<string, unknown>;
  /** The CID of the signed operation. */
  cid: string;
  /** Whether an operation of a higher rotation key, within 72 hours, took its place. */
  nullified: boolean;
  /** RFC 3339, by the clock of the directory. */
  createdAt: string;
}

/** What an account is by its newest operation that was not nullified. */
export interface PlcAccount {
  /** `did:key:…` that signs the repository; null where none is named, or the DID was ended. */
  signingKey: string | null;
  /** The handle that the account claims; whether its domain names the DID as well is not known here. */
  handle: string | null;
  /** The address of the account's server. */
  server: string | null;
  /** UNIX seconds: when the newest operation was taken, by the clock of the directory. */
  since: number;
}

/** An operation whose place in the tree of operations is known. */
interface Placed {
  cid: string;
  /** UNIX milliseconds. */
  at: number;
  /** The rotation keys that may still sign what follows: those above the key that signed what follows already. */
  mayFollow: string[];
  child: Placed | null;
  isNullified: boolean;
  operation: Record<string, unknown>;
}

/** More operations than accounts have; each costs a signature. */
const MAX_OPERATIONS = 100;
/** More than the five that the method allows. */
const MAX_ROTATION_KEYS = 10;
const MAX_DID_KEY_CHARS = 100;
const RECOVERY_MS = 72 * 3600 * 1000;
const DID_PLC = /^did:plc:[a-z2-7]{24}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The members of each type beside `type`, `prev` and `sig`. */
const MEMBERS: Record<string, Record<string, (value: unknown) => boolean>> = {
  plc_operation: {
    rotationKeys: isListOfTexts,
    verificationMethods: (value) => isObject(value) && Object.values(value).every(isText),
    alsoKnownAs: isListOfTexts,
    services: (value) => isObject(value) && Object.values(value).every(isService),
  },
  plc_tombstone: {},
  create: { signingKey: isText, recoveryKey: isText, handle: isText, service: isText },
};

/** Whether a text is a did:plc. */
export function isPlc(did: string): boolean {
  return DID_PLC.test(did);
}

/**
 * The account of a did:plc by its operations, oldest first, with those that were nullified or without.
 * @throws AtprotoError with one sentence that names the entry which is wrong
 */
export async function readPlcOperations(did: string, entries: readonly PlcEntry[]): Promise<PlcAccount> {
  if (!isPlc(did)) throw new AtprotoError(`${show(did)} is not a did:plc.`);
  if (!isList(entries) || entries.length === 0) throw new AtprotoError('There are no operations.');
  if (entries.length > MAX_OPERATIONS) throw new AtprotoError(`There are more than ${MAX_OPERATIONS} operations.`);
  const placed = new Map<string, Placed>();
  let head: Placed | null = null;
  for (const [place, entry] of entries.entries()) {
    try {
      head = await placeOperation(did, entry, placed, head);
    } catch (error) {
      throw new AtprotoError(`Operation ${place + 1}: ${reasonOf(error)}`);
    }
  }
  const wrong = entries.findIndex(({ cid, nullified }) => placed.get(cid)!.isNullified !== nullified);
  if (wrong >= 0) throw new AtprotoError(`Operation ${wrong + 1}: it is wrong whether it was nullified.`);
  return accountOf(head!);
}

async function placeOperation(
  did: string,
  entry: PlcEntry,
  placed: Map<string, Placed>,
  head: Placed | null,
): Promise<Placed> {
  const { operation, at } = readEntry(did, entry);
  const { sig, ...unsigned } = operation;
  const cid = CID.toString(await CID.create(CID.CODEC_DCBOR, CBOR.encode(operation)));
  if (cid !== entry.cid) throw new AtprotoError('it is not the one that its CID names.');
  const previous = previousOf(operation, placed, head);
  if (!previous && (await didOf(operation)) !== did) throw new AtprotoError('it is not the one that gives this DID.');
  const keys = previous ? previous.mayFollow : rotationKeysOf(operation);
  const rank = await rankOfSigner(keys, sig as string, CBOR.encode(unsigned));
  if (rank < 0) throw new AtprotoError('no rotation key that may sign it has signed it.');
  const own = { cid, at, mayFollow: rotationKeysOf(operation), child: null, isNullified: false, operation };
  if (previous && head) follow(previous, head, own, rank);
  placed.set(cid, own);
  return own;
}

/** Puts an operation behind the one that it names; where another one is there, that and all behind it are nullified. */
function follow(previous: Placed, head: Placed, own: Placed, rank: number): void {
  if (previous.isNullified) throw new AtprotoError('it follows one that was nullified.');
  if (own.at <= head.at) throw new AtprotoError('it is not later than the one before.');
  if (previous.child && own.at - previous.child.at > RECOVERY_MS) {
    throw new AtprotoError('it nullifies one that was made more than 72 hours before.');
  }
  for (let later = previous.child; later; later = later.child) later.isNullified = true;
  previous.child = own;
  previous.mayFollow = previous.mayFollow.slice(0, rank);
}

function readEntry(did: string, entry: unknown): { operation: Record<string, unknown>; at: number } {
  if (!isObject(entry) || !isObject(entry['operation'])) throw new AtprotoError('it is not an entry.');
  const { operation, createdAt } = entry;
  if (entry['did'] !== did) throw new AtprotoError('it is of another DID.');
  const members = MEMBERS[String(operation['type'])];
  const names = Object.keys(members ?? {});
  const isWhole =
    members !== undefined &&
    names.every((name) => members[name]!(operation[name])) &&
    Object.keys(operation).every((name) => names.includes(name) || ['type', 'prev', 'sig'].includes(name)) &&
    (operation['prev'] === null || isText(operation['prev'])) &&
    isText(operation['sig']);
  if (!isWhole) throw new AtprotoError('it is not an operation of did:plc.');
  if (!isText(createdAt) || !RFC_3339.test(createdAt)) throw new AtprotoError('it has no time.');
  return { operation, at: Date.parse(createdAt) };
}

function previousOf(
  { prev, type }: Record<string, unknown>,
  placed: Map<string, Placed>,
  head: Placed | null,
): Placed | null {
  if (!head && prev === null && type !== 'plc_tombstone') return null;
  const previous = placed.get(prev as string);
  if (!previous) throw new AtprotoError('the one that it follows is not there.');
  return previous;
}

async function didOf(operation: Record<string, unknown>): Promise<string> {
  const { digest } = await CID.create(CID.CODEC_DCBOR, CBOR.encode(operation));
  return `did:plc:${toBase32(digest.contents).slice(0, 24)}`;
}

function rotationKeysOf(operation: Record<string, unknown>): string[] {
  if (operation['type'] === 'create') return [operation['recoveryKey'] as string, operation['signingKey'] as string];
  return ((operation['rotationKeys'] as string[] | undefined) ?? []).slice(0, MAX_ROTATION_KEYS);
}

/** The place of the key in the list that made a signature (64 bytes, low s, Base64url without padding); or -1. */
async function rankOfSigner(keys: string[], sig: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const signature = fromBase64Url(sig);
  if (signature.length !== 64 || toBase64Url(signature) !== sig) throw new AtprotoError('its signature is none.');
  for (const [rank, key] of keys.entries()) {
    if (await verifySig(readDidKey(key), signature, bytes)) return rank;
  }
  return -1;
}

/** @throws AtprotoError if the text is not a did:key of secp256k1 or P-256 */
export function readDidKey(key: string): FoundPublicKey {
  try {
    if (key.length <= MAX_DID_KEY_CHARS) return parseDidKey(key);
  } catch {
    // Said below.
  }
  throw new AtprotoError(`${show(key)} is not a did:key that signs here.`);
}

function accountOf({ operation, at }: Placed): PlcAccount {
  const since = Math.floor(at / 1000);
  const { alsoKnownAs, handle, service, services, signingKey, type, verificationMethods } = operation;
  if (type === 'create') {
    return { signingKey: signingKey as string, handle: handle as string, server: service as string, since };
  }
  const names = (alsoKnownAs ?? []) as string[];
  const servers = (services ?? {}) as Record<string, { endpoint: string }>;
  return {
    signingKey: ((verificationMethods ?? {}) as Record<string, string>)['atproto'] ?? null,
    handle: names.find((name) => name.startsWith('at://'))?.slice('at://'.length) ?? null,
    server: servers['atproto_pds']?.endpoint ?? null,
    since,
  };
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isService(value: unknown): boolean {
  return isObject(value) && isText(value['type']) && isText(value['endpoint']) && Object.keys(value).length === 2;
}

/** The sentence of an error of ours; what a library throws for bytes that are none of its own is not repeated. */
function reasonOf(error: unknown): string {
  return error instanceof AtprotoError ? error.message : 'it cannot be read.';
}
