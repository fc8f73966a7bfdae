import { readFileSync } from 'node:fs';
import { BUILT_FOLDER } from './service-folder.js';

/** When this build was made and from which commit. */
export interface BuildInfo {
  /** UNIX seconds. */
  builtAt: number;
  revision: string;
}

const FILE = new URL('build-info.json', BUILT_FOLDER);

/** What the build wrote; where sources run without a build (tests), the start of the process and `unknown`. */
export function readBuildInfo(file: URL = FILE): BuildInfo {
  try {
    const info = JSON.parse(readFileSync(file, 'utf8')) as { built_at: number; revision: string };
    return { builtAt: info.built_at, revision: info.revision };
  } catch {
    return { builtAt: Math.floor(Date.now() / 1000 - process.uptime()), revision: 'unknown' };
  }
}
