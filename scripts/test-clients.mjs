/**
 * `npm run test:clients [language ...]`: the programs of docs/guide/languages against a server of their own, in each
 * language whose tools this machine has, and the clients that openapi-generator makes of /openapi.json, built. Names
 * the languages that are left out; ends with 1 if something fails, or if a language that was asked for by name is
 * missing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startOwnServer } from './demo/own-server.mjs';
import { BadInput, checkProgram } from './clients/program.mjs';
import { LANGUAGES, ROOT } from './clients/languages.mjs';
import { generateClient } from './clients/generator.mjs';

const WORK = path.join(ROOT, '.cache/clients');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in LANGUAGES));
if (unknown.length > 0) {
  console.error(`There is no program in ${unknown.join(', ')}; there are ${Object.keys(LANGUAGES).join(', ')}.`);
  process.exit(1);
}

mkdirSync(WORK, { recursive: true });
const server = await startOwnServer({ RATE_LIMIT: 'off', LOAD_SHEDDING: 'off' });
const document = await (await fetch(`${server.baseUrl}/openapi.json`)).text();
writeFileSync(path.join(WORK, 'openapi.json'), document);

const rows = [];
let isFailed = false;
for (const name of asked.length > 0 ? asked : Object.keys(LANGUAGES)) {
  const language = LANGUAGES[name];
  const missing = language.needs.filter(([command, ...words]) => spawnSync(command, words).status !== 0);
  if (missing.length > 0) {
    rows.push({ name, result: `left out: this machine lacks ${missing.map(([command]) => command).join(', ')}` });
    isFailed ||= asked.includes(name);
    continue;
  }
  const folder = path.join(WORK, name);
  rmSync(path.join(folder, 'cursor'), { force: true });
  cpSync(path.join(ROOT, 'docs/guide/languages', name), folder, { recursive: true });
  const lines = readFileSync(path.join(folder, language.source), 'utf8').trimEnd().split('\n').length;
  try {
    for (const [command, ...words] of language.build(WORK)) run(folder, command, words);
    await checkProgram({ folder, command: language.command(WORK), baseUrl: server.baseUrl });
    const client = generateClient(name, language, WORK, run);
    rows.push({ name, library: language.library, lines, result: `ok; generated client: ${client}` });
  } catch (error) {
    isFailed = true;
    rows.push({
      name,
      library: language.library,
      lines,
      result: error instanceof BadInput ? error.message : String(error),
    });
  }
}
await server.close();

console.log('\n| language | library | lines | result |\n| --- | --- | --- | --- |');
for (const { name, library = '', lines = '', result } of rows)
  console.log(`| ${name} | ${library} | ${lines} | ${result} |`);
process.exit(isFailed ? 1 : 0);

/** @throws Error with what the command said if it fails */
function run(cwd, command, words) {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status === 0) return;
  const said = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n');
  throw new Error(`${path.basename(command)} ${words.slice(0, 3).join(' ')}: ${said}`);
}
