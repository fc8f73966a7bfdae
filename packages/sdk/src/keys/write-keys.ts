/** Says something about the keys of an Avatar: the text is checked, signed and submitted. Loaded when it is used. */
import { problemOfStatement } from '@signet/verify/internal/key-events';
import { KEY_REFUSALS, KEY_RULES, keyEventPayload, type KeyStatement, verifyKeyChain } from '@signet/verify/key-events';
import { askedKey, demand, refuse, wrong } from '../checks.js';
import { givenTo } from '../writes/given-to.js';
import type { CheckedReads } from '../client/checked-reads.js';
import type { Client } from '../client/client.js';
import { InvalidRequestError, KeyRefusedError, StaleChainError, WrongUsageError } from '../errors.js';
import { fromWallet } from '../signers/from-wallet.js';
import type { Signer } from '../signers/signer.js';
import { submit } from '../writes/submit.js';
import type { AppSigner } from './app-signers.js';
import type {
  AddKeyRequest,
  CommitRequest,
  CosignedRequest,
  KeyEvent,
  KeyRequest,
  RecordedKeyEvent,
  RevokeKeyRequest,
  SucceedRequest,
  VetoRequest,
} from './key-types.js';
import { isAppSigner } from './is-app-signer.js';

/** The answer to step 1. */
interface KeyPayload {
  uuid: string;
  created_at: number;
  sign_payload: string;
}

/** Who signs an event of an Avatar. */
interface Signers {
  /** Compressed key. */
  avatar: string;
  signer: Signer;
  cosigner: Signer | undefined;
  successor: Signer | undefined;
}

/** @throws WrongUsageError for what is no list */
function listOf(name: string, given: readonly string[]): readonly string[] {
  if (!Array.isArray(given)) throw wrong(name, 'a list', given);
  return given as readonly string[];
}

async function commit(
  reads: CheckedReads,
  client: Client,
  { recovery, delayHours = KEY_RULES.delayHours.usual, ...request }: CommitRequest,
): Promise<RecordedKeyEvent> {
  const fields = { delay_hours: delayHours, recovery: [...listOf('recovery', recovery)] };
  return say(reads, client, { action: 'key.commit', fields }, request);
}

async function succeed(
  reads: CheckedReads,
  client: Client,
  { successor: given, sinceLink, sincePatch, ...request }: SucceedRequest,
): Promise<RecordedKeyEvent> {
  const successor = await fromWallet(given);
  const { signal } = request;
  const avatar = await avatarOf(request);
  // What a server says is the newest would decide which bindings count: the chains are read and checked.
  const since_link = sinceLink === undefined ? await newest(client.chain(avatar, { signal })) : sinceLink;
  const since_patch = sincePatch === undefined ? await newest(client.kv.chain(avatar, { signal })) : sincePatch;
  const fields = { since_link, since_patch, successor: successor.avatar };
  return say(reads, client, { action: 'key.succeed', fields }, request, successor);
}

async function addKey(
  reads: CheckedReads,
  client: Client,
  { app, scopes, expiresAt, ...request }: AddKeyRequest,
): Promise<RecordedKeyEvent> {
  const { key, origin } = givenTo('app of keys.add', app);
  const expires_at = expiresAt ?? Math.floor(Date.now() / 1000) + KEY_RULES.appKeys.lifetime.usual;
  const fields = { expires_at, key, origin, scopes: [...listOf('scopes', scopes)] };
  return say(reads, client, { action: 'key.add', fields }, { ...request, cosigner: asSigner(app) });
}

async function revokeKey(
  reads: CheckedReads,
  client: Client,
  { key, signer, ...request }: RevokeKeyRequest,
): Promise<RecordedKeyEvent> {
  const by = isAppSigner(signer) ? asSigner(signer) : signer;
  return say(reads, client, { action: 'key.revoke', fields: { key } }, { ...request, signer: by });
}

/** A key of an app in place of a wallet that signs key events; of its address nothing is asked. */
function asSigner(app: AppSigner): Signer {
  return { avatar: app.avatar, address: app.avatar, sign: (text) => app.sign(text) };
}

/**
 * Signs and submits a statement. Where the chain has moved on meanwhile it is signed once more.
 * @throws KeyRefusedError; what `fromWallet` and submits throw
 */
async function say(
  reads: CheckedReads,
  client: Client,
  said: KeyStatement,
  request: CosignedRequest,
  successor?: Signer,
): Promise<RecordedKeyEvent> {
  const problem = problemOfStatement(said);
  if (problem !== null) throw new WrongUsageError(problem);
  const { signal } = request;
  const signers = { ...(await signersOf(request)), successor };
  const once = () => sayOnce(reads, client, said, signers, signal);
  try {
    return await once().catch((error: unknown) => {
      if (error instanceof StaleChainError) return once();
      throw error;
    });
  } catch (error) {
    throw error instanceof InvalidRequestError && Object.hasOwn(KEY_REFUSALS, error.code) ? refused(error) : error;
  }
}

