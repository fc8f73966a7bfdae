/** Canonical JSON (RFC 8785): one text for one value, so that both sides sign the same bytes. */
import canonicalize from 'canonicalize';

const LONE_SURROGATE = /\p{Surrogate}/u; // with the flag u, whole pairs are one character and do not match

/**
 * Writes a JSON value with sorted keys, no white space and numbers as ECMAScript writes them (-0 is 0).
 * Names such as `__proto__`, `constructor` and `toJSON` are names like any other.
 * The caller has checked the nesting (`exceedsDepth`), which also rules out a value that contains itself.
 * @throws TypeError for what JSON cannot hold: NaN, infinities, undefined, functions, symbols, bigints, lone surrogates
 *   in text or names, and objects of other classes (Date, Map, Buffer), which would otherwise be written as something
 *   else.
 */
export function canonicalJson(value: unknown): string {
  // Most values are written with their names in order already.
  return isSortedJson(value) ? JSON.stringify(value) : (canonicalize(value) as string);
}

/** Whether a value that is not nested too deep has canonical JSON: `canonicalJson` throws where it has none. */
export function hasCanonicalJson(value: unknown): boolean {
  try {
    isSortedJson(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * True if objects and arrays are nested more than `limit` deep (`[]` is 1 deep, a plain text 0). Safe on any depth.
 */
export function exceedsDepth(value: unknown, limit: number): boolean {
  return depthOf(value, limit + 1) > limit;
}

/** How deep objects and arrays are nested; counts no further than `most`. Safe on any depth. */
export function depthOf(value: unknown, most = Infinity): number {
  let depth = 0;
  for (let level = [value].filter(isContainer); level.length > 0 && depth < most; depth++) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return depth;
}

/**
 * Whether the names of all objects in a value stand in the order of their UTF-16 units. The library writes `null` for
 * undefined in arrays, drops it in objects, escapes lone surrogates and calls methods `toJSON`; we refuse first.
 * @throws TypeError
 */
function isSortedJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') {
    assertWellFormed(value);
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
    return true;
  }
  if (!isContainer(value)) throw new TypeError(`JSON has no ${typeof value}`);
  let isSorted = true;
  if (Array.isArray(value)) {
    for (const item of value) isSorted = isSortedJson(item) && isSorted; // holes are visited as undefined
    return isSorted;
  }
  if (!isPlainObject(value)) throw new TypeError('JSON has only plain objects');
  let before = '';
  for (const [name, member] of Object.entries(value)) {
    assertWellFormed(name);
    isSorted = isSortedJson(member) && isSorted && before <= name;
    before = name;
  }
  return isSorted;
}

/** @throws TypeError */
function assertWellFormed(text: string): void {
  if (LONE_SURROGATE.test(text)) throw new TypeError('Text holds half of a surrogate pair, which has no UTF-8 form');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Made by `{}`, `JSON.parse` or `Object.create(null)`. Asks for the shape of the prototype, so that objects of other
 * realms count too.
 */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
