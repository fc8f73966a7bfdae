/**
 * `npm run test:witness`: the log of this service with a foreign witness, litewitness of FiloSottile/torchwood, and its
 * own witness with a foreign client (scripts/witness/main.go). Needs Go; if it cannot run, it prints what is missing
 * and ends with 1.
 */
import './ensure-built.mjs';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingOf, run } from './clients/commands.mjs';
import { messageOf } from './message-of.mjs';
import { aLitewitness, aSignet, until } from './witness/programs.mjs';

const SOURCES = fileURLToPath(new URL('witness/', import.meta.url));
const BUILT = fileURLToPath(new URL('../.cache/witness/', import.meta.url));
const ORIGIN = 'signet.example/log';
const WITNESS_NAME = 'signet.example/witness';

if (missingOf([['go', 'version']]).length > 0) {
  console.error('Missing on this machine: go. litewitness and its client are built with it.');
  process.exit(1);
}
const { noteSigner } = await import('@signet/verify/log-sign');
const { writeVerifierKey } = await import('@signet/verify/log');
const { person } = await import('./vectors/people.mjs');
const { bindWallet } = await import('./clients/bind-wallet.mjs');

const tools = build();
const folder = mkdtempSync(path.join(tmpdir(), 'signet-witness-'));
/** @param {string} name */
const inFolder = (name) => path.join(folder, name);
const seed = person('log').secret;
const logSettings = { LOG_ORIGIN: ORIGIN, LOG_KEY: Buffer.from(seed).toString('hex') };
const logKey = writeVerifierKey(noteSigner(ORIGIN, seed).key);
const [dataDir, olderDataDir, keptDataDir] = ['data', 'older', 'kept'].map(inFolder);

const litewitness = await aLitewitness(tools, folder, 'litewitness.example/w', person('litewitness').secret);
/** @type {Awaited<ReturnType<typeof aSignet>> | undefined} */
let running;
let wallets = 0;
let isFailed = false;
try {
  await check();
} catch (error) {
  isFailed = true;
  console.error(`FAILED: ${messageOf(error)}`);
  if (running) console.error(running.said.split('\n').slice(-10).join('\n'));
} finally {
  await running?.stop('SIGKILL');
  await litewitness.end();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isFailed ? 1 : 0);

async function check() {
  await litewitness.start();
  await startSignet();
  // Of a given key somebody has to say that its log is new.
  await signet().stop();
  logCommand('new-origin', 'the first log of this key');
  await startSignet();
  // litewitness makes its tables when it starts.
  client('add-log', litewitness.database, ORIGIN, logKey);
  const policy = inFolder('policy.txt');
  writeFileSync(policy, policyText(litewitness.key));
  const cosigned = async () => {
    const { size, witnesses } = await until('the cosignature of all entries', isCosigned);
    return `litewitness signed ${size} entries at ${new Date(witnesses[0].cosigned_at * 1000).toISOString()}`;
  };

  await grow(2);
  say('cosignatures are obtained', await cosigned());
  say('and served', `torchwood read ${read(policy)} entries under a checkpoint of log and litewitness: quorum met`);
  const { links } = await signet().get('/v1/proofchain/changes?last_id=0');
  writeFileSync(inFolder('proof.txt'), await signet().text(`/v1/log/proof?uuid=${links[0].uuid}`));
  client('prove', policy, inFolder('proof.txt'));
  say('a proof of a link', 'verifies by torchwood under the same policy');

  await litewitness.stop();
  await grow(1);
  await until('the problem', async () => (await signet().get('/v1/log')).witnesses[0].problem !== '');
  say('litewitness is down', `GET /v1/log: ${(await signet().get('/v1/log')).witnesses[0].problem}`);
  await litewitness.start();
  say('litewitness is restarted', await cosigned());
  await restartSignet();
  await grow(1);
  say('the service is restarted', `${await cosigned()}; torchwood read ${read(policy)} entries`);

  await askOurWitness(policy);
  await rollBack();
}

/**
 * Our witness watches the log of its own service here; the client is torchwood.
 * @param {string} policy
 */
async function askOurWitness(policy) {
  const { verifier_key: key } = await signet().get('/v1/witness');
  /** @param {...(string | number)} words */
  const ask = (...words) =>
    client('ask', `${signet().baseUrl}/log`, policy, `${signet().baseUrl}/witness`, key, ...words);
  /** @param {string} what @param {string} said @param {RegExp} pattern */
  const expect = (what, said, pattern) => {
    if (!pattern.test(said)) throw new Error(`our witness, ${what}: ${said}`);
    say(`our witness, ${what}`, said);
  };
  const { size: before } = await signet().get('/v1/log');
  expect('asked for the first time', ask('0'), new RegExp(`^200 cosigned ${before}$`));
  expect('told of no old size again', ask('0'), new RegExp(`^409 text/x\\.tlog\\.size ${before}$`));
  await grow(3);
  const { size } = await until('the cosignature of all entries', isCosigned);
  expect('given a proof that was changed', ask(before, 'spoil'), /^422 .*inconsistent_checkpoint/);
  expect('given a proof by golang.org/x/mod', ask(before), new RegExp(`^200 cosigned ${size}$`));
  expect('asked for the same checkpoint', ask(size), new RegExp(`^200 cosigned ${size}$`));
}

