import { type KvContent, type Profile, readProfile } from '@signet/sdk';
import { replayPatches, type SignedPatch } from '@signet/verify';
import type { Succession } from '@signet/verify/key-events';
import { isUnsigned } from '../chain/chain-list.js';
import { readPatches } from '../chain/use-chain.js';
import { client } from '../shell/api.js';
import { useAnswer } from '../shell/use-answer.js';
import { findHidden, profileItem } from './hidden.js';

/** Pages of changes that are read for the name of one key among others; who has written more has none in a list. */
const MAX_PAGES = 2;

/**
 * The profile that the signed changes of a key add up to, checked here: nobody's name rests on the word of the server.
 * Returns null while it is not known, where there is none, and where a change does not verify or was erased.
 * @param avatar null where no profile is wanted, such as far down in a list
 */
export function useProfile(avatar: string | null, version = 0): Profile | null {
  const answer = useAnswer(
    async (signal) => {
      if (avatar === null || (await findHidden(profileItem(avatar)))) return null;
      return readSignedProfile(avatar, signal);
    },
    [avatar],
    version,
  );
  return answer.state === 'there' ? answer.value : null;
}

async function readSignedProfile(avatar: string, signal: AbortSignal): Promise<Profile | null> {
  const { items, isComplete } = await readPatches(avatar, signal, MAX_PAGES);
  if (!isComplete || items.some(({ ok, item, steps }) => !ok || item.erased || isUnsigned({ steps }))) return null;
  const patches = items.map(({ item }) => item as SignedPatch);
  const events = patches.length === 0 ? [] : await client.keys.chain(avatar, { signal }).toArray();
  if (events.length === 0) return profileOf(avatar, patches);
  const { ok, state } = (await import('../recovery/keys-of.js')).checkedKeys(avatar, events);
  return ok ? profileOf(avatar, ownPatches(patches, state.succession)) : null;
}

/** The profile that patches add up to, all of which verify. Returns null where there is none. */
export function profileOf(avatar: string, patches: SignedPatch[]): Profile | null {
  return readProfile({ avatar, proofs: replayPatches(patches) as KvContent['proofs'] });
}

/** The patches that count: where another key has come after an Avatar, up to the last one that its owner names. */
export function ownPatches(patches: SignedPatch[], succession: Pick<Succession, 'since_patch'> | null): SignedPatch[] {
  if (!succession) return patches;
  return patches.slice(0, patches.findIndex(({ uuid }) => uuid === succession.since_patch) + 1);
}
