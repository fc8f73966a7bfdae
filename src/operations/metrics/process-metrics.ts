import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * Metrics of the process, which several applications may share: memory, CPU time, garbage collection, event-loop delay.
 * Their observers stay for the life of the process, so the registry is made once, and only if metrics are on.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
