import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LogMonitor, type MonitorEvent, type MonitorState } from '@signet/sdk/log';
import { originHash } from '@signet/verify/internal/log';
import { isSignedBy, readCheckpoint, readLogKey, writeVerifierKey } from '@signet/verify/log';
import { cosigner, noteSigner } from '@signet/verify/log-sign';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { headOfRecords } from './log-client.js';
import { runLogCommand } from './tampering.js';

const ORIGIN = 'signet.example/log';
const alice = anAvatar('alice');
const logSeed = new Uint8Array(32).fill(0x51);
const logKey = writeVerifierKey(noteSigner(ORIGIN, logSeed).key);
const hexOf = (seed: Uint8Array) => Buffer.from(seed).toString('hex');

/** Two witnesses of the one log, as their operators run them. */
const WITNESSES = [1, 2].map((n) => {
  const seed = new Uint8Array(32).fill(0x60 + n);
  const name = `w${n}.example/witness`;
  return { name, seed, key: writeVerifierKey(cosigner(name, seed).key) };
});

const servers: RunningApp[] = [];
const databases: TestDatabase[] = [];
let witnesses: RunningApp[];
/** What a reader believes who asks for any of the two: the operator can meet that with each of them alone. */
let readerPolicy: string;

const witnessLine = (n: number) => `witness w${n + 1} ${WITNESSES[n]!.key} ${witnesses[n]!.baseUrl}/witness`;

/** A server of the log that shows its checkpoints to these witnesses. */
async function startServer(databaseUrl: string, shown: number[]): Promise<RunningApp> {
  const names = shown.map((n) => `w${n + 1}`);
  const server = await startApp({
    databaseUrl,
    env: {
      DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')),
      LOG_ORIGIN: ORIGIN,
      LOG_KEY: hexOf(logSeed),
      LOG_WITNESS_SECONDS: '1',
      LOG_POLICY: [...shown.map(witnessLine), `group g any ${names.join(' ')}`, 'quorum g'].join('\n'),
    },
  });
  servers.push(server);
  return server;
}

async function stop(server: RunningApp): Promise<void> {
  servers.splice(servers.indexOf(server), 1);
  await server.close();
}

/** Waits until a witness has signed so many entries, which a monitor then finds at it. */
const signedBy = (n: number, size: number) =>
  until(async () => {
    const response = await fetch(`${witnesses[n]!.baseUrl}/witness/${originHash(ORIGIN)}/checkpoint`);
    return (readCheckpoint(await response.text())?.size ?? -1) >= size;
  });

async function look(server: RunningApp, state?: MonitorState, policy = readerPolicy) {
  const { baseUrl } = server;
  const monitor = new LogMonitor({ baseUrl, policy, once: true, retries: 0, patienceMs: 5_000, state });
  const events: MonitorEvent[] = [];
  for await (const event of monitor.follow()) if (event.type !== 'progress') events.push(event);
  return { events, alarms: events.filter((event) => event.type === 'alarm'), state: monitor.state };
}

let original: TestDatabase;
let honest: RunningApp;
let remembered: MonitorState;

beforeAll(async () => {
  witnesses = await Promise.all(
    WITNESSES.map(({ name, seed }) =>
      startApp({
        env: {
          ...{ LOG: 'off', WITNESS: 'on', WITNESS_LOGS: `log ${logKey}` },
          ...{ WITNESS_NAME: name, WITNESS_KEY: hexOf(seed) },
        },
      }),
    ),
  );
  servers.push(...witnesses);
  readerPolicy = [`log ${logKey}`, witnessLine(0), witnessLine(1), 'group g any w1 w2', 'quorum g'].join('\n');
  original = await createTestDatabase();
  databases.push(original);
  honest = await startServer(original.url, [0, 1]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  for (const { drop } of databases) await drop();
});

describe('a monitor that reads what witnesses signed', () => {
  it('has nothing to say of an honest log that grows, whose witnesses are a little behind', async () => {
    let state: MonitorState | undefined;
    let size = 0;
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      await linkWallet(honest, alice, aWallet(name));
      ({ size } = await headOfRecords(honest, index + 1));
      if (index === 0) {
        await until(async () => (await honest.get('/v1/log')).body.policy_met);
        await Promise.all([signedBy(0, size), signedBy(1, size)]);
      }

      const seen = await look(honest, state);

      expect(seen.events).toMatchObject([{ type: 'checkpoint', size }]);
      ({ state } = seen);
    }
    await Promise.all([signedBy(0, size), signedBy(1, size)]);
    expect((await look(honest)).events).toMatchObject([{ type: 'checkpoint', size }]);
    remembered = state!;
  });

  it('tells of a witness that is down, which is no alarm', async () => {
    const policy = readerPolicy.replace(witnesses[1]!.baseUrl, 'http://127.0.0.1:1');

    const { events } = await look(honest, undefined, policy);

    expect(events).toEqual([
      { type: 'witness', witness: 'w2', message: expect.stringMatching(/^It cannot be asked: No answer came from /) },
      expect.objectContaining({ type: 'checkpoint', alarms: 0 }),
    ]);
  });

  it('alarms when the log shows each of them a history of its own, with all cosignatures that are asked for', async () => {
    await stop(honest);
    const copy = await createEmptyDatabase(`template ${new URL(original.url).pathname.slice(1)}`);
    databases.push(copy);
    const folder = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    expect(await runLogCommand(copy.url, folder, ['continue', 'moved'])).toMatchObject({ code: 0 });
    const [one, other] = [await startServer(original.url, [0]), await startServer(copy.url, [1])];
    await linkWallet(one, alice, aWallet('four'));
    await linkWallet(other, anAvatar('mallory'), aWallet('mine'));
    const { size } = await headOfRecords(one, 4);
    await Promise.all([signedBy(0, size), signedBy(1, size)]);
    for (const server of [one, other]) {
      await until(async () => (await server.get('/v1/log')).body.policy_met);
    }

    for (const [server, name] of [
      [one, 'w2'],
      [other, 'w1'],
    ] as const) {
      for (const place of [remembered, undefined]) {
        const { alarms } = await look(server, place);

        expect(alarms).toMatchObject([
          {
            code: 'fork',
            message: `The log shows ${size} entries, and ${size} to the witness ${name}, of another history.`,
          },
        ]);
        const heads = [alarms[0]!.remembered!, alarms[0]!.shown!].map((note) => readCheckpoint(note)!);
        const key = readLogKey(logKey)!;
        expect(heads.map(({ note, size: shown }) => [isSignedBy(note, key), shown])).toEqual([
          [true, size],
          [true, size],
        ]);
        expect(heads[0]!.root).not.toEqual(heads[1]!.root);
      }
    }
  });
});
