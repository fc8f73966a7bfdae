import { randomUUID } from 'node:crypto';
import { judgeCheckpoint, readCheckpoint, readPolicy, verifyLogProof, writeVerifierKey } from '@signet/verify/log';
import { cosigner, noteSigner } from '@signet/verify/log-sign';
import { type FaultProxy, startFaultProxy } from '../sdk/fault-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { until } from '../support/until.js';
import { countRecords, getRaw, proofOf } from './log-client.js';

const alice = anAvatar('alice');
const seedOf = (fill: number) => new Uint8Array(32).fill(fill);
const hexOf = (seed: Uint8Array) => Buffer.from(seed).toString('hex');

/** What was signed of a name is remembered in a file: each run and each server has its own. */
function aNewOrigin(name: string): string {
  return `${name}-${randomUUID()}`;
}

/** One of the three: its log, its witness, and the address at which the others find it. */
const PEERS = [1, 2, 3].map((n) => ({
  origin: aNewOrigin(`signet${n}.example/log`),
  logSeed: seedOf(0x30 + n),
  witnessName: `signet${n}.example/witness`,
  witnessSeed: seedOf(0x40 + n),
}));

describe('three Signets that are witnesses of each other', () => {
  const INTERVAL_SECONDS = 4;
  const proxies: FaultProxy[] = [];
  const apps: RunningApp[] = [];
  let policyText: string;
  const logInfo = async (app: RunningApp) => (await app.get('/v1/log')).body;
  const isMetWith = async (app: RunningApp, records: number) =>
    (await countRecords(app)) >= records && (await logInfo(app)).policy_met;

  beforeAll(async () => {
    for (let n = 0; n < 3; n++) proxies.push(await startFaultProxy('http://127.0.0.1:1'));
    const logs = PEERS.map(({ origin, logSeed }) => `log ${writeVerifierKey(noteSigner(origin, logSeed).key)}`);
    const witnesses = PEERS.map(
      ({ witnessName, witnessSeed }, n) =>
        `witness w${n} ${writeVerifierKey(cosigner(witnessName, witnessSeed).key)} ${proxies[n]!.baseUrl}/witness`,
    );
    policyText = [...logs, ...witnesses, 'group all-of-us 2 w0 w1 w2', 'quorum all-of-us'].join('\n');
    const started = PEERS.map(({ origin, logSeed, witnessName, witnessSeed }) =>
      startApp({
        env: {
          LOG_ORIGIN: origin,
          LOG_KEY: hexOf(logSeed),
          LOG_POLICY: policyText,
          LOG_WITNESS_SECONDS: String(INTERVAL_SECONDS),
          WITNESS: 'on',
          WITNESS_NAME: witnessName,
          WITNESS_KEY: hexOf(witnessSeed),
          WITNESS_LOGS: logs.join('\n'),
        },
      }),
    );
    apps.push(...(await Promise.all(started)));
    apps.forEach((app, n) => (proxies[n]!.target = app.baseUrl));
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it('meet the quorum of two of three within two intervals, and a proof carries the cosignatures', async () => {
    const [app] = apps as [RunningApp];
    await linkWallet(app, alice, aWallet('one'));
    await until(() => isMetWith(app, 1));

    const { witnesses, size: newest, signed_at: signedAt } = await logInfo(app);
    const inTime = witnesses.filter(
      ({ size, cosigned_at: at }: { size: number; cosigned_at: number }) =>
        size === newest && at - signedAt <= 2 * INTERVAL_SECONDS + 1,
    );
    expect(inTime.length).toBeGreaterThanOrEqual(2);
    const [link] = (await app.get('/v1/proofchain/changes?last_id=0')).body.links;
    const result = verifyLogProof(await proofOf(app, `uuid=${link.uuid}`), { link, policy: readPolicy(policyText) });
    expect(result).toMatchObject({ ok: true });
    expect(result.steps.find(({ name }) => name === 'witnesses')).toMatchObject({ state: 'ok' });
  });

  it('each sign for the others', async () => {
    await until(async () => {
      const infos = await Promise.all(apps.map(async (app) => (await app.get('/v1/witness')).body.logs));
      return infos.every((logs) => logs.every(({ cosigned_at: at }: { cosigned_at: number }) => at > 0));
    });

    for (const app of apps) expect((await logInfo(app)).policy_met).toBe(true);
  });

  it('keep the quorum while one of them is down, and say which', async () => {
    await apps.pop()!.close();
    const [app] = apps as [RunningApp];
    await linkWallet(app, alice, aWallet('two'));
    await until(() => isMetWith(app, 2));
    await until(async () => (await logInfo(app)).witnesses[2].problem !== '');

    const { witnesses } = await logInfo(app);
    expect(witnesses.slice(0, 2).map(({ lag }: { lag: number }) => lag)).toEqual([0, 0]);
    // The link, and the entry of the map.
    expect(witnesses[2]).toMatchObject({ name: 'signet3.example/witness', lag: 2 });
    const note = readCheckpoint((await getRaw(app, '/log/checkpoint')).text)!;
    expect(judgeCheckpoint(note, readPolicy(policyText)).cosignatures.map(({ witness }) => witness)).toEqual([
      'w0',
      'w1',
    ]);
  });
});
