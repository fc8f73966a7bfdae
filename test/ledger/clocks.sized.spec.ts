import { jest } from '@jest/globals';
import fc from 'fast-check';
import { createClient } from '@signet/sdk';
import { verifyExport } from '@signet/verify';
import { itUnless } from '../../packages/verify/test/support/unless.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet } from '../support/avatar.js';
import { stepClock } from '../support/clock.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { type OtherVerifier, otherVerifiers } from '../support/other-verifiers.js';
import { linkWallet, signedSubmit, walletPayload } from '../support/scenario.js';
import { isLongRun, sized } from '../support/tier.js';

const HOUR = 3_600_000;
const wallets = [aWallet('one'), aWallet('two')] as const;
/** Each starts servers on a database of its own. */
const RUNS = sized('CLOCK_RUNS', { short: 3, long: 40 });
const others = isLongRun ? otherVerifiers() : [];

afterEach(() => jest.useRealTimers());

/** Two servers over one database, each with a clock of its own, which `at` sets before it is asked. */
class Deployment {
  private database!: TestDatabase;
  private servers!: [RunningApp, RunningApp];
  /** Databases that were left behind, to be dropped in the end. */
  private readonly former: TestDatabase[] = [];
  private readonly clocks = [0, 0];

  async start(database?: TestDatabase): Promise<void> {
    this.database = database ?? (await createTestDatabase());
    const start = () => startApp({ databaseUrl: this.database.url, env: { LOG: 'off' } });
    this.servers = [await start(), await start()];
  }

  /** Steps the clock of a server, by milliseconds from the true time. */
  step(server: number, ms: number): void {
    this.clocks[server] = ms;
  }

  /** The server, with its clock on the wall. */
  at(server: number): RunningApp {
    stepClock(this.clocks[server]!);
    return this.servers[server]!;
  }

  /** Puts a copy of the database into service in place of it, as an operator does with a backup. */
  async restore(): Promise<void> {
    await this.stop();
    this.former.push(this.database);
    await this.start(await createEmptyDatabase(`template ${new URL(this.database.url).pathname.slice(1)}`));
  }

  async stop(): Promise<void> {
    jest.useRealTimers();
    for (const server of this.servers) await server.close();
  }

  async end(): Promise<void> {
    await this.stop();
    for (const database of [...this.former, this.database]) await database.drop();
  }
}

describe('a link that a server with a wrong clock recorded', () => {
  it('is followed by links with no earlier time, so that the chain verifies for good', async () => {
    const deployment = new Deployment();
    await deployment.start();
    const alice = anAvatar('alice');
    const key = alice.key.compressed;

    deployment.step(0, 3 * HOUR);
    const first = await linkWallet(deployment.at(0), alice, wallets[0]);
    const { body: payload } = await walletPayload(deployment.at(1), alice, wallets[1]);
    const { status } = await deployment.at(1).post('/v1/proof', signedSubmit(payload, alice, wallets[1]));
    const { body } = await deployment.at(1).get(`/v1/proofchain?public_key=${key}`);
    const [one, two] = body.proof_chain;
    await deployment.end();

    expect([first.status, status]).toEqual([201, 201]);
    expect(Number(one.created_at) - Date.now() / 1000).toBeGreaterThan(2 * 3600);
    expect(two.created_at).toBe(one.created_at);
  });

  it('takes no payload of a server of before that goes back in time', async () => {
    const deployment = new Deployment();
    await deployment.start();
    const alice = anAvatar('alice');
    deployment.step(0, 3 * HOUR);
    await linkWallet(deployment.at(0), alice, wallets[0]);
    const server = deployment.at(1);
    const { ProofChainService } = await import('../../src/proof-chain/proof-chain.service.js');
    const chain = server.app.get(ProofChainService).items;
    const truly = chain.head.bind(chain);
    chain.head = async (avatar) => {
      const head = await truly(avatar);
      return head && { ...head, createdAt: new Date(0) };
    };

    const { body: payload } = await walletPayload(server, alice, wallets[1]);
    const { status, body } = await server.post('/v1/proof', signedSubmit(payload, alice, wallets[1]));
    await deployment.end();

    expect([status, body.code]).toEqual([400, 'payload_expired']);
    expect(body.message).toContain('before that of the link before it');
  });
});

describe('what was answered 201', () => {
  const step = fc.record({
    what: fc.constantFrom('link', 'link', 'link', 'patch', 'restore'),
    issuedBy: fc.nat(1),
    takenBy: fc.nat(1),
    wallet: fc.nat(1),
    clock: fc.option(fc.constantFrom(-26 * HOUR, -HOUR, -301_000, -200_000, 0, 200_000, 301_000, HOUR, 26 * HOUR)),
  });
  let acknowledged = 0;
  const files: object[] = [];

  it(
    'verifies, whatever clocks, servers and restored databases there are',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14, size: 'max' }), async (steps) => {
          const deployment = new Deployment();
          await deployment.start();
          try {
            const file = await exportAfter(deployment, steps);
            if (!holdsSomething(file)) return;
            files.push(file);
            const { ok, steps: made } = verifyExport(JSON.stringify(file));
            const open = made.filter(({ state, name }) => state !== 'ok' && name !== 'log');
            expect({ ok, open }).toEqual({ ok: true, open: [] });
          } finally {
            await deployment.end();
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(acknowledged).toBeGreaterThan(8);
    },
    RUNS * 30_000,
  );

  const verifiesToo = ({ language, verify }: OtherVerifier) => {
    expect(files).not.toEqual([]);
    for (const file of files) {
      const { ok, said } = verify(file);
      expect({ language, ok, said }).toMatchObject({
        ok: true,
        said: expect.not.stringContaining('not checkable  time'),
      });
    }
  };
  for (const one of others) itUnless(one.lack, `verifies in ${one.language} too`, () => verifiesToo(one));

  /** The export of what these steps recorded; each 201 is in it. */
  async function exportAfter(
    deployment: Deployment,
    steps: { what: string; issuedBy: number; takenBy: number; wallet: number; clock: number | null }[],
  ): Promise<object> {
    const alice = anAvatar('alice');
    const bound = new Set<number>();
    const taken = { links: 0, patches: 0 };
    for (const { what, issuedBy, takenBy, wallet: which, clock } of steps) {
      if (clock !== null) deployment.step(issuedBy, clock);
      if (what === 'restore') await deployment.restore();
      else if (what === 'patch') {
        const { status } = await writeKv(deployment.at(issuedBy), alice, { wallet: which });
        if (status === 201) taken.patches += 1;
      } else {
        const action = bound.has(which) ? 'delete' : 'create';
        const payload = await walletPayload(deployment.at(issuedBy), alice, wallets[which]!, { action });
        const body = signedSubmit(payload.body, alice, wallets[which]!, { action });
        const { status } = await deployment.at(takenBy).post('/v1/proof', body);
        if (status !== 201) continue;
        taken.links += 1;
        if (action === 'create') bound.add(which);
        else bound.delete(which);
      }
    }
    jest.useRealTimers();
    const client = createClient({ baseUrl: deployment.at(0).baseUrl, trustServer: true });
    jest.useRealTimers();
    const file = await client.export(alice.key.compressed);
    expect({ links: file.links.length, patches: file.patches.length }).toEqual(taken);
    acknowledged += taken.links + taken.patches;
    return file;
  }
});

function holdsSomething(file: object): boolean {
  const { links, patches } = file as { links: unknown[]; patches: unknown[] };
  return links.length + patches.length > 0;
}
