/** Why tests cannot run on this machine, in a few words; null where all that they need is there. */
export type Lack = string | null;

const isComplete = process.env.CI_COMPLETE === '1';

/**
 * A suite that needs what a machine may lack. Its tests are skipped there, with the reason in their name. With
 * CI_COMPLETE=1, which `.ci/run` sets, one failed test stands in their place.
 */
export function describeUnless(lack: Lack, name: string, suite: () => void): void {
  if (lack === null) describe(name, suite);
  else if (isComplete) describe(name, () => it('has what it needs', () => failFor(lack)));
  else describe.skip(`${name} (left out: ${lack})`, suite);
}

/** A single such test. */
export function itUnless(lack: Lack, name: string, test: () => Promise<void> | void, timeoutMs?: number): void {
  if (lack === null) it(name, async () => test(), timeoutMs);
  else if (isComplete) it(name, () => failFor(lack));
  else it.skip(`${name} (left out: ${lack})`, async () => test());
}

/** @throws Error */
function failFor(lack: string): never {
  throw new Error(`CI_COMPLETE is 1, and ${lack}.`);
}
