/**
 * Vectors that are changed at random, with the results of `packages/verify`, which the other verifiers have to share.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseObject } from '@signet/verify/internal';
import { JUDGES } from '../vectors/package-verifier.mjs';
import { generator } from './random.mjs';

/** @import { Random } from './random.mjs' */

/**
 * The member that is changed in the vectors of a file. The other members describe how to check it.
 * @type {Record<string, string[]>}
 */
const CHANGED = {
  'keys.json': ['text'],
  'signatures.json': ['signature'],
  'wallets.json': ['extra', 'identity', 'text'],
  'chains.json': ['links'],
  'patch-chains.json': ['patches'],
  'key-events.json': ['events'],
  'app-patches.json': ['events', 'patches'],
  'evidence.json': ['text'],
  'verifier-keys.json': ['text'],
  'policies.json': ['policy'],
  'checkpoints.json': ['note'],
  'proofs.json': ['proof', 'item'],
  'receipts.json': ['receipt'],
  'next-logs.json': ['note', 'key'],
  'seen-statements.json': ['note'],
  'observers.json': ['observers'],
  'seen.json': ['notes'],
};

/** @typedef {typeof JUDGES[string]} Judge */

const JUNK = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  ' ',
  '0',
  [],
  {},
  [1],
  { a: 1 },
  '\u0000',
  '\ufeff',
  '\u2028',
  '0x',
  '𝒳',
  '__proto__',
];

/**
 * Writes a folder of vectors, `count` for each file of which vectors can be changed.
 * @param {string} from @param {string} to @param {number} count
 * @param {number} seed a whole number; the same one makes the same vectors
 */
export async function writeChangedVectors(from, to, count, seed) {
  const random = generator(seed);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  cpSync(path.join(from, 'exports'), path.join(to, 'exports'), { recursive: true });
  /** @param {string} name */
  const read = (name) => readFileSync(path.join(from, name), 'utf8');
  for (const file of Object.keys(JUDGES)) {
    const { vectors } = JSON.parse(read(file));
    /** @type {object[]} */
    const changed = [];
    for (let number = 0; number < (file in CHANGED || file === 'exports.json' ? count : 0); number++) {
      const vector =
        file === 'exports.json'
          ? anExport(read, random)
          : aVector(vectors[random(vectors.length)], CHANGED[file], random);
      const expected = vector && (await expectedOf(JUDGES[file], vector, from));
      if (expected) changed.push({ ...vector, id: `${seed}-${number}`, expected });
    }
    writeFileSync(path.join(to, file), JSON.stringify({ vectors: changed }));
  }
}

/** @param {(name: string) => string} read @param {Random} random */
function anExport(read, random) {
  const text = read(
    `exports/${['full', 'full', 'complete', 'complete-erased', 'contract-wallet', 'patches-alone'][random(6)]}.json`,
  );
  const written = random(10) === 0 ? changedText(text, random) : JSON.stringify(changedValue(JSON.parse(text), random));
  const policy = random(4) > 0 ? { policy: read('exports/policy.txt'), now: 1_718_010_000 } : {};
  return { text: written, ...policy };
}

/**
 * Null if the changed value is not of a kind that verifiers are asked about.
 * @param {Record<string, any>} vector
 * @param {string[]} members
 * @param {Random} random
 */
function aVector(vector, members, random) {
  const member = members[random(members.length)];
  const before = vector[member];
  if (typeof before === 'string') return { ...vector, [member]: changedText(before, random) };
  const after = changedValue(before, random);
  return Array.isArray(after) === Array.isArray(before) && { ...vector, [member]: after };
}

/**
 * Null if the value has no canonical JSON (half a surrogate pair): other programs could not read the file.
 * @param {Judge} judge
 * @param {object} vector
 * @param {string} folder
 */
async function expectedOf(judge, vector, folder) {
  const expected = JSON.parse(JSON.stringify(await judge(vector, folder)));
  return parseObject(JSON.stringify({ vector, expected })) && expected;
}

/** @param {string} text @param {Random} random */
function changedText(text, random) {
  const [at, other] = [random(text.length + 1), random(text.length + 1)];
  const [start, end] = [Math.min(at, other), Math.max(at, other)];
  const changes = [
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + String.fromCharCode(random(0x250)) + text.slice(at),
    () => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1),
    () => text.slice(0, at),
    () => text + text,
    () => text.slice(0, start) + text.slice(end),
    () => text.replace('\n', '\n\n'),
    () => text.slice(0, at) + text.slice(other, other + 3) + text.slice(at + 3),
  ];
  return changes[random(changes.length)]();
}

/**
 * Removes, adds, exchanges or changes something at a random place of the value.
 * @param {any} value
 * @param {Random} random
 * @param {number} [depth]
 * @returns {any}
 */
function changedValue(value, random, depth = 0) {
  if (typeof value === 'string' && random(4) > 0) return changedText(value, random);
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (names.length === 0 || (depth > 1 && random(8) === 0)) return JUNK[random(JUNK.length)];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const [name, other] = [names[random(names.length)], names[random(names.length)]];
  const kind = depth > 0 ? random(25) : -1;
  if (kind === 0) [copy[name], copy[other]] = [copy[other], copy[name]];
  else if (kind === 1 && Array.isArray(copy)) copy.splice(Number(name), 0, JUNK[random(JUNK.length)]);
  else if (kind === 1) copy[`more${other}`] = JUNK[random(JUNK.length)];
  else if (kind === 2 && Array.isArray(copy)) copy.splice(Number(name), 1);
  else if (kind === 2) delete copy[name];
  else copy[name] = changedValue(copy[name], random, depth + 1);
  return copy;
}
