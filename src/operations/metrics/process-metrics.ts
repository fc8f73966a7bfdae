import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * What there is one of in a process, however many applications run in it: memory, CPU time, garbage collection,
 * event-loop delay. The observers that this needs stay for the life of the process, so it is made once, and only where
 * somebody wants metrics.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
