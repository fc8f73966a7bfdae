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
 * Words for Node, before a program that lives for seconds: its code, and the engine of the embedded database, are
 * compiled once, and not a second time for speed, which short lives never gain. Halves the processor time of a start on
 * the embedded database and of 200 statements, and a start on PostgreSQL takes a tenth less.
 */
export const QUICK_START = isLongRun ? [] : ['--liftoff-only', '--interrupt-budget=600000'];
