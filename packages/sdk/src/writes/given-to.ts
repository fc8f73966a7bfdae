import { quoted, wrong } from '../checks.js';
import { WrongUsageError } from '../errors.js';

/** What a call was given, which has to be an object. @throws WrongUsageError that names the call */
export function givenTo<Value>(call: string, value: Value): Value {
  if (typeof value === 'object' && value !== null) return value;
  throw new WrongUsageError(`${call} takes an object, not ${quoted(value)}.`);
}

/** Refuses numbers that are none, or below 0. @throws WrongUsageError that names the first */
export function demandNumbers(given: Record<string, number | null | undefined>): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof (value ?? 0) !== 'number' || !((value ?? 0) >= 0)) throw wrong(name, 'a number, at least 0', value);
  }
}

/** Refuses what is given and lacks a method. @throws WrongUsageError that names it */
export function demandMethods(name: string, given: object | undefined, methods: readonly string[]): void {
  if ((given ?? null) === null || methods.every((one) => typeof given?.[one as never] === 'function')) return;
  throw wrong(name, `an object with ${methods.join(', ')}`, given);
}
