import { readFileSync } from 'node:fs';
import { SERVICE_FOLDER } from './service-folder.js';

/** The version of this service, such as `0.2.0`. */
export const SERVICE_VERSION = (
  JSON.parse(readFileSync(new URL('package.json', SERVICE_FOLDER), 'utf8')) as { version: string }
).version;

/** Below zero if version `a` is older than `b`, such as `0.9.1` and `0.10.0`; zero if they are the same. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  return left.map((number, place) => number - right[place]!).find((difference) => difference !== 0) ?? 0;
}

/** The next version that servers of `version` may run beside: `0.2.7` gives `0.3`. */
export function nextMinor(version: string): string {
  const [major, minor] = numbersOf(version);
  return `${major}.${minor! + 1}`;
}

/** Major, minor and patch; what is missing is zero. */
function numbersOf(version: string): number[] {
  const parts = version.split(/[.-]/).map(Number);
  return [0, 1, 2].map((place) => parts[place] || 0);
}
