/** The cases for a page: answers the names of those that fail, each with its reason. */
import { casesOf, type Vectors } from './cases.js';

function runCases(vectors: Vectors): { count: number; failures: string[] } {
  const cases = casesOf(vectors);
  const failures = cases.flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  });
  return { count: cases.length, failures };
}

Object.assign(globalThis, { runCases });
