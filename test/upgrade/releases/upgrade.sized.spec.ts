import { verifyChain, verifyPatchChain, verifyWebhook } from '@signet/verify';
import { verifyLogProof, verifyMapAnswer } from '@signet/verify/log';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../../src/database/advisory-locks.js';
import { migrate } from '../../../src/database/schema/migrator.js';
import { hurry } from '../../archive/archive-scene.js';
import { ArweaveStandIn } from '../../archive/arweave-stand-in.js';
import { readKvChain, submitKv } from '../../kv/kv-scenario.js';
import { replay } from '../../kv/replay.js';
import { ADMIN_TOKEN, adminOf } from '../../support/admin.js';
import { type RunningApp, startApp } from '../../support/app.js';
import { anAvatar, aWallet } from '../../support/avatar.js';
import { problemsOfFeed, readChain, readFeed } from '../../support/chain-checks.js';
import { ENGINES_OF_TIER } from '../../support/engines.js';
import { signedSubmit } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { policyOf, proofOf } from '../../transparency-log/log-client.js';
import { OutsideWorld, PEOPLE, placeOf, PUBLISHING } from './accounts.js';
import { differencesOf, unusedOf } from './differences.js';
import { EXPECTED } from './expected.js';
import { askEverything, lastPosition, readEvents } from './record.js';
import { readRecording, type Recording, type RecordedAnswer } from './release-data.js';
import { type RestoredDatabase, restoreRelease } from './restore.js';

const AGAIN_MS = 10_000;
/**
 * What was stored stays in its time however much later this runs: payloads live on, and neither events nor deliveries
 * are old enough to be removed.
 */
const FOR_EVER = {
  PAYLOAD_TTL_SECONDS: String(1000 * 365 * 24 * 3600),
  EVENT_RETENTION_DAYS: '36500',
  WEBHOOK_LOG_DAYS: '36500',
  WEBHOOK_SECRET_GRACE_SECONDS: '86400',
};

interface Delivery {
  id: string;
  subscription: string;
  message_id: string;
}

