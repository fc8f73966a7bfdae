import { execFileSync } from 'node:child_process';

/** The commit of the checkout, else SIGNET_REVISION, else `unknown`. */
export function gitRevision() {
  try {
    /** @param {...string} words */
    const git = (...words) =>
      execFileSync('git', words, {
        cwd: new URL('..', import.meta.url),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    return git('rev-parse', 'HEAD').trim();
  } catch {
    return process.env.SIGNET_REVISION || 'unknown';
  }
}
