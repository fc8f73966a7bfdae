/**
 * Makes batches of the log and times them: the classes of the built service in a process of its own. The links of a
 * batch are made in its transaction, so that the sequencer of no other server takes them.
 */
import { built } from '../scripts/built.mjs';
import { insertLinks } from './log-seed.mjs';

const { loadEnvironment } = await built('config/environment.js');
const { openDatabase } = await built('database/database.js');
const { createApplication } = await built('application.js');
const { WriteTransactions } = await built('database/write-transactions.js');
const { LogHeads } = await built('transparency-log/signing/heads/log-heads.js');
const { LogIdentities } = await built('transparency-log/signing/heads/log-identity.js');
const { LogSequencer } = await built('transparency-log/log-sequencer.js');
const { LogStore } = await built('transparency-log/signing/heads/log-store.js');
const { LogWriter } = await built('transparency-log/log-writer.js');

const BATCH_MS = 60_000;
const environment = loadEnvironment(process.env);
const app = await createApplication(environment, await openDatabase(environment));
await app.init();
const ANYWHERE = { strict: false };
// Batches are made here alone.
await app.get(LogSequencer, ANYWHERE).onApplicationShutdown();
const transactions = app.get(WriteTransactions, ANYWHERE);
const heads = app.get(LogHeads, ANYWHERE);
const identities = app.get(LogIdentities, ANYWHERE);
const store = app.get(LogStore, ANYWHERE);
const writer = app.get(LogWriter, ANYWHERE);

/**
 * Milliseconds from the count of waiting records to the checkpoint that is committed and stored on disk.
 * @param {number} links
 * @param {string} [holdersOf]
 */
async function timeOf(links, holdersOf) {
  const identity = await identities.current();
  await heads.open(identity.origin);
  let started = 0;
  let cpu;
  const outcome = await transactions.run(
    async (manager) => {
      while (!(await store.tryLock(manager)));
      const { newest } = await store.snapshot(manager);
      await manager.query(...insertLinks(newest.link + 1, newest.link + links, holdersOf));
      started = performance.now();
      cpu = process.cpuUsage();
      return writer.addBatch(manager, identity, links, new Date());
    },
    { totalMs: BATCH_MS },
  );
  if (!outcome.head) throw new Error('The batch signed no tree head.');
  await heads.remember(outcome.head);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  // One more: the entry that commits to the map.
  if (outcome.added !== links + 1) throw new Error(`The batch added ${outcome.added} entries for ${links} links.`);
  return { ms, cpuMs: (user + system) / 1000, size: outcome.head.size };
}

process.on('message', ({ links, rounds, holdersOf }) => {
  const work = async () => {
    const batches = [];
    while (batches.length < rounds) batches.push(await timeOf(links, holdersOf));
    process.send?.({ batches });
  };
  work().catch((error) => process.send?.({ failure: error.stack }));
});
process.on('SIGTERM', () => process.exit(0));
process.send?.('ready');
