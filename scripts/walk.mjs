/**
 * What a new developer does, from an empty folder to a look-up that is verified: each command with its seconds, and the
 * program, which is that of the README. Our packages are packed from this checkout and installed from their tarballs;
 * what they need comes from the registry of npm. `npm run walk -- --help` lists the options.
 */
import './check-node.mjs';
import { exec } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startOwnServer } from './demo/own-server.mjs';

const HELP = `Usage: npm run walk [-- --server URL --who NAME]

Without options, against a server of its own on which a wallet was bound a moment before.`;

const run = promisify(exec);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE = { server: 'https://signet.example', who: '0x4264ae876b5b20f38b84a0339ac25803029b5ebf' };

/**
 * The first program of the README, which asks this server about this name.
 * @param {{ server: string, who: string }} of
 */
function programOf({ server, who }) {
  const [, code = ''] = /^```ts\n([^]*?)^```$/m.exec(readFileSync(path.join(ROOT, 'README.md'), 'utf8')) ?? [];
  return code.replaceAll(EXAMPLE.server, server).replaceAll(EXAMPLE.who, who);
}

/** A server with one bound wallet. */
async function startBoundServer() {
  const { createClient, fromPrivateKey } = await import('@signet/sdk');
  const server = await startOwnServer({});
  const signer = fromPrivateKey(new Uint8Array(randomBytes(32)));
  await createClient({ baseUrl: server.baseUrl }).bind({ platform: 'ethereum', identity: signer.address, signer });
  return { server: server.baseUrl, who: signer.address, close: server.close };
}

/**
 * Runs a command of the walk, shows it with what it says, and returns its seconds.
 * @param {string} folder
 * @param {string} command
 * @throws Error where it fails
 */
async function step(folder, command) {
  const startedAt = performance.now();
  const { stdout } = await run(command, { cwd: folder });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`$ ${command.replace(/\S*\/(?=signet-)/g, '')}    # ${seconds.toFixed(1)} s`);
  return { seconds, stdout };
}

/** @param {{ server: string, who: string }} asked */
async function walk(asked) {
  const folder = mkdtempSync(path.join(tmpdir(), 'signet-walk-'));
  try {
    const packed = path.join(folder, 'packed');
    const app = path.join(folder, 'app');
    mkdirSync(packed);
    mkdirSync(app);
    const packages = ['verify', 'sdk'].map((name) => path.join(ROOT, 'packages', name)).join(' ');
    await run(`npm pack --ignore-scripts --silent --pack-destination ${packed} ${packages}`);
    const tarballs = readdirSync(packed).map((name) => path.join(packed, name));
    const program = programOf(asked);
    const lines = program.trim().split('\n').filter(Boolean);
    const made = await step(app, 'npm init -y');
    const installed = await step(app, `npm install --no-audit --no-fund ${tarballs.join(' ')}`);
    writeFileSync(path.join(app, 'who.mjs'), program);
    console.log(`  who.mjs:\n${lines.map((line) => `    ${line}`).join('\n')}`);
    const asking = await step(app, 'node who.mjs');
    console.log(asking.stdout.trimEnd());
    const seconds = [made, installed, asking].reduce((sum, one) => sum + one.seconds, 0);
    console.log(`\n3 commands, ${lines.length} lines, ${seconds.toFixed(1)} seconds.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: { server: { type: 'string' }, who: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) console.log(HELP);
else if (values.server && values.who) await walk({ server: values.server, who: values.who });
else {
  const own = await startBoundServer();
  try {
    await walk(own);
  } finally {
    await own.close();
  }
}