describe.each(Object.keys(EXPECTED).flatMap((version) => ENGINES_OF_TIER.map((engine) => ({ version, engine }))))(
  'data of version $version on $engine, brought up to date',
  ({ version, engine }) => {
    let recording: Recording;
    let restored: RestoredDatabase;
    let world: OutsideWorld;
    const expected = EXPECTED[version]!;
    // 0.1.0 had no log, and went by the clock of its process, which was days behind.
    const isFirst = version === '0.1.0';

    beforeAll(async () => {
      recording = readRecording(version, engine);
      restored = await restoreRelease(version, engine);
      world = await OutsideWorld.start(recording.accounts);
    });
    afterAll(async () => {
      await restored?.drop();
      await world?.close();
    });

    /** As the program starts: the first one brings the schema up to date. */
    async function serve(env: Record<string, string>): Promise<RunningApp> {
      const database = await restored.open();
      await migrate(database.directUrl);
      return startApp({
        env: { ADMIN_TOKEN, DATA_DIR: restored.dataDir, ...FOR_EVER, ...world.settings, ...env },
        database,
        transport: await world.transport(),
      });
    }

    /** What the release answered about deliveries of one state. */
    function deliveriesOf(status: string): Delivery[] {
      return recording.answers
        .filter(({ path }) => path.startsWith(`/deliveries?status=${status}&`))
        .flatMap(({ body }) => (body as { deliveries: Delivery[] }).deliveries);
    }

    if (!isFirst) {
      it('has a log that is as it was signed, and goes on by the word of its operator', async () => {
        const database = await restored.open();
        await migrate(database.directUrl);
        await database.close();
        const { size } = recording.answers.find(({ path }) => path === '/v1/log')!.body as { size: number };

        const checked = restored.runLog('check');
        const decided = restored.runLog('continue', 'all servers were stopped before the copy was made');

        expect(checked).toContain(`${size} entries and `);
        expect(checked).toMatch(/All is as it was signed\.\nThis database was restored from a copy, or moved/);
        expect(decided).toContain(`goes on here, behind its ${size} entries`);
      });
    }

    it('is answered as before by every endpoint, and its stream goes on behind any id', async () => {
      // Nothing goes on: nobody numbers events, and who is told of one does not answer.
      const operator = restored.url === null ? null : new pg.Client({ connectionString: restored.url });
      if (operator) {
        await operator.connect();
        await operator.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.relay]);
      }
      let goOn: (reply: { status: number }) => void = () => {};
      world.answerHooks(new Promise((resolve) => (goOn = resolve)));
      const app = await serve({ REVALIDATION: 'off', WEBHOOK_TIMEOUT_MS: '60000' });
      try {
        await until(async () => isFirst || (await app.get('/v1/log')).body.state === 'ok');
        const answers = await askEverything(app, !isFirst);
        const resumed = recording.events[Math.floor(recording.events.length / 2)]!;
        const events = await readEvents(app, '0', await lastPosition(app));

        expect(differencesOf(recording.answers, answers, expected)).toEqual([]);
        expect(unusedOf(recording.answers, answers, expected)).toEqual([]);
        expect(differencesOf(asAnswers(recording.events), asAnswers(events), expected)).toEqual([]);
        const behind = await readEvents(app, resumed.id, await lastPosition(app));
        expect(behind).toEqual(events.slice(recording.events.indexOf(resumed) + 1));
      } finally {
        goOn({ status: 204 });
        await app.close();
        await operator?.end();
      }
    });

    describe('once everything goes on', () => {
      let app: RunningApp;
      let network: ArweaveStandIn;

      beforeAll(async () => {
        world.answerHooks({ status: 204 });
        world.set(PEOPLE.silent, 'there');
        network = await ArweaveStandIn.start();
        app = await serve({
          ...network.settings({ isUploading: true }),
          ARCHIVE_RESEND_SECONDS: '1',
          // A busy machine must not look like a platform that is away.
          OUTBOUND_TIMEOUT_MS: '30000',
        });
      });
      afterAll(async () => {
        await app?.close();
        await network?.close();
      });

      it('takes payloads that it was given before', async () => {
        for (const issued of recording.issued) {
          const avatar = anAvatar(issued.avatar);
          const { uuid, created_at } = issued.payload;
          const link = { action: 'create', public_key: avatar.key.compressed, uuid, created_at };
          const answer =
            issued.kind === 'wallet'
              ? await app.post('/v1/proof', signedSubmit(issued.payload, avatar, aWallet(issued.wallet)))
              : issued.kind === 'patch'
                ? await submitKv(app, avatar, issued.payload, issued.patch)
                : await app.post('/v1/proof', {
                    ...link,
                    platform: 'github',
                    identity: placeOf('github', issued.number).identity,
                    proof_location: placeOf('github', issued.number).proofLocation,
                  });

          expect({ kind: issued.kind, status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
        }
      });

      it('finishes uploads that were under way, under the ids that were signed, and sends none that was confirmed', async () => {
        const shown = async () => (await readFeed(app)).filter(({ erased }) => !erased);
        await until(async () => {
          await hurry(app);
          return (await shown()).every(({ archive_id: id }) => id !== '');
        });

        const ids = (await shown()).map(({ archive_id: id }) => id);
        const { confirmed, taken } = recording.archive;
        // Where a text was erased, neither its link nor its event names the id any more.
        const unnamed = taken.filter((id) => !ids.includes(id));
        expect(confirmed.filter((id) => !ids.includes(id))).toEqual([]);
        expect(unnamed).toHaveLength((await readFeed(app)).length - ids.length);
        expect([...confirmed, ...unnamed].filter((id) => network.items.has(id))).toEqual([]);
        expect(network.complaints).toEqual([]);
      });

      it('makes the deliveries that were waiting, tells of events that nobody had heard, and repeats nothing', async () => {
        const waiting = deliveriesOf('pending');
        const done = [...deliveriesOf('delivered'), ...deliveriesOf('dead')];
        await until(async () => {
          const told = new Set(world.received.map(({ messageId }) => messageId));
          return waiting.every((delivery) => told.has(delivery.message_id));
        });
        const { all } = recording.subscriptions;
        const events = await readEvents(app, recording.events.at(-1)!.id, await lastPosition(app));
        const ids = events.map(({ data }) => (data as { id: string }).id);
        await until(() => {
          const told = world.received.filter(({ receiver }) => receiver === 'all').map(({ messageId }) => messageId);
          return ids.every((id) => told.includes(id));
        });

        const toldAgain = world.received.filter(({ receiver, messageId }) =>
          done.some(
            (delivery) =>
              delivery.message_id === messageId && delivery.subscription === recording.subscriptions[receiver].id,
          ),
        );
        expect(waiting.length).toBeGreaterThan(0);
        expect(toldAgain).toEqual([]);
        // Under the secret that was shown once, before.
        const { headers, body } = world.received.find(({ receiver }) => receiver === 'all')!;
        const now = Number(headers['webhook-timestamp']);
        expect(verifyWebhook(all.secret, headers, body, { now })).toMatchObject({ ok: true });
      });

      it('rechecks what is due, each proof in the state in which it was left', async () => {
        // All others are due; those with a post are not for days, by the clock of the database.
        for (const platform of isFirst ? [] : PUBLISHING) {
          const { identity } = placeOf(platform, PEOPLE.steady);
          await adminOf(app).post('/revalidation', { platform, identity });
        }
        for (const platform of PUBLISHING) {
          const validOf = async (number: number) => {
            const key = anAvatar(`person ${number}`).key.compressed;
            const { identity } = placeOf(platform, number);
            const query = `platform=${platform}&identity=${identity}&public_key=${key}`;
            let askedAt = performance.now();
            await until(async () => {
              const { body } = await app.get(`/v1/proof/exists?${query}`);
              // On a busy machine a check may find nobody, and would be made again in minutes.
              if (performance.now() - askedAt > AGAIN_MS) {
                await adminOf(app).post('/revalidation', { platform, identity });
                askedAt = performance.now();
              }
              return Number(body.last_checked_at) >= recording.recordedAt;
            });
            return (await app.get(`/v1/proof/exists?${query}`)).body.is_valid;
          };

          expect([await validOf(PEOPLE.steady), await validOf(PEOPLE.silent)]).toEqual([true, true]);
          // Seen for the second time that it is gone, and gone for long.
          expect([await validOf(PEOPLE.missing), await validOf(PEOPLE.lost)]).toEqual([false, false]);
        }
      });

      it('shows chains, a feed and content that verify', async () => {
        const feed = await readFeed(app);
        const avatars = [...new Set(feed.map(({ avatar }) => avatar))];

        expect(problemsOfFeed(feed)).toEqual([]);
        for (const avatar of avatars) {
          const links = await readChain(app, avatar);
          expect(verifyChain(links as never, { avatar })).toMatchObject({ ok: true });
          expect(links.map(({ uuid }) => uuid)).toEqual(
            feed.filter((link) => link.avatar === avatar).map(({ uuid }) => uuid),
          );
          const { body } = await app.get(`/v1/kv?avatar=${avatar}`);
          if (body.proofs === undefined) continue;
          const patches = await readKvChain(app, { key: { compressed: avatar } } as never);
          const shown = body.proofs.map((entry: { content: unknown }) => ({ ...entry, patch: entry.content }));
          expect(verifyPatchChain(patches as never, { avatar })).toMatchObject({ ok: true });
          // What an erased patch did is gone from its entry, which begins anew behind it.
          const kept = patches.filter((patch: { erased?: object }) => !patch.erased);
          expect(replay(kept as never)).toEqual(replay(shown));
        }
      });

      it('takes everything old into its log', async () => {
        const links = await readFeed(app);
        const patches = async () => (await app.get('/v1/kv/changes?last_id=0&count=100')).body.patches;
        await until(async () => (await patches()).length > 0);
        const policy = await policyOf(app);
        const records = [
          ...links.map((link) => ({ uuid: link.uuid, record: { link } })),
          ...(await patches()).map((patch: { uuid: string }) => ({ uuid: patch.uuid, record: { patch } })),
        ];
        for (const { uuid, record } of records) {
          const proof = await proofOf(app, `uuid=${uuid}`);
          expect(verifyLogProof(proof, { policy, ...(record as object) })).toMatchObject({ ok: true });
        }
        for (const avatar of new Set(links.map((link) => link.avatar))) {
          const { body } = await app.get(`/v1/log/map?avatar=${avatar}`);
          expect(verifyMapAnswer(body, { avatar }, { policy })).toMatchObject({ ok: true });
        }
      });
    });

    it('has a log that is as it was signed, with everything that came since', () => {
      expect(restored.runLog('check')).toMatch(/tree heads\. All is as it was signed\.\n$/);
    });

    it('is not opened under another name than it was made for', async () => {
      await expect(serve({ SERVICE_NAME: 'another' })).rejects.toThrow(/another/);
    });
  },
);

/** So that members of events are compared in the same way. */
function asAnswers(events: Recording['events']): RecordedAnswer[] {
  return events.map(({ id, event, data }) => ({ path: `/v1/events#${id}`, status: 200, body: { event, data } }));
}
