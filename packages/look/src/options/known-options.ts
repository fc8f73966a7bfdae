/** Refuses options that do not exist or are of another type: a compiler sees them, a program in JavaScript does not. */
import { WrongUsageError } from '@signet/verify/errors';
import { COMMON_VARIABLES, PLATFORM_VARIABLES } from './settings.js';

type Check = [expected: string, isSo: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === 'string';
const TEXT: Check = ['a text', isText];
const TEXTS: Check = ['a list of texts', (value) => Array.isArray(value) && value.every(isText)];
const NUMBER: Check = ['a number above 0', (value) => typeof value === 'number' && value > 0];
const FUNCTION: Check = ['a function', (value) => typeof value === 'function'];
const OBJECT: Check = ['an object', (value) => typeof value === 'object' && value !== null];

const COMMON = { ...checksOf(COMMON_VARIABLES), timeoutMs: NUMBER };
const OF_PLATFORMS = new Map(Object.entries(PLATFORM_VARIABLES).map(([name, own]) => [name, checksOf(own)]));
/** Those of lookers in Node and in browsers together: a program may be built for both. */
const OF_LOOKERS = { version: TEXT, transport: OBJECT, fetch: FUNCTION, maxBytes: NUMBER, mayAsk: FUNCTION };

function checksOf(variables: object): Record<string, Check> {
  return Object.fromEntries(Object.entries(variables).map(([name, of]) => [name, Array.isArray(of) ? TEXTS : TEXT]));
}

/**
 * Reads what a function was given as the options of platforms and of lookers.
 * @throws WrongUsageError that names the first option that cannot be
 */
export function demandOptions(given: object): void {
  demandIs('options', OBJECT, given);
  const platforms = Object.fromEntries([...OF_PLATFORMS.keys()].map((name) => [name, OBJECT]));
  demandEach('A look', { ...platforms, ...COMMON, ...OF_LOOKERS }, given);
  for (const [platform, own] of OF_PLATFORMS) {
    const value: object | undefined = given[platform as never];
    if (value !== undefined) demandEach(platform, { ...own, ...COMMON }, value, `${platform}.`);
  }
}

function demandEach(owner: string, checks: Record<string, Check>, given: object, prefix = ''): void {
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) {
      const known = Object.keys(checks).join(', ');
      throw new WrongUsageError(`${owner} has no option ${JSON.stringify(name)}: it takes ${known}.`);
    }
    if (value !== undefined) demandIs(prefix + name, check, value);
  }
}

/** The value is not shown: it may be a token. */
function demandIs(name: string, [expected, isSo]: Check, value: unknown): void {
  if (!isSo(value)) throw new WrongUsageError(`${name} has to be ${expected}, and is ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `of the type ${typeof value}`;
}
