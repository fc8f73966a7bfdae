import { quoted } from '../checks.js';
import { WrongUsageError } from '../errors.js';

/** What a call was given, which has to be an object. @throws WrongUsageError that names the call */
export function givenTo<Value>(call: string, value: Value): Value {
  if (typeof value === 'object' && value !== null) return value;
  throw new WrongUsageError(`${call} takes an object, not ${quoted(value)}.`);
}
