import { applyMergePatch, canonicalJson } from '@signet/verify';
import { LimitExceededError } from '../../domain/domain-errors.js';

/** Settings that bound content; see `config/kv-settings.ts`. */
export interface ContentLimits {
  KV_MAX_ENTRY_BYTES: number;
  KV_MAX_ENTRIES: number;
  KV_MAX_AVATAR_BYTES: number;
}

/** The entries of an Avatar besides the one that is changed. */
export interface OtherEntries {
  count: number;
  /** Bytes of their content. */
  bytes: number;
}

/**
 * The canonical JSON of an entry's content after a patch.
 * @param content canonical JSON of the content before; undefined where there is no such entry yet.
 * @throws LimitExceededError (`too_many_entries`, `content_too_large`, `avatar_content_too_large`)
 */
export function mergedContent(
  content: string | undefined,
  patch: object,
  others: OtherEntries,
  limits: ContentLimits,
): string {
  const merged = canonicalJson(applyMergePatch(JSON.parse(content ?? '{}'), patch));
  assertWithinLimits(Buffer.byteLength(merged), others, limits);
  return merged;
}

function assertWithinLimits(bytes: number, others: OtherEntries, limits: ContentLimits): void {
  const { KV_MAX_ENTRIES, KV_MAX_ENTRY_BYTES, KV_MAX_AVATAR_BYTES } = limits;
  if (bytes > KV_MAX_ENTRY_BYTES) {
    throw new LimitExceededError(
      `The content of this entry would have ${bytes} bytes as canonical JSON; at most ${KV_MAX_ENTRY_BYTES} are allowed.`,
      'content_too_large',
    );
  }
  if (others.count + 1 > KV_MAX_ENTRIES) {
    throw new LimitExceededError(
      `This Avatar would have ${others.count + 1} entries; at most ${KV_MAX_ENTRIES} are allowed.`,
      'too_many_entries',
    );
  }
  if (others.bytes + bytes > KV_MAX_AVATAR_BYTES) {
    throw new LimitExceededError(
      `All content of this Avatar would have ${others.bytes + bytes} bytes as canonical JSON; at most ${KV_MAX_AVATAR_BYTES} are allowed.`,
      'avatar_content_too_large',
    );
  }
}
