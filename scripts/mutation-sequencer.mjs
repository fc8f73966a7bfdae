import { createRequire } from 'node:module';
import { seenOf } from './jest-circus-for-mutants.mjs';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Runs the fastest file first: mostly it kills the mutant, and the slow ones need not run. */
export default class FastestFirst extends Sequencer {
  /** @param {{ path: string }[]} tests */
  sort(tests) {
    return [...tests].sort((one, other) => seenOf(one.path).ms - seenOf(other.path).ms);
  }
}
