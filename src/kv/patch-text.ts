import { canonicalJson, depthOf } from '../crypto/canonical-json.js';
import { InvalidRequestError, LimitExceededError } from '../domain/domain-errors.js';

/** Settings that bound a patch; see `config/environment.ts`. */
export interface PatchLimits {
  KV_MAX_DEPTH: number;
  KV_MAX_PATCH_BYTES: number;
}

// U+0000, and with the flag u a surrogate without its other half.
const UNSTORABLE_TEXT = /\0|\p{Surrogate}/u;

/**
 * The canonical JSON of a patch that can be stored. The depth is checked before anything walks the value, because deep
 * nesting overflows the stack.
 * @throws LimitExceededError (`nesting_too_deep`, `patch_too_large`)
 * @throws InvalidRequestError (`unstorable_text`, `number_out_of_range`)
 */
export function patchText(patch: object, limits: PatchLimits): string {
  const depth = depthOf(patch);
  if (depth > limits.KV_MAX_DEPTH) {
    throw new LimitExceededError(
      `The patch is nested ${depth} levels deep; at most ${limits.KV_MAX_DEPTH} are allowed.`,
      'nesting_too_deep',
    );
  }
  assertStorable(patch);
  const text = canonicalJson(patch);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.KV_MAX_PATCH_BYTES) {
    throw new LimitExceededError(
      `The patch has ${bytes} bytes as canonical JSON; at most ${limits.KV_MAX_PATCH_BYTES} are allowed.`,
      'patch_too_large',
    );
  }
  return text;
}

function assertStorable(value: unknown): void {
  if (typeof value === 'string' && UNSTORABLE_TEXT.test(value)) {
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
