import { canonicalJson } from '@signet/verify';
import { exceedsDepth } from '@signet/verify/internal';
import { InvalidRequestError } from '@signet/look';
import type { Environment } from '../../config/environment.js';
import { isStorable } from '../../database/storable-text.js';
import { LimitExceededError } from '../../domain/domain-errors.js';

/** Settings that bound a patch. */
type PatchLimits = Pick<Environment, 'KV_MAX_DEPTH' | 'KV_MAX_PATCH_BYTES'>;

/**
 * The canonical JSON of a patch that can be stored. The request is not signed yet, so its cost is bounded before any
 * code walks the whole value: a patch that is certainly too large is refused after the first KV_MAX_PATCH_BYTES of it,
 * and one that is too deep (which would overflow the stack) after KV_MAX_DEPTH levels.
 * @throws LimitExceededError (`patch_too_large`, `nesting_too_deep`)
 * @throws InvalidRequestError (`unstorable_text`, `number_out_of_range`)
 */
export function patchText(patch: object, limits: PatchLimits): string {
  const { KV_MAX_PATCH_BYTES, KV_MAX_DEPTH } = limits;
  if (isCertainlyLonger(patch, KV_MAX_PATCH_BYTES)) throw tooLarge(limits);
  if (exceedsDepth(patch, KV_MAX_DEPTH)) {
    throw new LimitExceededError(
      `The patch is nested more than ${KV_MAX_DEPTH} levels deep, which is the limit.`,
      'nesting_too_deep',
    );
  }
  assertStorable(patch);
  const text = canonicalJson(patch);
  if (Buffer.byteLength(text) > KV_MAX_PATCH_BYTES) throw tooLarge(limits);
  return text;
}

function tooLarge({ KV_MAX_PATCH_BYTES }: PatchLimits): LimitExceededError {
  return new LimitExceededError(
    `The patch has more than ${KV_MAX_PATCH_BYTES} bytes as canonical JSON, which is the limit.`,
    'patch_too_large',
  );
}

/**
 * Whether the canonical JSON of `value` has more than `limit` bytes for certain. Counts the least that each part takes
 * (a text of n UTF-16 units has n bytes or more) and stops as soon as that is enough. Safe on any depth.
 */
function isCertainlyLonger(value: object, limit: number): boolean {
  const containers: unknown[][] = [[value]];
  let bytes = 0;
  for (let members = containers.pop(); members; members = containers.pop()) {
    bytes += members.length; // one byte for the shortest value
    for (const member of members) {
      if (bytes > limit) return true;
      if (typeof member === 'string') bytes += member.length + 1;
      if (typeof member !== 'object' || member === null) continue;
      bytes += 1; // the other bracket
      if (!Array.isArray(member)) bytes += Object.keys(member).reduce((sum, name) => sum + name.length + 3, 0);
      if (bytes <= limit) containers.push(Array.isArray(member) ? member : Object.values(member));
    }
    if (bytes > limit) return true;
  }
  return false;
}

function assertStorable(value: unknown): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw new InvalidRequestError(
      'A name or text in the patch holds U+0000 or half of a surrogate pair, which the database cannot hold.',
      'unstorable_text',
    );
  }
  // `1e400` is valid JSON and becomes Infinity when it is read.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new InvalidRequestError('A number in the patch is too large for an IEEE double.', 'number_out_of_range');
  }
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Object.keys(value).forEach(assertStorable);
  Object.values(value).forEach(assertStorable);
}
