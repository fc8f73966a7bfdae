import { type RunningApp, startApp } from '../support/app.js';
import { aWallet } from '../support/avatar.js';
import { sized } from '../support/tier.js';
import { createClient, fromPrivateKey, OutcomeUnknownError } from '@signet/sdk';
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.js';

const FAULTS: Fault[] = ['cut before', 'cut after', 'cut in the middle', '429', '503', 'slow'];
const PEOPLE = 10;
/** A tenth of the long run shows what is wrong as well, if less surely. */
const TRIES = sized('FAULT_TRIES', { short: 100, long: 1000 });
const LINKS_EACH = TRIES / PEOPLE;

/** A Lehmer generator, which makes the same choices in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('submits through a connection that fails', () => {
  let app: RunningApp;
  let proxy: FaultProxy;
  const roll = dice(20_261_122);
  beforeAll(async () => {
    app = await startApp();
    proxy = await startFaultProxy(app.baseUrl, () =>
      roll() < 0.35 ? FAULTS[Math.floor(roll() * FAULTS.length)]! : 'none',
    );
  });
  afterAll(async () => {
    await proxy.close();
    await app.close();
  });

  it(`of ${TRIES}, none is recorded twice and none is reported as failed that was recorded`, async () => {
    const client = createClient({ baseUrl: proxy.baseUrl, retries: 6, timeoutMs: 20_000 });
    const outcomes: { avatar: string; uuid: string; outcome: 'done' | 'failed' | 'unknown' }[] = [];
    const people = Array.from({ length: PEOPLE }, (_, index) => fromPrivateKey(new Uint8Array(32).fill(index + 1)));
    const live = async (signer: (typeof people)[number], index: number) => {
      const key = aWallet(`wallet ${index}`);
      const wallet = { sign: async (text: string) => ({ wallet_signature: key.sign(text) }) };
      for (let link = 0; link < LINKS_EACH; link++) {
        const draft = await client
          .draft({ platform: 'ethereum', identity: key.address, signer, wallet })
          .catch(() => null);
        if (!draft) continue;
        const outcome = await draft.submit().then(
          () => 'done' as const,
          (error: unknown) => (error instanceof OutcomeUnknownError ? ('unknown' as const) : ('failed' as const)),
        );
        outcomes.push({ avatar: signer.avatar, uuid: draft.uuid, outcome });
      }
    };
    await Promise.all(people.map(live));

    const direct = createClient({ baseUrl: app.baseUrl });
    const recorded: string[] = [];
    for await (const { uuid } of direct.changes()) recorded.push(uuid);
    const count = (uuid: string) => recorded.filter((other) => other === uuid).length;
    const wrong = outcomes.filter(({ uuid, outcome }) =>
      outcome === 'done' ? count(uuid) !== 1 : outcome === 'failed' && count(uuid) !== 0,
    );
    expect(wrong).toEqual([]);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(outcomes.length).toBeGreaterThan(0.95 * TRIES);
    expect(outcomes.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(0.95 * outcomes.length);
  });
});
