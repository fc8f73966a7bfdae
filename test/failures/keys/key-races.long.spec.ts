import { addKey, appPayload, edApp, submitApp } from '../../keys/app-scenario.js';
import { commit, keyPayload, signedKeyEvent, stateOf } from '../../keys/key-scenario.js';
import { kvPayload, submitKv } from '../../kv/kv-scenario.js';
import type { Answer } from '../../support/app.js';
import { anAvatar, aWallet } from '../../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { databaseSettings } from '../../support/engines.js';
import { type ServiceProcess, startService } from '../../support/service-process.js';
import { signedSubmit, walletPayload } from '../../support/scenario.js';
import { until } from '../../support/until.js';
import { problemsOfOrder } from './key-records.js';

const ROUNDS = Number(process.env.KEY_RACES ?? 60);
const SERVERS = 3;
const TIMEOUT_MS = (ROUNDS + 10) * 30_000;

const paper = anAvatar('words on paper');
const codeOf = ({ status, body }: Answer): string => (status === 201 ? '201' : String(body.code));

/** Key events, links and patches that are sent to three servers of one database in one millisecond. */
describe('races of key events on three servers', () => {
  let database: TestDatabase;
  let servers: ServiceProcess[];
  beforeAll(async () => {
    database = await createTestDatabase();
    servers = [];
    for (let count = 0; count < SERVERS; count += 1) servers.push(await startService(databaseSettings(database.url)));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.kill9()));
    await database?.drop();
  });

  it(
    'have one order in feeds, log and map, and one state everywhere',
    async () => {
      const avatars: string[] = [];
      const outcomes: Record<string, number> = {};
      const note = (what: string) => void (outcomes[what] = (outcomes[what] ?? 0) + 1);
      for (let round = 0; round < ROUNDS; round += 1) {
        const alice = anAvatar(`raced ${round}`);
        const [wallet, app] = [aWallet(`raced ${round}`), edApp(`raced ${round}`)];
        const [one, two, three] = [0, 1, 2].map((place) => servers[(round + place) % SERVERS]!) as [
          ServiceProcess,
          ServiceProcess,
          ServiceProcess,
        ];
        avatars.push(alice.key.compressed);
        await commit(one, alice, [paper]);
        await addKey(two, alice, app);
        const [freeze, higher, link, patch, revoke, byApp] = await Promise.all([
          keyPayload(one, alice, 'key.freeze'),
          keyPayload(two, alice, 'key.freeze'),
          walletPayload(three, alice, wallet),
          kvPayload(two, alice, { name: 'Alice' }),
          keyPayload(three, alice, 'key.revoke', { key: app.name }),
          appPayload(one, alice, app, { by: 'an app' }),
        ]);
        const sendLink = () => three.post('/v1/proof', signedSubmit(link.body, alice, wallet));
        const sendPatch = () => submitKv(two, alice, patch.body, { name: 'Alice' });
        const sendFreeze = () => one.post('/v1/keys', signedKeyEvent(freeze.body, alice, 'key.freeze'));
        if (round % 3 === 0) {
          const byPaper = () => two.post('/v1/keys', signedKeyEvent(higher.body, alice, 'key.freeze', { by: paper }));
          const answers = await Promise.all([sendFreeze(), byPaper()]);
          expect(answers.map(codeOf).sort()).toEqual(['201', 'stale_chain']);
          note(`of two freezes that of ${codeOf(answers[0]!) === '201' ? 'the main key' : 'the recovery key'}`);
        } else if (round % 3 === 1) {
          const answers = await Promise.all([sendLink(), sendFreeze(), sendPatch()]);
          const { links, patches } = answers[1]!.body.key_event;
          // What came before the freeze is counted by it, and nothing is recorded behind it.
          const expected = [links === 1 ? '201' : 'avatar_frozen', '201', patches === 1 ? '201' : 'avatar_frozen'];
          expect(answers.map(codeOf)).toEqual(expected);
          note(`link ${expected[0]}, patch ${expected[2]} of a freeze`);
        } else {
          const revoked = () => three.post('/v1/keys', signedKeyEvent(revoke.body, alice, 'key.revoke'));
          const written = () => submitApp(one, alice, app, byApp.body, { by: 'an app' });
          const answers = await Promise.all([revoked(), written()]);
          const expected = answers[0]!.body.key_event.patches === 1 ? '201' : 'key_revoked';
          expect(answers.map(codeOf)).toEqual(['201', expected]);
          note(`patch ${expected} of a revoke`);
        }
        const states = await Promise.all(servers.map((server) => stateOf(server, alice)));
        expect(states.map((state) => ({ ...state, now: 0 }))).toEqual(Array(SERVERS).fill({ ...states[0], now: 0 }));
      }

      await until(async () => (await servers[0]!.get('/v1/log')).body.waiting === 0, TIMEOUT_MS);
      const problems = await problemsOfOrder(servers, avatars);
      process.stdout.write(`races of keys: ${ROUNDS} rounds on ${SERVERS} servers, ${JSON.stringify(outcomes)}\n`);
      expect(problems).toEqual([]);
      expect(Object.keys(outcomes).length).toBeGreaterThan(3);
    },
    TIMEOUT_MS,
  );
});
