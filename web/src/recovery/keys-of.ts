/** What an Avatar said about its keys: read from the server, and checked in this browser. */
import type { KeyEvent } from '@signet/sdk';
import type { PatchSigners } from '@signet/verify';
import { rankOf, settleKeyState } from '@signet/verify/internal/key-events';
import { type KeyState, MAIN_KEY, patchSignersOf, verifyKeyChain } from '@signet/verify/key-events';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../shell/api.js';
import { type Asked, useAnswer } from '../shell/use-answer.js';

/** The key events of an Avatar, and what follows from them now. */
export interface KeysRead {
  avatar: string;
  events: KeyEvent[];
  /** What holds now. Only of worth if `ok`. */
  state: KeyState;
  /** Whether all of them verify: signatures, places in the chain, and rules. */
  ok: boolean;
  /** What does not verify, in the words of the verifier; empty if `ok`. */
  problem: string;
  /** UNIX seconds. */
  now: number;
}

/** How often what the time makes of the events is computed anew. */
const TICK_MS = 15_000;

/** Reads and checks all key events of an Avatar. @throws SignetError */
async function readKeys(avatar: string, signal: AbortSignal): Promise<KeysRead> {
  return checkedKeys(avatar, await client.keys.chain(avatar, { signal }).toArray());
}

/** Checks all key events of an Avatar, oldest first. */
export function checkedKeys(avatar: string, events: KeyEvent[]): KeysRead {
  const { ok, state, steps } = verifyKeyChain(events, { avatar });
  const problem = steps.find((step) => step.state === 'failed')?.detail ?? '';
  return settled({ avatar, events, state, ok, problem, now: 0 });
}

/** The keys of apps by all key events of an Avatar: what checks their signatures, and the origins of their pages. */
export function appKeysOf(avatar: string, events: KeyEvent[]): { signers: PatchSigners; origins: Origins } {
  const added = events.flatMap((event) => (event.action === 'key.add' ? [event.fields] : []));
  const origins = new Map(added.map(({ key, origin }) => [key, origin]));
  return { signers: patchSignersOf(events, { avatar }), origins };
}

type Origins = Map<string, string | null>;

/** What was read, as it is at this moment. */
export function settled(keys: KeysRead): KeysRead {
  const now = Math.max(Math.floor(Date.now() / 1000), keys.events.at(-1)?.recorded_at ?? 0);
  return { ...keys, now, state: settleKeyState(keys.state, now) };
}

/** Whether something is pending or frozen, which its owner may not know. */
export function isAlarming({ ok, state: { freeze, pendingCommit, pendingSuccession } }: KeysRead): boolean {
  return ok && (freeze ?? pendingCommit ?? pendingSuccession) !== null;
}

/** The key events of an Avatar, read again with each `version`; what time makes of them is computed as it passes. */
export function useKeys(avatar: string, version = 0): Asked<KeysRead> & { again: () => void } {
  const answer = useAnswer((signal) => readKeys(avatar, signal), [avatar], version);
  useTicks();
  return answer.state === 'there' ? { ...answer, value: settled(answer.value) } : answer;
}

/** Renders again as time passes. */
export function useTicks(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** The key that signed something: the Avatar's own (`main`), or the number of a recovery key, from 1 on. */
export function whoSigned({ committed }: KeyState, signer: string): 'main' | 'former' | number {
  if (signer === MAIN_KEY) return 'main';
  const place = committed?.recovery.indexOf(signer) ?? -1;
  return place < 0 ? 'former' : place + 1;
}

/** Whether a key, by its name, may make void what another one has pending. */
export function canStop(state: KeyState, name: string, signer: string): boolean {
  const isOtherHolder = name === MAIN_KEY && state.committed === null;
  return isOtherHolder || rankOf(state, name) < rankOf(state, signer);
}
