import { useCompleteness } from '../log/use-completeness.js';
import type { ShownStep } from '../parts/steps.js';
import type { LoggedList } from './use-log.js';

/**
 * Whether the map over the log says that no link of this Avatar is left out, once the list was read whole and nothing
 * of it is wrong; null before, and where the server keeps no map or no log.
 */
export function useComplete({ links, isWithoutLog }: LoggedList, avatar: string): ShownStep | null {
  const { items, isComplete, version } = links;
  const isGood = isComplete && !isWithoutLog && items.every(({ ok }) => ok);
  return useCompleteness(
    isGood
      ? async (signal) => {
          const found = items.map(({ item }) => item);
          return (await import('../log/log-check.js')).completeStep(found, avatar, signal);
        }
      : null,
    [items.length, version, avatar],
  );
}
