import type { KeysRead } from '../recovery/keys-of.js';
import { client } from '../shell/api.js';
import { type Asked, useAnswer } from '../shell/use-answer.js';

/**
 * What an Avatar said about its keys, checked here; null where it said nothing, as most do: the code that checks it is
 * loaded for the others alone.
 */
export function useKeyEvents(avatar: string, version: number): Asked<KeysRead | null> {
  return useAnswer(
    async (signal) => {
      const events = await client.keys.chain(avatar, { signal }).toArray();
      return events.length === 0 ? null : (await import('../recovery/keys-of.js')).checkedKeys(avatar, events);
    },
    [avatar],
    version,
  );
}
