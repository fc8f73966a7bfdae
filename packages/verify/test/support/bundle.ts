import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SCRIPT = fileURLToPath(new URL('bundle-one.mjs', import.meta.url));

/**
 * One file of JavaScript for a browser, minified, from an entry in TypeScript or JavaScript. In a process of its own,
 * because the bundler's native part does not take the objects of jest's sandbox.
 */
export function bundleOf(entry: string, cwd?: string): string {
  return execFileSync(process.execPath, [SCRIPT, entry], { encoding: 'utf8', maxBuffer: 1 << 24, cwd });
}

/**
 * The file of `bundleOf` as a classic script. It has run once it is in a page; a module, whose text a page is given,
 * runs some time afterwards, and no event of Playwright says when.
 */
export function scriptOf(entry: string): string {
  return `(() => {${bundleOf(entry).replace(/export\s*\{\s*\};?/, '')}\n})();`;
}

/** Bytes after gzip. */
export function zippedSize(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
