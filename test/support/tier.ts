/** Whether this is `npm run test:long`, which sets TEST_TIER. */
export const isLongRun = process.env.TEST_TIER === 'long';

/**
 * The number of a `.sized.spec.ts`, which both tiers run.
 *
 * @param variable environment variable that replaces the number, for one run by hand
 * @param numbers `short` is for `npm test`, `long` for `npm run test:long`
 */
export function sized(variable: string, { short, long }: { short: number; long: number }): number {
  return Number(process.env[variable] ?? (isLongRun ? long : short));
}

/**
 * Words for Node, before the program, where a process has the embedded database: its engine is compiled once, and not
 * a second time for speed, which short lives never gain. Halves the processor time of a start and of 200 statements.
 */
export const QUICK_ENGINE = isLongRun ? [] : ['--liftoff-only'];
