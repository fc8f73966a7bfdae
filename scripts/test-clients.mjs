/**
 * `npm run test:clients [language ...]`: generates clients of /openapi.json, builds them and runs the programs of
 * docs/guide/languages, which use them, against a server of its own; then the three verifiers, and the rules of DNSSEC
 * beside those of a crate. Languages whose tools this machine lacks are named and left out. Ends with 1 if something
 * fails, or if a language that was asked for by name is missing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingOf } from './clients/commands.mjs';
import { DNSSEC } from './clients/dnssec.mjs';
import { PROGRAMS } from './clients/programs.mjs';
import { VERIFIERS } from './clients/verifiers.mjs';
import { messageOf } from './message-of.mjs';
import { startOwnServer } from './demo/own-server.mjs';

/** @import { Step } from './clients/types.d.ts' */

/** @typedef {{ result: string, failed?: boolean }} Outcome */

const STEPS = [...PROGRAMS, ...VERIFIERS, ...DNSSEC];
const LANGUAGES = [...new Set(STEPS.map(({ language }) => language))];
const WORK = fileURLToPath(new URL('../.cache/clients', import.meta.url));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !LANGUAGES.includes(name));
if (unknown.length > 0) {
  console.error(`Nothing is written in ${unknown.join(', ')}; there are ${LANGUAGES.join(', ')}.`);
  process.exit(1);
}

mkdirSync(WORK, { recursive: true });
const server = await startOwnServer({ RATE_LIMIT: 'off', LOAD_SHEDDING: 'off' });
writeFileSync(path.join(WORK, 'openapi.json'), await (await fetch(`${server.baseUrl}/openapi.json`)).text());

/** @type {(string | number)[][]} */
const rows = [];
let isFailed = false;
for (const step of STEPS.filter(({ language }) => asked.length === 0 || asked.includes(language))) {
  const { language, what, library, sources, needs } = step;
  const missing = missingOf(needs);
  const isLeftOut = missing.length > 0;
  /** @type {Outcome} */
  const outcome = isLeftOut ? { result: `left out: this machine lacks ${missing.join(', ')}` } : await outcomeOf(step);
  isFailed ||= outcome.failed === true || (isLeftOut && asked.includes(language));
  rows.push([language, what, library, linesOf(sources), outcome.result]);
  console.log(`${language}, ${what}: ${outcome.result}`);
}
await server.close();

const header = ['language', 'what', 'library', 'lines', 'result'];
console.log();
for (const cells of [header, header.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
process.exit(isFailed ? 1 : 0);

/** @param {Step} step @returns {Promise<Outcome>} */
async function outcomeOf(step) {
  try {
    return { result: `ok: ${await step.try({ work: WORK, baseUrl: server.baseUrl })}` };
  } catch (error) {
    return { failed: true, result: `FAILED: ${messageOf(error)}` };
  }
}

/** @param {string[]} files */
function linesOf(files) {
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0);
}
