/**
 * Writes vectors/: the expected results of verifiers for keys, signatures, chains, exports and proofs.
 *
 * npm run vectors               writes the files
 * npm run vectors -- --check    exits with 1 and names the files that are not up to date, and the vectors of which
 *                               `packages/verify` says something else
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { appKeyEvents, appPatches } from './vectors/app-patches.mjs';
import { archive, dataItems } from './vectors/archive.mjs';
import { chains } from './vectors/chains.mjs';
import { checkpoints, proofs } from './vectors/checkpoints.mjs';
import { evidence } from './vectors/evidence.mjs';
import { exportFiles, exports } from './vectors/exports.mjs';
import { holds } from './vectors/holds.mjs';
import { checkVectors } from './vectors/package-verifier.mjs';
import { keyEvents } from './vectors/key-events.mjs';
import { maps } from './vectors/maps.mjs';
import { nextLogs } from './vectors/next-logs.mjs';
import { mergePatches, patchChains } from './vectors/patches.mjs';
import { bip340 } from './vectors/nostr.mjs';
import { passkeys } from './vectors/passkeys.mjs';
import { platformProofs } from './vectors/platform-proofs.mjs';
import { policies, verifierKeys } from './vectors/policies.mjs';
import { receipts } from './vectors/receipts.mjs';
import { observerLists, quorums, seenStatements } from './vectors/seen.mjs';
import { keys, payloads, signatures, wallets } from './vectors/texts.mjs';
import { entries, trees } from './vectors/trees.mjs';

const FOLDER = fileURLToPath(new URL('../vectors/', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const files = {
  'keys.json': keys(),
  'payloads.json': payloads(),
  'signatures.json': signatures(),
  'wallets.json': wallets(),
  'bip340.json': bip340(),
  'passkeys.json': passkeys(),
  'chains.json': chains(),
  'patch-chains.json': patchChains(),
  'merge-patches.json': mergePatches(),
  'key-events.json': keyEvents(appKeyEvents()),
  'holds.json': holds(),
  'app-patches.json': appPatches(),
  'evidence.json': evidence(),
  'platform-proofs.json': platformProofs(),
  'archive.json': archive(),
  'data-items.json': dataItems(),
  'log-entries.json': entries(),
  'trees.json': trees(),
  'maps.json': maps(),
  'verifier-keys.json': verifierKeys(),
  'policies.json': policies(),
  'checkpoints.json': checkpoints(),
  'proofs.json': proofs(),
  'receipts.json': receipts(),
  'next-logs.json': nextLogs(),
  'seen-statements.json': seenStatements(),
  'observers.json': observerLists(),
  'seen.json': quorums(),
  'exports.json': exports(),
  ...exportFiles(),
};

const there = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(json|txt)$/.test(name));
for (const [name, content] of Object.entries(files)) {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  const file = path.join(FOLDER, name);
  mkdirSync(path.dirname(file), { recursive: true });
  if (!values.check) writeFileSync(file, text);
  else if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) stale(name);
}
for (const name of there.filter((other) => !(other in files))) {
  if (values.check) stale(name);
  else rmSync(path.join(FOLDER, name));
}
if (values.check) {
  const { count, differences } = await checkVectors(FOLDER);
  for (const difference of differences) console.error(difference);
  console.log(`${count - differences.length} of ${count} vectors as expected`);
  if (differences.length > 0) process.exitCode = 1;
}

/** @param {string} name */
function stale(name) {
  console.error(`vectors/${name} is not what the sources say; run: npm run vectors`);
  process.exitCode = 1;
}
