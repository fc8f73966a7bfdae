import type { ServiceProcess } from './service-process.js';
import { until } from './until.js';

/** For `startService`: makes the service tell its processor time. */
export const WITH_CPU_PROBE = {
  NODE_OPTIONS: `--import=${new URL('./cpu-probe.mjs', import.meta.url).href}`,
};

/** What the work of `slowness` takes on the machine on which the limits were chosen, in milliseconds. */
const USUAL_MS = 55;
const REPORT = /cpu-probe (\d+) us/g;

/**
 * Milliseconds of processor time, of all threads, that a service started `WITH_CPU_PROBE` has used since its start.
 * Unlike the time of a clock it does not grow while other programs use the machine.
 */
export async function cpuMsOf(service: ServiceProcess): Promise<number> {
  const reports = () => [...service.output().matchAll(REPORT)];
  const before = reports().length;
  service.signal('SIGUSR2');
  await until(() => reports().length > before);
  return Number(reports().at(-1)![1]) / 1000;
}

/**
 * How much slower this machine is than the one on which the limits were chosen, at least 1: processor time for the same
 * work depends on the processor, and on what shares its cache.
 */
export function slowness(): number {
  const text = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ [`member ${index}`]: [index, 'text'] })));
  const measure = (): number => {
    const start = process.cpuUsage();
    JSON.parse(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const figures = Array.from({ length: 5 }, measure).sort((a, b) => a - b);
  return Math.max(1, figures[2]! / USUAL_MS);
}
