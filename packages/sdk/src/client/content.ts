/** JSON content of Avatars: `client.kv`. */
import type { SignedPatch } from '@signet/verify';
import type { KvContent, KvPatch } from '../answers.js';
import type { CheckedReads } from './checked-reads.js';
import { findKey, inOrder, keyProblem } from '../checks.js';
import type { AnswerOptions, CallOptions, FollowOptions, PatchRequest } from './call-options.js';
import { answerOfLast } from '../keys/key-calls.js';
import type { PagedList } from './paged-list.js';

/** All content of an Avatar behind a patch: what the server answers, which no check is made of (see `kv.get`). */
export interface AppliedPatch extends KvContent {
  /** The promise of the log to hold the patch, as its key signed it; null where the server gave none. */
  receipt: string | null;
}

/** The calls below `client.kv`. */
export function contentCalls(reads: CheckedReads) {
  return {
    /** All content of an Avatar, or null where there was never any. */
    get: async (
      avatar: string,
      { follow, ...options }: AnswerOptions & FollowOptions = {},
    ): Promise<KvContent | null> => {
      const { readContent } = await import('./read-content.js');
      return follow
        ? answerOfLast(reads, avatar, options, (last) => readContent(reads, last, options))
        : readContent(reads, avatar, options);
    },
    /**
     * Signs and applies a patch, with the Avatar's key or with the key of an app that it has added; answers all content
     * of the Avatar. Takes a new payload once on `stale_chain`.
     */
    patch: async (request: PatchRequest): Promise<AppliedPatch> =>
      (await import('../writes/apply-patch.js')).applyPatch(reads, request),
    /** The signed patches of an Avatar, oldest first. */
    chain: (avatar: string, options: CallOptions = {}): PagedList<KvPatch> => patchChain(reads, avatar, options),
  };
}

function patchChain(reads: CheckedReads, avatar: string, { signal }: CallOptions): PagedList<KvPatch> {
  const key = findKey(avatar) ?? '';
  return reads.list<KvPatch>({
    path: '/v1/kv/chain',
    query: { avatar: key },
    member: 'kv_chain',
    signal,
    wrong: keyProblem(avatar),
    check: (isFromFirst, { patchCheck }) =>
      inOrder(patchCheck(reads, key, isFromFirst, signal), (patch) =>
        reads.prove({ patch: patch as SignedPatch, avatar: key }, signal),
      ),
    completes: (complete) => complete.patches(key, signal),
  });
}
