/**
 * Writes dist/build-info.json: when this build was made and from which commit. GET /healthz answers with it.
 */
import { writeFileSync } from 'node:fs';
import { gitRevision } from './git-revision.mjs';

const info = { built_at: Math.floor(Date.now() / 1000), revision: gitRevision() };
writeFileSync(new URL('../dist/build-info.json', import.meta.url), `${JSON.stringify(info)}\n`);