/** An older database is restored: with what the service keeps outside of it, and without. */
async function rollBack() {
  const { size: olderSize } = await signet().get('/v1/log');
  await signet().stop();
  cpSync(dataDir, olderDataDir, { recursive: true });
  await startSignet();
  await grow(2);
  const { size: newerSize } = await until('the cosignature of all entries', isCosigned);
  await signet().stop();
  renameSync(dataDir, keptDataDir);

  cpSync(olderDataDir, dataDir, { recursive: true });
  const head = run(keptDataDir, 'sh', ['-c', 'ls log-head-*.json']).trim();
  cpSync(path.join(keptDataDir, head), path.join(dataDir, head));
  await startSignet();
  const { problem } = await until('a refusal', async () => {
    const log = await signet().get('/v1/log');
    return log.state === 'refused' && log;
  });
  const { log: health } = await signet().get('/healthz');
  if (health.state !== 'refused') throw new Error(`/healthz says of the log: ${JSON.stringify(health)}`);
  say('an older database, restored', `signs nothing: ${problem}`);
  await signet().stop();

  rmSync(dataDir, { recursive: true });
  cpSync(olderDataDir, dataDir, { recursive: true });
  await startSignet();
  /** @param {RegExp} pattern */
  const refused = (pattern) =>
    until(`a refusal like ${pattern}`, async () => {
      const log = await signet().get('/v1/log');
      return log.state === 'refused' && pattern.test(log.problem) && log;
    });
  const restored = await refused(/^This database was restored from a copy/);
  say('with the older file beside it', `signs nothing: ${restored.problem}`);
  await signet().stop();

  logCommand('continue', 'an operator who is wrong');
  await startSignet();
  const claimed = await refused(
    new RegExp(`signed more of this log than it has.* litewitness \\(${newerSize} entries\\)`),
  );
  say('and called moved by its operator', `signs nothing: ${claimed.problem}`);
  const { size } = await signet().get('/v1/log');
  const metric = /^signet_log_refused (\d+)$/m.exec(await signet().text('/metrics'))?.[1];
  if (size !== olderSize || metric !== '1')
    throw new Error(`${size} entries are signed, signet_log_refused is ${metric}`);
  say('reported', `signet_log_refused ${metric}, ${size} entries as before`);
}

function build() {
  mkdirSync(BUILT, { recursive: true });
  /** @param {string} name @param {string} source */
  const program = (name, source) => {
    run(SOURCES, 'go', ['build', '-o', path.join(BUILT, name), source]);
    return path.join(BUILT, name);
  };
  try {
    console.log('Building litewitness (a minute or two the first time) ...');
    return {
      litewitness: program('litewitness', 'filippo.io/torchwood/cmd/litewitness'),
      client: program('client', '.'),
    };
  } catch (error) {
    console.error(`litewitness cannot be built on this machine: ${messageOf(error)}`);
    process.exit(1);
  }
}

/**
 * Runs a command of the log while its server is stopped.
 * @param {...string} words
 */
function logCommand(...words) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, ...logSettings };
  const script = fileURLToPath(new URL('log.mjs', import.meta.url));
  if (spawnSync(process.execPath, [script, ...words], { env }).status === 0) return;
  throw new Error(`npm run log -- ${words[0]} failed`);
}

/** The service that runs. */
function signet() {
  if (!running) throw new Error('The service does not run.');
  return running;
}

async function startSignet() {
  running = await aSignet(dataDir, {
    ...logSettings,
    LOG_POLICY: `witness litewitness ${litewitness.key} ${litewitness.url}\nquorum litewitness`,
    LOG_WITNESS_SECONDS: '1',
    WITNESS: 'on',
    WITNESS_NAME,
    WITNESS_LOGS: `log ${logKey}`,
  });
}

async function restartSignet() {
  await signet().stop();
  await startSignet();
}

/**
 * Each binding is a link, and each link an entry; an entry of the map follows them.
 * @param {number} count
 */
async function grow(count) {
  for (const end = wallets + count; wallets < end; wallets++) {
    await bindWallet(signet().baseUrl, person('alice'), person(`wallet ${wallets}`));
  }
}

/** What the log says of itself, once litewitness has signed a tree head with all links; null before. */
async function isCosigned() {
  const proof = await fetch(`${signet().baseUrl}/v1/log/proof?kind=link&id=${wallets}`);
  await proof.text();
  const log = await signet().get('/v1/log');
  return proof.ok && log.policy_met && log.witnesses[0].size === log.size ? log : null;
}

/** @param {string} witnessKey */
function policyText(witnessKey) {
  return `log ${logKey}\nwitness litewitness ${witnessKey}\nquorum litewitness\n`;
}

/** @param {string} policy */
function read(policy) {
  return client('read', `${signet().baseUrl}/log`, policy);
}

/** @param {...(string | number)} words */
function client(...words) {
  const { status, stdout, stderr } = spawnSync(tools.client, words.map(String), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`torchwood's client, ${words[0]}: ${stderr.trim()}`);
  return stdout.trim();
}

/** @param {string} what @param {string} outcome */
function say(what, outcome) {
  console.log(`ok  ${what}: ${outcome}`);
}
