/** Reads the content of an Avatar, and holds it against its signed patches: loaded when it is used. */
import type { SignedPatch } from '@signet/verify';
import type { KeyState } from '@signet/verify/key-events';
import type { KvContent, KvPatch } from '../answers.js';
import { askedKey, orderChecker, refuse } from '../checks.js';
import { nullWhereNotFound } from '../errors.js';
import { isContent } from './answer-forms.js';
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
  const complete = await reads.complete();
  const completion = await complete?.patches(avatar, signal);
  const keys = complete && (await reads.keyStateOf(avatar, complete, signal));
  for (let tries = 0; ; tries++) {
    const content = await reads.transport
      .call<KvContent>({ path: '/v1/kv', query: { avatar }, signal, hasForm: isContent })
      .catch(nullWhereNotFound);
    const answer = (found: KvContent | null, resting: Resting) => {
      onResting?.(resting);
      return found && { ...found, resting };
    };
    if (!reads.verifies || (!content && !completion)) return answer(content, ON_THE_SERVER);
    const [patches, { isErased }] = await Promise.all([reads.patchesOf(avatar, signal), reads.rules()]);
    const proofs = await countedEntries(reads, { avatar, patches, shown: content?.proofs ?? [] }, keys, signal);
    if (proofs) {
      const newest = patches.at(-1);
      const checkOrder = orderChecker();
      for (const patch of patches as SignedPatch[]) {
        // The signature of the newest covers all before it, but not that a text was erased.
        if (patch !== newest && !isErased(patch)) continue;
        checkOrder(patch.uuid, await reads.prove({ patch, avatar }, signal));
      }
      for (const patch of patches) completion?.add(patch);
      const map = (await completion?.end()) ?? null;
      // The events that were read before the patches do not say what stopped these.
      const isHeld = keys && (keys.isFrozen || keys.succession);
      if (map && isHeld) await reads.keyStateOf(avatar, complete, signal, { patches: patches.length, map });
      return answer(content && { ...content, proofs }, content ? reads.resting(map) : reads.restingOfNone(map));
    }
    if (tries > 0) refuse('The content', 'It is not what the signed patches add up to.');
  }
}

/**
 * The entries of the content that count by the key events of the Avatar.
 * @param known null where the key events are not demanded: they are asked for where patches add up to something else
 * @returns null where the patches do not add up to the content
 */
async function countedEntries(
  reads: CheckedReads,
  { avatar, patches, shown }: { avatar: string; patches: KvPatch[]; shown: KvContent['proofs'] },
  known: KeyState | null,
  signal: AbortSignal | undefined,
): Promise<KvContent['proofs'] | null> {
  const { addsUp } = await reads.rules();
  if (!known && (await addsUp(reads, avatar, patches, { proofs: shown }, signal))) return shown;
  const keys = known ?? (await reads.keyStateOf(avatar, null, signal));
  return (await import('../keys/applied-keys.js')).ownEntries(reads, { avatar, patches, shown, keys }, signal);
}
