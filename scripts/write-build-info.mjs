/**
 * Writes dist/build-info.json, the time and the commit of this build, which GET /healthz answers.
 */
import { writeFileSync } from 'node:fs';
import { gitRevision } from './git-revision.mjs';

const info = { built_at: Math.floor(Date.now() / 1000), revision: gitRevision() };
writeFileSync(new URL('../dist/build-info.json', import.meta.url), `${JSON.stringify(info)}\n`);
