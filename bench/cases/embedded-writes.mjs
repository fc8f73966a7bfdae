/** Submits on the embedded database, compared with the same service whose database does not sync. */
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { measure, median } from '../measure.mjs';
import { httpText } from '../requests.mjs';
import { milliseconds } from '../report.mjs';
import { startService } from '../servers.mjs';
import { freshBinding, freshPatch, SECRET } from './writes.mjs';

/** @import { Case, Load, Progress, Service, Stage, SubmitRequest } from '../types.d.ts' */

const NO_SYNC = new URL('../no-sync.mjs', import.meta.url).href;
/** More than the engine takes in a second. */
const SUBMITS_A_SECOND = 1500;
const SEGMENT_BYTES = 16 << 20;
const PAGE_BYTES = 8192;
const SYNCS = 200;

/** @param {() => SubmitRequest} fresh @param {Stage} stage @param {Progress} progress */
async function run(fresh, stage, progress) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signet-bench-'));
  /** @param {string} name @param {Record<string, string>} more */
  const start = (name, more) =>
    startService({
      DATA_DIR: path.join(folder, name),
      PAYLOAD_SECRET: SECRET,
      LOG: process.env.BENCH_LOG ?? 'on',
      ...more,
    });
  /** @type {Service[]} */
  const servers = [];
  try {
    progress('first starts');
    servers.push(await start('synced', {}), await start('not-synced', { NODE_OPTIONS: `--import=${NO_SYNC}` }));
    const [synced, unsynced] = servers;
    const load = await stage.load();
    /** @param {Service} server @returns {Load} */
    const submitTo = (server) => async (connections, ms) => {
      progress(`${connections} connections, signing`);
      for (const one of servers) await stage.atRest(one);
      const amount = Math.ceil((ms / 1000) * SUBMITS_A_SECOND);
      const requests = Array.from({ length: amount }, () => httpText(fresh()));
      return load.ask({ kind: 'http', port: server.port, requests, connections, ms, once: true, expect: 201 });
    };
    const { pid } = synced;
    const rows = await measure(submitTo(synced), submitTo(unsynced), { ...stage.settings, pid, progress });
    const notes = [
      'Here the limit is the same service whose database does not sync, so that a power cut loses what it acknowledged.',
      `A page written to a segment of 16 MiB in that folder: ${syncText(folder)}.`,
    ];
    return { rows, notes };
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Milliseconds that the disk of `folder` takes for a commit, without any database.
 * @param {string} folder
 */
function syncText(folder) {
  const file = openSync(path.join(folder, 'segment'), 'w');
  writeSync(file, Buffer.alloc(SEGMENT_BYTES));
  fsyncSync(file);
  const page = Buffer.alloc(PAGE_BYTES, 1);
  /** @param {(file: number) => void} sync */
  const timeOf = (sync) => {
    const times = Array.from({ length: SYNCS }, (_, index) => {
      const started = performance.now();
      writeSync(file, page, 0, PAGE_BYTES, index * PAGE_BYTES);
      sync(file);
      return performance.now() - started;
    });
    return milliseconds(median(times));
  };
  const text = `${timeOf(fdatasyncSync)} ms with fdatasync, ${timeOf(fsyncSync)} ms with fsync`;
  closeSync(file);
  return text;
}

/** @type {Case[]} */
export const EMBEDDED_WRITES = [
  {
    name: 'embedded-wallet',
    title: 'wallet binding submit, embedded database',
    run: (stage, progress) => run(freshBinding, stage, progress),
  },
  {
    name: 'embedded-kv',
    title: 'KV submit, embedded database',
    run: (stage, progress) => run(freshPatch, stage, progress),
  },
];
