/**
 * What holding answers against their signatures needs that is small; `rules.ts` has the rest, loaded when it is used.
 */
import type { Hex, Step, Verification } from '@signet/verify';
import { VerificationError, WrongUsageError } from './errors.js';

/** @throws VerificationError if a step failed */
export function demand({ ok, steps }: Verification, what: string): void {
  if (ok) return;
  const failure = steps.find(({ state }) => state === 'failed');
  throw new VerificationError(`${what} does not verify. ${failure?.detail ?? ''}`, steps);
}

/** A record in a sentence, by its uuid, which a server may leave out. */
export function named(what: string, uuid: unknown): string {
  return typeof uuid === 'string' ? `The ${what} ${uuid}` : `A ${what}`;
}

/** @throws VerificationError */
export function refuse(what: string, detail: string): never {
  const steps: Step[] = [{ name: 'answer', state: 'failed', detail }];
  throw new VerificationError(`${what} does not verify. ${detail}`, steps);
}

/**
 * Compares the places of records in their chain with those of their entries in the log: signatures show the order of
 * records whose texts are there, and an operator could give one erased record the place and signature of another.
 * @returns what is called with the records of one Avatar, oldest first: the uuid, and the number of the entry of the
 *   record itself, or undefined where it is not known. @throws VerificationError
 */
export function orderChecker(): (uuid: string, entry: number | undefined) => void {
  let previous = -1;
  return (uuid, entry = Infinity) => {
    if (entry <= previous) {
      refuse('The chain', `Its record ${uuid} stands in the log before one that it follows in the chain.`);
    }
    if (entry !== Infinity) previous = entry;
  };
}

/**
 * A check of records one by one, oldest first, and of their order in the log.
 * @param prove returns the number of the entry that was made of a record, where it is known
 */
export function inOrder<Item extends { uuid: string }>(
  check: (item: Item) => void | Promise<void>,
  prove: (item: Item) => Promise<number | undefined>,
): (item: Item) => Promise<void> {
  const checkOrder = orderChecker();
  return async (item) => {
    await check(item);
    checkOrder(item.uuid, await prove(item));
  };
}

const KEY = /^(?:0x)?(?:(0[23][0-9a-fA-F]{64})|04([0-9a-fA-F]{64})([0-9a-fA-F]{64}))$/;
/** The prime of the field of secp256k1 (SEC 2, 2.4.1), over which the curve is y² = x³ + 7. */
const FIELD = 2n ** 256n - 2n ** 32n - 977n;

/**
 * The compressed spelling of a key: `0x` and 66 lowercase hex digits, from 33 or 65 bytes of hex in any letter case,
 * with or without `0x`. Null for another text. Whether 33 bytes are a point of the curve is left to what checks
 * signatures: no signature is by a key that is none.
 */
export function findKey(text: unknown): Hex | null {
  const found = typeof text === 'string' ? KEY.exec(text) : null;
  const [short, x, y] = (found ?? []).slice(1).map((hex: string | undefined) => hex?.toLowerCase());
  if (short !== undefined) return `0x${short}`;
  if (x === undefined || y === undefined) return null;
  const [px, py] = [BigInt(`0x${x}`), BigInt(`0x${y}`)];
  const isPoint = px < FIELD && py < FIELD && (py * py - px ** 3n - 7n) % FIELD === 0n;
  return isPoint ? `0x0${py % 2n === 0n ? 2 : 3}${x}` : null;
}

/** The compressed spelling of a key; other text stays as it is, and verifies nothing. */
export function compressed(avatar: string): string {
  return findKey(avatar) ?? avatar;
}

/** The compressed spelling of a key that is asked for. @throws WrongUsageError for a text that is no key */
export function askedKey(avatar: string): string {
  const problem = keyProblem(avatar);
  if (problem) throw problem;
  return compressed(avatar);
}

/** The error for a text that is no key; null for a key. */
export function keyProblem(avatar: string): WrongUsageError | null {
  if (findKey(avatar) !== null) return null;
  return new WrongUsageError(`${quoted(avatar)} is not the public key of an Avatar.`);
}

/** The error for a value that cannot be, by its name. */
export function wrong(name: string, expected: string, given: unknown): WrongUsageError {
  return new WrongUsageError(`${name} has to be ${expected}, not ${quoted(given)}.`);
}

/** Refuses members that are to be called and cannot be. @throws WrongUsageError that names the first */
export function demandFunctions<Name extends string>(given: Partial<Record<Name, unknown>>, ...names: Name[]): void {
  for (const name of names) {
    const value = given?.[name] ?? wrong;
    if (typeof value !== 'function') throw wrong(name, 'a function', value);
  }
}

/** How messages show a value that a program gave: as JSON, or in words where it has none. */
export function quoted(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : `a value of the type ${typeof value}`;
  }
}
