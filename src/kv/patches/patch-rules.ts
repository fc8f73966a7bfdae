import { InvalidSignatureError } from '@signet/look';
import { applyMergePatch, canonicalJson, type ErrorCode } from '@signet/verify';
import type { Environment } from '../../config/environment.js';
import { LimitExceededError, ProofRejectedError } from '../../domain/domain-errors.js';
import type { IdentityName } from '../../domain/identity-name.js';
import { appKeyError, type AppKeyState } from '../../holds/app-keys.js';
import type { ChainState } from '../../ledger/signed-chain.js';
import type { NewPatch } from '../kv-feed.js';
import type { OwnEntry } from '../kv.queries.js';

/** Settings that bound content. */
type ContentLimits = Pick<Environment, 'KV_MAX_ENTRY_BYTES' | 'KV_MAX_ENTRIES' | 'KV_MAX_AVATAR_BYTES'>;

/** The facts in the database that decide about one patch, read under the lock of its chain. */
export interface PatchState extends ChainState {
  /** Whether the Avatar may write under this identity. */
  isAllowed: boolean;
  /** Whether it holds a valid proof of it; true for the key itself. */
  isBound: boolean;
  /** Whether an earlier patch of this entry was erased. */
  isIncomplete: boolean;
  /** Whether the newest patch of the chain has its number in the feed; true where there is none. */
  isHeadNumbered: boolean;
  /** All of the Avatar, ordered as they are answered. */
  entries: OwnEntry[];
  /** The key of an app that signed the patch, as it is now; absent where the Avatar signed it. */
  appKey?: AppKeyState | undefined;
}

/** A patch with its position in the chain and what follows from it. */
export interface AcceptedPatch {
  patch: NewPatch;
  /** When it is recorded, where a key of an app signed it, which expires; null: as it is written. */
  recordedAt: Date | null;
  positionInChain: number;
  /** Whether it gets its number in the feed at once: not before those before it in the chain have theirs. */
  isNumbered: boolean;
  /** The content of the entry with the patch applied, canonical JSON. */
  content: string;
  /** All entries of the Avatar with the patch applied, ordered as they are answered. */
  entries: OwnEntry[];
}

/** The rules for a patch that is the next one of its chain: what to write, or why it is refused. */
export function acceptPatch(patch: NewPatch, state: PatchState, limits: ContentLimits): AcceptedPatch | Error {
  const { entries, isAllowed, isBound, isIncomplete, length, isHeadNumbered } = state;
  if (!isAllowed) return notBound(patch);
  const refusal = state.appKey && refusalOfApp(patch, state.appKey);
  if (refusal) return refusal;
  const { platform, identity } = patch;
  const isIt = (entry: OwnEntry) => entry.platform === platform && entry.identity === identity;
  const others = entries.filter((entry) => !isIt(entry));
  const content = canonicalJson(applyMergePatch(JSON.parse(entries.find(isIt)?.content ?? '{}'), patch.patch));
  const changed = [...others, { platform, identity, content, isBound, isIncomplete }].sort(byPlatformAndIdentity);
  const excess = excessOf(content, changed, limits);
  if (excess) return excess;
  const recordedAt = state.appKey?.now ?? null;
  return { patch, recordedAt, positionInChain: length + 1, isNumbered: isHeadNumbered, content, entries: changed };
}

/** Between the check of the signature and the lock, the key may have been revoked, or added with another origin. */
function refusalOfApp({ app, createdAt, ...patch }: NewPatch, state: AppKeyState): Error | null {
  const refusal = appKeyError(state, patch, createdAt);
  if (refusal || state.key!.origin === app!.origin) return refusal;
  return new InvalidSignatureError('The key was added with another origin meanwhile.');
}

/**
 * The limit that would be passed (`too_many_entries`, `content_too_large`, `avatar_content_too_large`), or null.
 * @param content of the changed entry
 */
function excessOf(content: string, entries: OwnEntry[], limits: ContentLimits): LimitExceededError | null {
  const bytes = Buffer.byteLength(content);
  const total = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.content), 0);
  const { KV_MAX_ENTRIES, KV_MAX_ENTRY_BYTES, KV_MAX_AVATAR_BYTES } = limits;
  const excess = (what: string, has: number, unit: string, max: number, code: ErrorCode) =>
    has <= max ? null : new LimitExceededError(`${what} would have ${has} ${unit}; at most ${max} are allowed.`, code);
  const unit = 'bytes as canonical JSON';
  return (
    excess('The content of this entry', bytes, unit, KV_MAX_ENTRY_BYTES, 'content_too_large') ??
    excess('This Avatar', entries.length, 'entries', KV_MAX_ENTRIES, 'too_many_entries') ??
    excess('All content of this Avatar', total, unit, KV_MAX_AVATAR_BYTES, 'avatar_content_too_large')
  );
}

/** The order of bytes, as the database has it with the collation "C". */
function byPlatformAndIdentity(one: OwnEntry, other: OwnEntry): number {
  const bytes = (text: string) => Buffer.from(text);
  return (
    Buffer.compare(bytes(one.platform), bytes(other.platform)) ||
    Buffer.compare(bytes(one.identity), bytes(other.identity))
  );
}

/** The refusal of a patch under an identity without a valid proof of the Avatar, if the settings require one. */
export function notBound({ platform, identity }: IdentityName): ProofRejectedError {
  return new ProofRejectedError(
    `This server lets an Avatar write under an identity only while it holds a valid proof of it, and this one holds none of "${identity}" on ${platform}.`,
    'not_bound',
  );
}
