import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Sums that prom-client names like counters though they are gauges, which promtool refuses. The numbers stand in
 * `nodejs_active_handles`, `_requests` and `_resources`, by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

let shared: Registry | undefined;

/**
 * Metrics of the process, which several applications may share: memory, CPU time, garbage collection, event-loop delay.
 * Their observers stay for the life of the process, so the registry is made once, and only if metrics are on.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
    for (const name of MISNAMED) shared.removeSingleMetric(name);
  }
  return shared;
}
