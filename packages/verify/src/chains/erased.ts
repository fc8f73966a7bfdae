/**
 * What a server shows in place of a record whose text was erased for legal reasons (docs/log.md, "Erase a text"). Its
 * signature stays, because the next one of the chain names it; an entry of the log says that it was erased.
 */
import { encodeHex } from '../text/encoding.js';
import { identityKey } from '../map/map-keys.js';
import { isObject } from '../text/signed-text.js';
import { failed, notCheckable, ok, show, type Step, type Verification, verificationOf } from '../steps.js';

/** The member `erased` of a record whose text was erased. */
export interface Erasure {
  /** UNIX seconds of the erasure. */
  at: number;
  /** `identityKeyText` of what it was about, so that what is bound, and what content is not whole, can be followed. */
  identity_key: string;
  /** Why, as the operator of the server says. */
  reason: string;
  /** Hex SHA-256 that the entry of the log holds which was made of the record before. */
  record: string;
}

/** An item of a chain that may be erased. */
interface Erasable {
  identity: string;
  signature_payload: string;
  erased?: Erasure;
}

const HASH = /^[0-9a-f]{64}$/;

/** Hex of the key (`identityKey`) that names an identity without its text; who knows the text can compute it. */
export function identityKeyText({ platform, identity }: { platform: string; identity: string }): string {
  return encodeHex(identityKey(platform, identity));
}

/** Whether an item, which may be anything, stands in place of an erased one; `checkErased` says whether properly. */
export function isErased<Item extends { erased?: unknown }>(
  item: Item | null | undefined,
): item is Item & { erased: Erasure } {
  return item?.erased !== undefined;
}

/**
 * The steps of an item that is called erased, whose members have the right types: `shape`, those of `owner`, and
 * `erased`, which is not checkable. `rest` has the other texts of its kind, by their names, which have to be empty.
 */
export function checkErased(
  item: Erasable & { erased: unknown },
  rest: Record<string, unknown>,
  owner: Step[],
): Verification {
  const problem = problemOf(item, rest);
  if (problem !== null) return verificationOf([failed('shape', problem)]);
  const { at, reason } = item.erased as Erasure;
  const detail = `Its text was erased (${show(reason)}, UNIX time ${at}), as its server says: nothing shows what was signed.`;
  const shape = ok('shape', 'It has all the fields of one whose text was erased.');
  return verificationOf([shape, ...owner, notCheckable('erased', detail)]);
}

function problemOf({ identity, signature_payload, erased }: Erasable & { erased: unknown }, rest: object) {
  const texts = { identity, signature_payload, ...rest };
  const kept = Object.entries(texts).find(([, value]) => !isEmpty(value));
  if (kept) return `It is called erased, and has ${kept[0]}.`;
  if (!isObject(erased)) return 'Its erased is not an object.';
  const { at, identity_key: key, reason, record } = erased;
  if (!Number.isSafeInteger(at) || (at as number) < 0) return 'Its erasure has no at, UNIX seconds.';
  if (typeof reason !== 'string' || reason === '') return 'Its erasure has no reason.';
  if (typeof record !== 'string' || !HASH.test(record)) return 'Its erasure has no record, 64 hex digits.';
  const hasKey = typeof key === 'string' && HASH.test(key);
  return hasKey ? null : 'Its erasure has no identity_key, 64 hex digits.';
}

/** A missing member, an empty text or an empty object. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (isObject(value) && Object.keys(value).length === 0);
}
