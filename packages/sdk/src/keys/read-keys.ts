/** Key events held against their signatures and rules, and what follows from them: loaded when it is used. */
import { decodeBase64, type Hex, nobleCurves, type PatchSigners, recoverPersonalSigner } from '@signet/verify';
import { nameOfSigner, KeyChainChecker } from '@signet/verify/internal/key-events';
import {
  KEY_RULES,
  keyStateAt,
  MAIN_KEY,
  patchSignersOf,
  recoveryNamesOf,
  verifyKeyEvent,
} from '@signet/verify/key-events';
import type { RecordContext } from '@signet/verify/internal/log';
import { KEY_ENTRIES } from '@signet/verify/log';
import { askedKey, demand, named, refuse } from '../checks.js';
import type { CallOptions } from '../client/call-options.js';
import type { CheckedReads } from '../client/checked-reads.js';
import { nullWhereNotFound } from '../errors.js';
import { fromWallet } from '../signers/from-wallet.js';
import type { Wallet } from '../signers/wallets.js';
import { keyChain } from './key-calls.js';
import type {
  AvatarKeys,
  Followed,
  FollowedStep,
  KeyEvent,
  Predecessors,
  Rehearsal,
  RehearseRequest,
} from './key-types.js';

/** @returns a check of key events: of all from the first on, by the rules too; else of each by itself */
export function keyChecker(avatar: string, isFromFirst: boolean): (event: KeyEvent) => void {
  const checker = isFromFirst ? new KeyChainChecker(nobleCurves, avatar) : null;
  return (event) => demand(checker?.add(event) ?? verifyKeyEvent(event, { avatar }), named('key event', event.uuid));
}

/** A key event as the log has it. */
export function provenKey(event: KeyEvent, avatar: string): RecordContext {
  return { record: { kind: KEY_ENTRIES, item: event }, avatar };
}

/** The keys of apps of an Avatar, by all its key events. @throws what `keys.chain` throws */
export async function readPatchSigners(
  reads: CheckedReads,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<PatchSigners> {
  return patchSignersOf(await keyChain(reads, avatar, { signal }).toArray(), { avatar });
}

export async function stateOfKeys(reads: CheckedReads, of: string, options: CallOptions): Promise<AvatarKeys> {
  const avatar = askedKey(of) as Hex;
  const list = keyChain(reads, avatar, options);
  const events = await list.toArray();
  const now = Math.max(Math.floor(Date.now() / 1000), events.at(-1)?.recorded_at ?? 0);
  const resting = events.length > 0 ? list.resting! : reads.restingOfNone(list.resting!.map);
  return { avatar, now, state: keyStateAt(events, now), events, resting };
}

/**
 * The Avatar that comes after all others, and how it follows from their key events.
 * @throws VerificationError for a succession in circles, and for more in a row than the rules take
 */
export async function followKeys(reads: CheckedReads, of: string, options: CallOptions): Promise<Followed> {
  const steps: FollowedStep[] = [];
  for (let asked = of; ;) {
    const { avatar, state, resting } = await stateOfKeys(reads, asked, options);
    if (!state.succession) return { avatar, steps };
    const { successor, at, event } = state.succession;
    steps.push({ avatar, successor: successor as Hex, at, event, resting });
    if (steps.length > KEY_RULES.successionsInARow || steps.some((step) => step.avatar === successor)) {
      refuse('The succession', `From ${of} on it goes in circles, or over more than ${KEY_RULES.successionsInARow}.`);
    }
    asked = successor;
  }
}

export async function predecessorsOf(
  { transport }: CheckedReads,
  of: string,
  { signal }: CallOptions,
): Promise<Predecessors> {
  const call = { path: '/v1/keys', query: { avatar: askedKey(of) }, signal };
  const answer = await transport.call<{ predecessors: string[] }>(call).catch(nullWhereNotFound);
  return { avatars: answer?.predecessors ?? [], resting: 'server' };
}

export async function nameOf(wallet: Wallet, form: 'key' | 'eip155'): Promise<string> {
  const { hash, address } = recoveryNamesOf((await fromWallet(wallet)).avatar);
  return form === 'eip155' ? address : hash;
}

export async function rehearse(reads: CheckedReads, request: RehearseRequest): Promise<Rehearsal> {
  const { avatar: of, signer: given, signal } = request ?? {};
  const { avatar, state } = await stateOfKeys(reads, of, { signal });
  const signer = await fromWallet(given);
  const text = `Rehearsal with a recovery key of ${avatar}. This signature is sent nowhere and changes nothing.`;
  const key = recoverPersonalSigner(text, decodeBase64(await signer.sign(text))!)!;
  if (key === avatar) return { result: 'main', name: MAIN_KEY, place: null };
  for (const [result, recovery] of [
    ['committed', state.committed?.recovery ?? []],
    ['pending', state.pendingCommit?.fields.recovery ?? []],
  ] as const) {
    const name = nameOfSigner(key, avatar, recovery);
    if (name !== null) return { result, name, place: recovery.indexOf(name) };
  }
  return { result: 'unknown', name: recoveryNamesOf(key).hash, place: null };
}
