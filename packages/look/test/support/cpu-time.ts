/** What the work of `slowness` takes on the machine on which the limits were chosen, in milliseconds. */
const USUAL_MS = 15;

/** What `slowness` parses: objects of some megabytes, more than the caches of one core hold. */
let workText: string | undefined;

/**
 * How much slower this machine is than the one on which the limits were chosen, at least 1: processor time for the same
 * work depends on the processor, and on what shares its cache.
 */
export function slowness(): number {
  workText ??= JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ [`member ${index}`]: [index, 'text'] })));
  const text = workText;
  const measure = (): number => {
    const start = process.cpuUsage();
    JSON.parse(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const figures = Array.from({ length: 5 }, measure).sort((a, b) => a - b);
  return Math.max(1, figures[2]! / USUAL_MS);
}

let known = { factor: 1, at: -Infinity };

/** `slowness`, looked at every ten seconds, since the look costs more than most of what is measured. */
export function slownessNow(): number {
  if (performance.now() - known.at > 10_000) known = { factor: slowness(), at: performance.now() };
  return known.factor;
}

/**
 * Milliseconds of processor time that work in this process takes, on the machine on which the limits were chosen: the
 * smallest of some measurements, because what else runs only adds.
 */
export function leastCpuMs(work: () => unknown): number {
  work(); // compiles it
  const figures = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...figures) / slownessNow();
}
