/**
 * Mutation testing: changes the code in thousands of small ways and expects a test to fail for each. Runs for hours;
 * the parts stand in scripts/mutation-parts.mjs.
 *
 *   npm run test:mutation                                          all parts
 *   npm run test:mutation -- crypto verifiers                      some of them
 *   npm run test:mutation -- rules --mutate packages/verify/src/text/merge-patch.ts  what follows goes to Stryker
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import setUp from '../test/support/global-setup.mjs';
import tearDown from '../test/support/global-teardown.mjs';
import { PARTS } from './mutation-parts.mjs';
import { scoreOf } from './mutation-score.mjs';

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => !(word in PARTS));
const [asked, options] = firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)];
const parts = asked.length > 0 ? asked : Object.keys(PARTS);

const needsDatabase = parts.some((part) => PARTS[part].needsDatabase);
if (needsDatabase) await setUp();
let failed = 0;
const scores = [];
for (const part of parts) {
  const env = { ...process.env, TEST_ENGINE: 'postgres', TEST_UNTIL_MS: '8000', MUTATION_PART: part };
  const stryker = spawn('npx', ['stryker', 'run', 'test/config/stryker.config.mjs', ...options], {
    stdio: 'inherit',
    env,
  });
  const [code] = await once(stryker, 'exit');
  if (code !== 0) failed += 1;
  scores.push(await scoreOf(part).catch((error) => `${part}: no report: ${error.message}`));
}
if (needsDatabase) await tearDown();
console.log(scores.join('\n'));
process.exit(failed === 0 ? 0 : 1);
