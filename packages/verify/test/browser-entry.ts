/** The cases for a page: answers the names of those that fail, each with its reason. */
import { casesOf, type Vectors } from './cases.js';

async function runCases(vectors: Vectors): Promise<{ count: number; failures: string[] }> {
  const cases = casesOf(vectors);
  const failures: string[] = [];
  for (const { name, run } of cases) {
    try {
      await run();
    } catch (error) {
      failures.push(`${name}: ${String(error)}`);
    }
  }
  return { count: cases.length, failures };
}

Object.assign(globalThis, { runCases });
