import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readWitnessRequest } from '@signet/verify/internal/log';
import { readCheckpoint, readPolicy, verifyLogProof, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { DataSource } from 'typeorm';
import { HeadStore } from '../../src/transparency-log/signing/heads/head-store.js';
import { type RunningApp, startApp } from '../support/app.js';
import { aWallet, anAvatar } from '../support/avatar.js';
import { createTestDatabase } from '../support/database.js';
import { metricsWithGauges } from '../support/gauges.js';
import { linkWallet } from '../support/scenario.js';
import { startService } from '../support/service-process.js';
import { type StandInReply, startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { TestLog } from '../witness/test-log.js';
import { getRaw, headOfRecords, proofOf } from './log-client.js';

/*
 * A log before a witness that says what it likes. The tests wait for rounds of witnesses, seconds apart, and each has a
 * server and a witness of its own: they run beside each other.
 */

const TIMEOUT_MS = 900_000;
const alice = anAvatar('alice');
const seedOf = (fill: number) => new Uint8Array(32).fill(fill);
const aCosigner = (fill: number) => cosigner(`witness.example/${fill}`, seedOf(fill));
const hexOf = (seed: Uint8Array) => Buffer.from(seed).toString('hex');
const logSeed = seedOf(0x31);
const witness = cosigner('witness.example/w', seedOf(0x22));

/** What was signed of a name is remembered in a file: each run and each server has its own. */
function aNewOrigin(name: string): string {
  return `${name}-${randomUUID()}`;
}

/** The witness `w` as litewitness v0.9.0 answers: the size that it knows, and again with a fitting proof. */
class WitnessMemory {
  known = 0;

  cosign(body: string): StandInReply {
    if (body === '') return { status: 404 };
    const request = readWitnessRequest(body)!;
    const { note, size } = readCheckpoint(request.checkpoint)!;
    if (request.oldSize !== this.known)
      return { ...textReply(`${this.known}\n`, 409), headers: { 'content-type': 'text/x.tlog.size' } };
    this.known = size;
    return textReply(witness.cosign(note.text, 1_700_000_000));
  }
}

describe('a log before a witness that says what it likes', () => {
  const withWitness = async (
    answer: (path: string, body: string) => StandInReply,
    test: (app: RunningApp) => Promise<void>,
    origin = aNewOrigin('signet.example/log'),
    databaseUrl?: string,
    env: Record<string, string> = {},
  ) => {
    const standIn = await startStandIn(({ path, body }) => answer(path, body));
    const app = await startApp({
      ...(databaseUrl !== undefined && { databaseUrl }),
      env: {
        LOG_ORIGIN: origin,
        LOG_KEY: hexOf(logSeed),
        LOG_WITNESS_SECONDS: '1',
        LOG_POLICY: `witness w ${writeVerifierKey(witness.key)} ${standIn.baseUrl}/prefix/\nquorum w`,
        ...env,
      },
    });
    try {
      await test(app);
    } finally {
      await app.close();
      await standIn.close();
    }
  };
  const problem = async (app: RunningApp): Promise<string> => (await app.get('/v1/log')).body.witnesses[0].problem;

  it.concurrent(
    'proves from the size that a 409 tells, and publishes the cosignature',
    async () => {
      const memory = new WitnessMemory();
      await withWitness(
        (_path, body) => memory.cosign(body),
        async (app) => {
          await linkWallet(app, alice, aWallet('one'));
          await until(async () => (await app.get('/v1/log')).body.policy_met);

          // Another server asked it meanwhile, or it was restored: it knows less than this log thinks.
          memory.known = 0;
          await linkWallet(app, alice, aWallet('two'));
          const { size } = await headOfRecords(app, 2);
          await until(async () => memory.known === size);
        },
      );
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'goes on showing the newest checkpoint that meets its policy, and proves by it, while it signs newer ones',
    async () => {
      const memory = new WitnessMemory();
      let isAway = false;
      const answer = (_path: string, body: string) => (isAway ? { status: 500 } : memory.cosign(body));
      await withWitness(answer, async (app) => {
        await linkWallet(app, alice, aWallet('one'));
        const { size } = await headOfRecords(app, 1);
        await until(async () => (await app.get('/v1/log')).body.cosigned?.size === size);
        const met = await getRaw(app, '/log/cosigned/checkpoint');

        isAway = true;
        await linkWallet(app, alice, aWallet('two'));
        const { size: newSize } = await headOfRecords(app, 2);

        const { body } = await app.get('/v1/log');
        expect(body).toMatchObject({ size: newSize, policy_met: false, cosigned: { size } });
        expect(readCheckpoint(met.text)).toMatchObject({ origin: body.origin, size });
        expect((await getRaw(app, '/log/cosigned/checkpoint')).text).toBe(met.text);
        expect(met.headers.get('cache-control')).toBe('public, max-age=1');
        const policy = readPolicy(`log ${body.verifier_key}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w`);
        const { links } = (await app.get('/v1/proofchain/changes?last_id=0')).body;
        const proofs = await Promise.all([1, 2].map((id) => proofOf(app, `kind=link&id=${id}`)));
        const results = proofs.map((proof, index) => verifyLogProof(proof, { link: links[index], policy }));
        expect(results.map(({ ok, checkpoint }) => ({ ok, size: checkpoint!.size }))).toEqual([
          { ok: true, size },
          { ok: false, size: newSize },
        ]);
        const tile = await getRaw(app, `/log/cosigned/tile/0/000.p/${size}`);
        expect(tile.bytes).toEqual((await getRaw(app, `/log/tile/0/000.p/${size}`)).bytes);
        expect((await getRaw(app, '/log/cosigned/tile/entries/000.p/1')).status).toBe(200);
        expect(await metricsWithGauges(app)).toMatch(new RegExp(`^signet_log_cosigned_size ${size}$`, 'm'));
      });
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'keeps the newest checkpoint that meets its policy when it forgets older ones',
    async () => {
      const memory = new WitnessMemory();
      await withWitness(
        (_path, body) => memory.cosign(body),
        async (app) => {
          for (const name of ['one', 'two', 'three']) {
            await linkWallet(app, alice, aWallet(name));
            await until(async () => (await app.get('/v1/log')).body.waiting === 0);
          }
          const heads = async () =>
            (await app.app.get(DataSource).query('select size::int from log_checkpoint order by size')).map(
              ({ size }: { size: number }) => size,
            );
          const store = app.app.get(HeadStore);

          const [cosigned, newest] = (await heads()).slice(-2);
          await store.forget(1, cosigned);

          expect(await heads()).toEqual([cosigned, newest]);
          await store.forget(1);
          expect(await heads()).toEqual([newest]);
        },
      );
    },
    TIMEOUT_MS,
  );

  it.concurrent.each([
    ['a 409 without a size', { status: 409 }, /it has signed another tree/],
    ['a 422', { status: 422 }, /it has signed another tree/],
    ['a 404', { status: 404 }, /does not watch this log/],
    ['a 403', { status: 403 }, /does not accept the signature of this log, or does not know the log/],
    ['a cosignature of another key', textReply('— witness.example/w AAAAAAA=\n'), /no valid cosignature/],
  ])(
    'tells of %s, and goes on signing',
    async (_what, reply, expected) => {
      await withWitness(
        (path) => (path.endsWith('/add-checkpoint') ? reply : { status: 404 }),
        async (app) => {
          await until(async () => expected.test(await problem(app)));

          expect((await app.get('/v1/log')).body).toMatchObject({ state: 'ok', policy_met: false });
        },
      );
    },
    TIMEOUT_MS,
  );

  const sizeReply = (size: number) => ({
    ...textReply(`${size}\n`, 409),
    headers: { 'content-type': 'text/x.tlog.size' },
  });
  const isRefused = async (app: RunningApp) => (await app.get('/v1/log')).body.state === 'refused';

  it.concurrent(
    'signs nothing while a witness says that it has signed more, and shows nothing; then goes on by itself',
    async () => {
      const memory = new WitnessMemory();
      let isLying = false;
      const answer = (path: string, body: string) => {
        // What a stranger can do to a checkpoint that others sign too.
        if (isLying && !path.endsWith('/add-checkpoint')) return textReply('signet.example/log\nnot a checkpoint\n');
        return isLying ? sizeReply(7) : memory.cosign(body);
      };
      await withWitness(answer, async (app) => {
        await linkWallet(app, alice, aWallet('one'));
        // The head of the empty log meets the policy too, and the link would wait with the next one.
        await headOfRecords(app, 1);
        await until(async () => (await app.get('/v1/log')).body.policy_met);

        isLying = true;
        await until(() => isRefused(app));
        const { problem } = (await app.get('/v1/log')).body;
        const { size } = (await app.get('/v1/log')).body;
        const later = await linkWallet(app, alice, aWallet('two'));
        await until(async () => (await app.get('/v1/log')).body.waiting === 1);

        expect(problem).toMatch(
          /^Witnesses say that they have signed more of this log than it has.*: w \(7 entries\)\./,
        );
        expect(problem).toContain('take them out of LOG_POLICY');
        expect({ later: later.status, size: (await app.get('/v1/log')).body.size }).toEqual({ later: 201, size });
        isLying = false;
        await headOfRecords(app, 2);
        await until(async () => !(await isRefused(app)));
      });
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'a log that such a witness has stopped goes on when it is taken out of LOG_POLICY',
    async () => {
      const made = await createTestDatabase();
      const origin = aNewOrigin('signet.example/log');
      const memory = new WitnessMemory();
      let isLying = false;
      const answer = (path: string, body: string) =>
        isLying ? (path.endsWith('/add-checkpoint') ? sizeReply(7) : { status: 404 }) : memory.cosign(body);
      await withWitness(
        answer,
        async (app) => {
          await until(async () => (await app.get('/v1/log')).body.policy_met);
          isLying = true;
          await until(() => isRefused(app));
        },
        origin,
        made.url,
      );

      const app = await startApp({
        databaseUrl: made.url,
        env: { LOG_ORIGIN: origin, LOG_KEY: hexOf(logSeed), LOG_POLICY: 'quorum none' },
      });
      await linkWallet(app, alice, aWallet('one'));

      await headOfRecords(app, 1);
      await app.close();
      await made.drop();
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'a server that remembers nothing signs nothing before its witness has answered',
    async () => {
      const memory = new WitnessMemory();
      let isAway = true;
      await withWitness(
        (_path, body) => (isAway ? { status: 500 } : memory.cosign(body)),
        async (app) => {
          await until(() => isRefused(app));
          await linkWallet(app, alice, aWallet('one'));
          const { body } = await app.get('/v1/log');

          expect(body.problem).toMatch(/This server has just started.* No such answer came from w:/);
          expect({ size: body.size, root: body.root }).toEqual({ size: 0, root: '' });
          isAway = false;
          await headOfRecords(app, 1);
        },
      );
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'a server that is started again, with its file, signs nothing before its witness has answered',
    async () => {
      const [made, origin] = [await createTestDatabase(), aNewOrigin('signet.example/log')];
      const memory = new WitnessMemory();
      let isAway = false;
      const answer = (_path: string, body: string) => (isAway ? { status: 500 } : memory.cosign(body));
      const grow = async (app: RunningApp) => {
        await linkWallet(app, alice, aWallet('one'));
        await headOfRecords(app, 1);
        await until(async () => (await app.get('/v1/log')).body.policy_met);
      };
      await withWitness(answer, grow, origin, made.url);

      isAway = true;
      await withWitness(
        answer,
        async (app) => {
          await until(() => isRefused(app));
          const { size, problem } = (await app.get('/v1/log')).body;
          const link = await linkWallet(app, alice, aWallet('two'));
          await until(async () => (await app.get('/v1/log')).body.waiting === 1);

          expect(problem).toMatch(/This server has just started.* No such answer came from w:/);
          expect({ status: link.status, receipt: link.body.receipt }).toEqual({ status: 201, receipt: undefined });
          expect((await app.get('/v1/log')).body.size).toBe(size);
          isAway = false;
          await headOfRecords(app, 2);
        },
        origin,
        made.url,
      );
      await made.drop();
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'says what a witness shows of a newer tree head, also where this server has lost its file',
    async () => {
      const [made, origin] = [await createTestDatabase(), aNewOrigin('signet.example/log')];
      const memory = new WitnessMemory();
      const newer = new TestLog(origin, 0x31, ['a', 'b', 'c']);
      let hasNewer = false;
      let timesShown = 0;
      const answer = (path: string, body: string) => {
        if (!hasNewer) return memory.cosign(body);
        if (!path.endsWith('/add-checkpoint')) timesShown += 1;
        return path.endsWith('/add-checkpoint') ? sizeReply(newer.size) : textReply(newer.checkpoint());
      };
      const isMet = (app: RunningApp) => until(async () => (await app.get('/v1/log')).body.policy_met);
      await withWitness(answer, isMet, origin, made.url);
      hasNewer = true;

      const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
      await withWitness(
        answer,
        async (app) => {
          const shows = /^The witness w shows a tree head of 3 entries/;
          await until(async () => shows.test((await app.get('/v1/log')).body.problem));
          // What it shows stays the reason in the rounds that follow.
          timesShown = 0;
          const problems = new Set<string>();
          await until(async () => {
            problems.add((await app.get('/v1/log')).body.problem);
            return timesShown >= 3;
          });
          expect([...problems]).toEqual([expect.stringMatching(shows)]);
        },
        origin,
        made.url,
        { DATA_DIR },
      );
      await made.drop();
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'one of three witnesses that says a number, and shows nothing, does not stop a log that two others sign',
    async () => {
      const [one, two, liar] = [aCosigner(0x22), aCosigner(0x23), aCosigner(0x24)];
      const sizes = new Map([
        [one, 0],
        [two, 0],
      ]);
      const signer = (by: typeof one) => (body: string) => {
        if (body === '') return { status: 404 };
        const request = readWitnessRequest(body)!;
        const { note, size } = readCheckpoint(request.checkpoint)!;
        if (request.oldSize !== sizes.get(by)) return sizeReply(sizes.get(by)!);
        sizes.set(by, size);
        return textReply(by.cosign(note.text, 1_700_000_000));
      };
      let areLying = [liar];
      const standIns = await Promise.all(
        [one, two, liar].map((by) =>
          startStandIn(({ path, body }) => {
            if (!areLying.includes(by)) return signer(by)(body);
            return path.endsWith('/add-checkpoint') ? sizeReply(Number.MAX_SAFE_INTEGER) : { status: 404 };
          }),
        ),
      );
      const lines = [one, two, liar].map(
        (by, n) => `witness w${n} ${writeVerifierKey(by.key)} ${standIns[n]!.baseUrl}`,
      );
      const app = await startApp({
        env: {
          LOG_ORIGIN: aNewOrigin('signet.example/log'),
          LOG_KEY: hexOf(logSeed),
          LOG_WITNESS_SECONDS: '1',
          LOG_POLICY: [...lines, 'group g 2 w0 w1 w2', 'quorum g'].join('\n'),
        },
      });
      try {
        await linkWallet(app, alice, aWallet('one'));
        await headOfRecords(app, 1);
        await until(async () => (await app.get('/v1/log')).body.policy_met);
        const { state, witnesses } = (await app.get('/v1/log')).body;
        expect(state).toBe('ok');
        expect(witnesses[2].problem).toMatch(/it has signed 9007199254740991 entries of this log, which has \d/);

        areLying = [two, liar];
        await until(() => isRefused(app));
        expect((await app.get('/v1/log')).body.problem).toMatch(/Witnesses say that they have signed more/);
      } finally {
        await app.close();
        await Promise.all(standIns.map((standIn) => standIn.close()));
      }
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'an empty database signs nothing under a name and a key of which a witness has seen a tree head',
    async () => {
      const origin = aNewOrigin('signet.example/log');
      const lost = new TestLog(origin, 0x31, ['a', 'b', 'c']);
      await withWitness(
        (path) => (path.endsWith('/add-checkpoint') ? sizeReply(3) : textReply(lost.checkpoint())),
        async (app) => {
          await until(() => isRefused(app));
          await linkWallet(app, alice, aWallet('one'));
          const { body } = await app.get('/v1/log');

          expect(body.problem).toMatch(/witness w shows a tree head of 3 entries/);
          expect((await getRaw(app, '/log/checkpoint')).status).toBe(503);
        },
        origin,
      );
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'signs nothing more where a witness shows another history with the signature of this log',
    async () => {
      const origin = aNewOrigin('signet.example/log');
      const memory = new WitnessMemory();
      const other = new TestLog(origin, 0x31, ['a', 'b', 'c']);
      let knowsMore = false;
      let timesShown = 0;
      await withWitness(
        (path, body) => {
          if (!knowsMore) return memory.cosign(body);
          if (path.endsWith('/add-checkpoint')) return sizeReply(3);
          timesShown += 1;
          return textReply(other.checkpoint());
        },
        async (app) => {
          await until(async () => (await app.get('/v1/log')).body.policy_met);
          const { size } = (await app.get('/v1/log')).body;
          knowsMore = true;
          const hasShownIt = /witness w shows a tree head of 3 entries/;
          await until(async () => hasShownIt.test((await app.get('/v1/log')).body.problem ?? ''));
          // What was shown stays: looks of the sequencer between the rounds do not put the mere claim in its place.
          timesShown = 0;
          const problems = new Set<string>();
          await until(async () => {
            const { body } = await app.get('/v1/log');
            // A look that was under way when it was shown may still tell the claim once, however long it takes.
            if (timesShown >= 3) problems.add(`${body.state}: ${body.problem}`);
            return timesShown >= 6;
          });

          expect([...problems]).toEqual([
            expect.stringMatching(/^refused: The witness w shows a tree head of 3 entries/),
          ]);
          await linkWallet(app, alice, aWallet('one'));
          expect((await app.get('/v1/log')).body.size).toBe(size);
        },
        origin,
      );
    },
    TIMEOUT_MS,
  );

  it.concurrent(
    'warns at its start where two witnesses without each other could meet the policy',
    async () => {
      const database = await createTestDatabase();
      const keys = [0x22, 0x23].map((fill) => writeVerifierKey(cosigner(`witness.example/${fill}`, seedOf(fill)).key));
      const witnesses = keys.map((key, index) => `witness w${index} ${key} http://127.0.0.1:1/\n`).join('');
      const outputOf = async (quorum: string) => {
        const LOG_POLICY = `${witnesses}group g ${quorum} w0 w1\nquorum g\n`;
        const service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', LOG_POLICY });
        await service.kill9();
        return service.output();
      };
      try {
        expect(await outputOf('any')).toContain('two sets of witnesses without a common member meet the quorum');
        expect(await outputOf('all')).not.toContain('without a common member');
      } finally {
        await database.drop();
      }
    },
    TIMEOUT_MS,
  );

  it.concurrent.each([
    ['witness w nonsense\nquorum w', /LOG_POLICY: line 1/],
    [`witness w ${writeVerifierKey(witness.key)}\nquorum w`, /LOG_POLICY: the witness w has no URL/],
    ['/nowhere/policy', /LOG_POLICY: the file \/nowhere\/policy cannot be read/],
  ])(
    'does not start with a wrong policy: %j',
    async (policy, expected) => {
      await expect(startApp({ env: { LOG_POLICY: policy } })).rejects.toThrow(expected);
    },
    TIMEOUT_MS,
  );
});
