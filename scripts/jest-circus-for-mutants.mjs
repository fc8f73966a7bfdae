/**
 * Runs a test file as jest does, but for one mutant only as far as needed: a file without a test that reaches the
 * mutant is not even loaded, slow tests come last, and after the first failure, which kills the mutant, nothing else
 * runs. Stryker's runner for jest loads every file and runs every test that reaches the mutant, in the order of the
 * file, which takes several times as long.
 * (It takes a runner for `jest-circus` where that is in the name of the file.)
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * @typedef {{ names: string[], slow: string[], ms: number }} Seen
 * @typedef {{ type: string, name: string, children: Block[] }} Block a test, or a block of tests
 */

const RUNNER = 'jest-circus/runner';
const require = createRequire(import.meta.url);
/** @type {{ default: (...given: unknown[]) => Promise<any> }} */
const { default: runFile } = require(RUNNER);
const { createEmptyTestResult } = require('@jest/test-result');

/** Tests and times of each file in the run without a mutant, in Stryker's copy of the repository. */
const SEEN = '.cache/seen-tests.json';

/** Tests that took longer without a mutant run behind the others of their file. */
const SLOW_MS = 250;

/**
 * The mutant that a test has killed already.
 * @type {string | null}
 */
let killed = null;

/**
 * The runner that jest calls with objects of its own.
 * @see https://jestjs.io/docs/configuration#testrunner-string
 * @param {{ testNamePattern?: string }} globalConfig
 * @param {object} config
 * @param {{ handleTestEvent?: (event: any, state: any) => Promise<void> }} environment
 * @param {object} runtime
 * @param {string} testPath
 * @param {Function} send
 */
export default async function runForMutant(globalConfig, config, environment, runtime, testPath, send) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (!mutant) {
    const startsAt = performance.now();
    const result = await runFile(globalConfig, config, environment, runtime, testPath, send);
    return keep(testPath, result, startsAt);
  }
  // Stryker's pattern has the whole name of each test; anchored, it is matched in a fraction of the time.
  const testNamePattern = globalConfig.testNamePattern && `^(?:${globalConfig.testNamePattern})$`;
  const pattern = new RegExp(testNamePattern ?? '');
  if (killed === mutant || !seenOf(testPath).names.some((name) => pattern.test(name))) return skipped(testPath);
  const handle = environment.handleTestEvent;
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'run_start') slowLast(state.rootDescribeBlock, new Set(seenOf(testPath).slow));
    if (event.name === 'test_done' && event.test.errors.length > 0) killed = mutant;
    if (event.name === 'test_start' && killed === mutant) event.test.mode = 'skip';
    await handle?.call(environment, event, state);
  };
  return runFile({ ...globalConfig, testNamePattern }, config, environment, runtime, testPath, send);
}

function allSeen() {
  return existsSync(SEEN) ? JSON.parse(readFileSync(SEEN, 'utf8')) : {};
}

/**
 * The names of the tests in a file, those of them that are slow, and how long the file took.
 * @param {string} testPath
 * @returns {Seen}
 */
export function seenOf(testPath) {
  return allSeen()[testPath] ?? { names: [], slow: [], ms: 0 };
}

/**
 * Moves slow tests, and blocks with a slow test in them, behind the others of their block.
 * @param {Block} block
 * @param {Set<string>} slow whole names of tests
 * @param {string} [name] of what is around the block
 * @returns {boolean} whether one of the block is slow
 */
function slowLast(block, slow, name = '') {
  /** @param {Block} child */
  const isSlow = (child) => {
    const whole = `${name}${child.name}`;
    return child.type === 'test' ? slow.has(whole) : slowLast(child, slow, `${whole} `);
  };
  const marked = block.children.map((child) => ({ child, rank: Number(isSlow(child)) }));
  block.children = marked.sort((one, other) => one.rank - other.rank).map(({ child }) => child);
  return marked.some(({ rank }) => rank > 0);
}

/**
 * @param {string} testPath
 * @param {{ testResults: { fullName: string, duration: number }[] }} result
 * @param {number} startsAt
 */
function keep(testPath, result, startsAt) {
  const names = result.testResults.map(({ fullName }) => fullName);
  const slow = result.testResults.filter(({ duration }) => duration > SLOW_MS).map(({ fullName }) => fullName);
  mkdirSync('.cache', { recursive: true });
  writeFileSync(SEEN, JSON.stringify({ ...allSeen(), [testPath]: { names, slow, ms: performance.now() - startsAt } }));
  return result;
}

/**
 * The result of a file of which no test ran; jest needs one test in it.
 * @param {string} testPath
 */
function skipped(testPath) {
  return {
    ...createEmptyTestResult(),
    testFilePath: testPath,
    numPendingTests: 1,
    testResults: [{ fullName: '', title: '', ancestorTitles: [], failureMessages: [], status: 'pending' }],
  };
}
