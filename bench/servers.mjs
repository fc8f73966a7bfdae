/** The processes that are measured: the built service, and the plain servers with which it is compared. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { ROOT } from './build.mjs';

/** @import { ChildProcess } from 'node:child_process' */

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
/** Clock ticks of /proc in a second; Linux has the same on every machine of today. */
const TICKS = 100;

/**
 * Starts the built service of a checkout as `npm start` does on a free port and waits until it answers.
 * @param {string} [root] the checkout, with a slash at the end
 * @param {Record<string, string | undefined>} env
 * @param {string[]} [nodeArguments]
 * @returns startMs: from spawn to the first answer
 */
export async function startService(env, nodeArguments = [], root = ROOT) {
  const started = performance.now();
  const child = spawn(process.execPath, [...nodeArguments, ...startArguments(root)], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      REVALIDATION: 'off',
      LOAD_SHEDDING: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The service does not start:\n${output}`)), START_TIMEOUT_MS);
    /** @param {Buffer} chunk */
    const read = (chunk) => {
      output += chunk;
      const match = /http:\/\/localhost:(\d+)/.exec(output);
      if (!match) return;
      clearTimeout(timer);
      // The output is needed no more: a service that logs each request writes megabytes.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', read).resume();
      resolve(Number(match[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`The service ended with code ${code}:\n${output}`)));
  });
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  await answer.arrayBuffer();
  return { pid: Number(child.pid), port, startMs: performance.now() - started, stop: () => end(child) };
}

/**
 * The arguments of `node` in `npm start` of a checkout, which is `exec node …`, or `node …` in older ones.
 * @param {string} root
 */
function startArguments(root) {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return scripts.start.replace(/^(exec )?node /, '').split(' ');
}

/** A bare Fastify that answers every request with a JSON body of the size that the query names. */
export async function startBareFastify() {
  const child = fork(new URL('bare-fastify.mjs', import.meta.url), { execArgv: [] });
  const [{ port }] = await once(child, 'message');
  return { pid: Number(child.pid), port, stop: () => end(child) };
}

/** @param {ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const isEnded = await Promise.race([ended.then(() => true), delay(STOP_TIMEOUT_MS, false, { ref: false })]);
  if (!isEnded) child.kill('SIGKILL');
}

/**
 * CPU seconds that a process and its children have used, and their resident memory in MiB. Zero if the system does not
 * report them.
 * @param {number} pid
 */
export function usage(pid) {
  return [pid, ...childrenOf(pid)]
    .map(usageOfOne)
    .reduce((sum, one) => ({ cpu: sum.cpu + one.cpu, mib: sum.mib + one.mib }));
}

/** @param {number} pid */
function childrenOf(pid) {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

/** @param {number} pid */
function usageOfOne(pid) {
  try {
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpu: (Number(words[11]) + Number(words[12])) / TICKS, mib: Number(resident) / 1024 };
  } catch {
    return { cpu: 0, mib: 0 };
  }
}