async function sayOnce(
  reads: CheckedReads,
  client: Client,
  said: KeyStatement,
  { avatar, signer, cosigner, successor }: Signers,
  signal: AbortSignal | undefined,
): Promise<RecordedKeyEvent> {
  const chain = () => client.keys.chain(avatar, { signal }).toArray();
  const before = await chain();
  const body = { avatar, ...said };
  const path = '/v1/keys/payload';
  const call = { method: 'POST', path, body, isRepeatable: true, text: 'sign_payload', signal } as const;
  const { uuid, created_at, sign_payload: text } = await reads.transport.call<KeyPayload>(call);
  checkText(text, said, { avatar, uuid, created_at, prev: before.at(-1)?.signature ?? null });
  const signature = await signer.sign(text);
  const others = {
    ...(cosigner && { cosignature: await cosigner.sign(text) }),
    ...(successor && { successor_signature: await successor.sign(text) }),
  };
  const find = async () => (await chain()).find((event) => event.uuid === uuid);
  const answer = await submit<{ key_event: KeyEvent; receipt?: string }>(
    reads.transport,
    { method: 'POST', path: '/v1/keys', body: { ...body, uuid, created_at, signature, ...others }, signal },
    async () => (await find()) !== undefined,
  );
  const event = answer?.key_event ?? (await find());
  if (!event) refuse('What was recorded', `The server does not show it (${uuid}).`);
  if (reads.verifies) {
    if (event.signature_payload !== text) refuse('What was recorded', `It is not what was sent (${uuid}).`);
    demand(verifyKeyChain([...before, event], { avatar }), `The key event ${uuid}`);
  }
  const item = () => Promise.resolve(event);
  const written = { kind: 'key', avatar, uuid, createdAt: created_at, item };
  return { event, receipt: await reads.takeReceipt(answer?.receipt, written, signal) };
}

/** The Avatar that is spoken of. @throws what `fromWallet` throws; WrongUsageError */
async function avatarOf({ avatar, signer }: CosignedRequest): Promise<string> {
  return avatar === undefined ? (await fromWallet(signer)).avatar : askedKey(avatar);
}

/** Where two keys sign, the Avatar's own is the first. */
async function signersOf(request: CosignedRequest): Promise<Omit<Signers, 'successor'>> {
  const signer = await fromWallet(request.signer);
  const cosigner = request.cosigner === undefined ? undefined : await fromWallet(request.cosigner);
  const avatar = request.avatar === undefined ? signer.avatar : askedKey(request.avatar);
  const isSwapped = cosigner?.avatar === avatar && signer.avatar !== avatar;
  return isSwapped ? { avatar, signer: cosigner, cosigner: signer } : { avatar, signer, cosigner };
}

/**
 * Checks that a text to sign says what was asked for, because a signature agrees to all of it.
 * @throws VerificationError; StaleChainError where it follows another event than the newest that was read
 */
function checkText(
  text: string,
  said: KeyStatement,
  issued: { avatar: string; uuid: string; created_at: number; prev: string | null },
): void {
  const textBehind = (prev: string | null) => keyEventPayload({ ...said, ...issued, prev });
  if (text === textBehind(issued.prev)) return;
  const prev = prevIn(text);
  if (prev !== undefined && text === textBehind(prev)) {
    const message = 'The text to sign follows another key event than the newest one of the chain.';
    throw new StaleChainError(message, 'stale_chain');
  }
  refuse('The text to sign', 'It is not the text of the key event that was asked for.');
}

function prevIn(text: string): string | null | undefined {
  try {
    const { prev } = JSON.parse(text) as { prev?: unknown };
    return prev === null || typeof prev === 'string' ? prev : undefined;
  } catch {
    return undefined;
  }
}

async function newest(list: AsyncIterable<{ uuid: string }>): Promise<string | null> {
  let uuid: string | null = null;
  for await (const item of list) uuid = item.uuid;
  return uuid;
}

function refused({ message, code, status, requestId, cause }: InvalidRequestError): KeyRefusedError {
  return new KeyRefusedError(message, { code, status, requestId, cause });
}

/** What `client.keys` says, by the names of its calls. */
const KEY_WRITES = {
  commit,
  succeed,
  add: addKey,
  revoke: revokeKey,
  freeze: (reads: CheckedReads, client: Client, request: KeyRequest) =>
    say(reads, client, { action: 'key.freeze', fields: {} }, request),
  thaw: (reads: CheckedReads, client: Client, request: KeyRequest) =>
    say(reads, client, { action: 'key.thaw', fields: {} }, request),
  veto: (reads: CheckedReads, client: Client, { event, ...request }: VetoRequest) =>
    say(reads, client, { action: 'key.veto', fields: { event } }, request),
};
export type KeyWrites = typeof KEY_WRITES;

/** Says what a call of `client.keys` was asked to say. @throws WrongUsageError; what the call throws */
export async function writeKeys(
  action: keyof KeyWrites,
  reads: CheckedReads,
  client: Client,
  request: never,
): Promise<RecordedKeyEvent> {
  return KEY_WRITES[action](reads, client, givenTo(`keys.${action}`, request));
}
