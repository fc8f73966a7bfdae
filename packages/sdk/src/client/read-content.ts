/** Reads the content of an Avatar, and holds it against its signed patches: loaded when it is used. */
import type { SignedPatch } from '@signet/verify';
import type { KvContent } from '../answers.js';
import { askedKey, orderChecker, refuse } from '../checks.js';
import { nullWhereNotFound } from '../errors.js';
import type { AnswerOptions } from './call-options.js';
import type { CheckedReads } from './checked-reads.js';
import { ON_THE_SERVER, type Resting } from './resting.js';

/** See `kv.get`. */
export async function readContent(
  reads: CheckedReads,
  of: string,
  { signal, onResting }: AnswerOptions,
): Promise<KvContent | null> {
  const avatar = askedKey(of);
  const completion = await (await reads.complete())?.patches(avatar, signal);
  for (let tries = 0; ; tries++) {
    const content = await reads.transport
      .call<KvContent>({ path: '/v1/kv', query: { avatar }, signal })
      .catch(nullWhereNotFound);
    const answer = (found: KvContent | null, resting: Resting) => {
      onResting?.(resting);
      return found && { ...found, resting };
    };
    if (!reads.verifies || (!content && !completion)) return answer(content, ON_THE_SERVER);
    const [patches, { addsUp, isErased }] = await Promise.all([reads.patchesOf(avatar, signal), reads.rules()]);
    if (await addsUp(reads, avatar, patches, content ?? { proofs: [] }, signal)) {
      const newest = patches.at(-1);
      const checkOrder = orderChecker();
      for (const patch of patches as SignedPatch[]) {
        // The signature of the newest covers all before it, but not that a text was erased.
        if (patch !== newest && !isErased(patch)) continue;
        checkOrder(patch.uuid, await reads.prove({ patch, avatar }, signal));
      }
      for (const patch of patches) completion?.add(patch);
      const map = (await completion?.end()) ?? null;
      return answer(content, content ? reads.resting(map) : reads.restingOfNone(map));
    }
    if (tries > 0) refuse('The content', 'It is not what the signed patches add up to.');
  }
}
