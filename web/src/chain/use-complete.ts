import { useCompleteness } from '../log/use-completeness.js';
import type { ShownStep } from '../parts/steps.js';
import type { KeysRead } from '../recovery/keys-of.js';
import type { Asked } from '../shell/use-answer.js';
import type { LoggedList } from './use-log.js';

/**
 * Whether the map over the log says that no link and no key event of this Avatar is left out, once both were read whole
 * and nothing of them is wrong; null before, and where the server keeps no map or no log.
 */
export function useComplete(
  { links, isWithoutLog, keys }: LoggedList & { keys: Asked<KeysRead | null> },
  avatar: string,
): ShownStep | null {
  const { items, isComplete, version } = links;
  const events = keys.state === 'there' ? (keys.value?.events ?? []) : null;
  const isGood = isComplete && events !== null && !isWithoutLog && items.every(({ ok }) => ok);
  return useCompleteness(
    isGood
      ? async (signal) => {
          const found = items.map(({ item }) => item);
          return (await import('../log/log-check.js')).completeStep({ links: found, keys: events }, avatar, signal);
        }
      : null,
    [items.length, events?.length, version, avatar],
  );
}
