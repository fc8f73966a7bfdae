/**
 * Mutation testing: changes the code in thousands of small ways and expects a test to fail for each. Starts one
 * PostgreSQL for all runs.
 *
 *   npm run test:mutation                                          both parts: rules, stores
 *   npm run test:mutation -- rules                                 one of them
 *   npm run test:mutation -- rules --mutate packages/verify/src/merge-patch.ts  what follows goes to Stryker
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import setUp from '../test/support/global-setup.mjs';
import tearDown from '../test/support/global-teardown.mjs';

const PARTS = ['rules', 'stores'];
const [first, ...rest] = process.argv.slice(2);
const parts = PARTS.includes(first) ? [first] : PARTS;

await setUp();
let failed = 0;
for (const part of parts) {
  const env = { ...process.env, TEST_ENGINE: 'postgres', MUTATION_PART: part };
  const stryker = spawn('npx', ['stryker', 'run', ...rest], { stdio: 'inherit', env });
  const [code] = await once(stryker, 'exit');
  if (code !== 0) failed += 1;
}
await tearDown();
process.exit(failed === 0 ? 0 : 1);
