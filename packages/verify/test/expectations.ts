/** What a case expects; nothing of jest, so that the cases run in a browser too. */
import { firstFailure, type Verification } from '../src/index.js';

/** Throws unless both are the same JSON (`undefined` is not JSON). */
export function equal(seen: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (a !== b) throw new Error(`Expected ${b}, and saw ${a}`);
}

/** The first step that failed must be `step` and say why. */
export function failsAt(verification: Verification, step: string): void {
  const failure = firstFailure(verification);
  equal({ ok: verification.ok, step: failure?.name }, { ok: false, step });
  if (!/^.{10,}\.$/.test(failure!.detail)) throw new Error(`This is not a sentence: ${failure!.detail}`);
}
