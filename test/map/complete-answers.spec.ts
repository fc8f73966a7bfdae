import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Resting, createClient, fromPrivateKey, type LogOptions } from '@signet/sdk';
import { CompleteReads, LogChecker, Transport } from '@signet/sdk/log';
import { readWitnessRequest } from '@signet/verify/internal/log';
import { readCheckpoint, readLogProof, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { runHere } from '../../packages/cli/test/terminal.js';
import { runErase } from '../erasure/erase-command.js';
import { type LyingProxy, startLyingProxy } from '../page/lying-proxy.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar, type TestWallet } from '../support/avatar.js';
import { type BehindProxy, startBehindProxy } from '../support/behind-proxy.js';
import { linkWallet } from '../support/scenario.js';
import { completeClient, errorOf } from '../support/sdk-answers.js';
import { type StandIn, startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { headOfRecords, readHead } from '../transparency-log/log-client.js';

const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
const [ofAlice, ofBob] = [alice.key.compressed, bob.key.compressed];
const [one, two] = [aWallet('one'), aWallet('two')];

let running: RunningApp;
let proxy: LyingProxy;
let records = 0;

const clientWith = (log: LogOptions = {}) => completeClient(proxy.baseUrl, log);
const bind = async (avatar: TestAvatar, wallet: TestWallet) => {
  await linkWallet(running, avatar, wallet);
  records += 1;
  await headOfRecords(running, records);
};
const mapOf = async (query: string) => (await running.get(`/v1/log/map?${query}`)).body;
/** Lets the server answer questions to the map otherwise. */
const lieAboutMap = (answer: object) => {
  proxy.answer = (asked) => (asked.startsWith('/v1/log/map?') ? answer : null);
};

afterEach(() => {
  proxy.lie = null;
  proxy.answer = null;
});

describe('a client with demand: { complete: true } and texts that were erased', () => {
  let server: BehindProxy;
  let before: object;
  const look = ({ address: identity }: TestWallet) => clientWith().proofs.find({ platform: 'ethereum', identity });
  const erase = async (...words: string[]) => {
    expect(await runErase(server.databaseUrl, [...words, '--reason', 'order', '--yes'])).toMatchObject({ code: 0 });
    records += 1;
  };
  beforeAll(async () => {
    server = await startBehindProxy();
    ({ running, proxy } = server);
    records = 0;
    for (const wallet of [one, two]) await bind(alice, wallet);
    const client = createClient({ baseUrl: running.baseUrl });
    for (const name of ['Alice', 'Alice L.']) {
      const signer = fromPrivateKey(alice.privateKey);
      await client.kv.patch({ platform: 'ethereum', identity: one.address, patch: { name, [name]: 1 }, signer });
    }
    records += 2;
    await headOfRecords(running, records);
    before = await mapOf(`platform=ethereum&identity=${two.address}`);
    await erase('--link', '2', '--with-binding');
    await erase('--patch', '2', '--with-content');
    await headOfRecords(running, records);
  });
  afterAll(() => server?.close());

  it('returns a chain whose newest link is erased, and the content without the newest patch', async () => {
    const chain = clientWith().chain(ofAlice);
    expect(await chain.toArray()).toMatchObject([{ identity: one.address }, { identity: '', erased: {} }]);
    expect(chain.resting!.map).toMatchObject({ newer: 0 });

    const patches = clientWith().kv.chain(ofAlice);
    expect(await patches.toArray()).toMatchObject([{}, { erased: { reason: 'order' } }]);
    expect(patches.resting!.map).toMatchObject({ newer: 0 });
    const told: Resting[] = [];
    const content = await clientWith().kv.get(ofAlice, { onResting: (one) => told.push(one) });
    expect(content!.proofs).toMatchObject([{ content: {}, incomplete: true }]);
    expect(told).toMatchObject([{ key: 'signature', whole: 'map', map: { newer: 0, erased: 1 } }]);
    expect([chain.resting!.map, patches.resting!.map]).toMatchObject([{ erased: 1 }, { erased: 1 }]);
    const { code, text } = await runHere(['kv', 'get', ofAlice, '--complete'], {
      HOME: await mkdtemp(path.join(tmpdir(), 'signet-test-')),
      SIGNET_SERVER: running.baseUrl,
    });
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /Incomplete: a signed change of ethereum "0x\w+" was erased[^]*The text of 1 of it was erased/,
      ),
    });
    expect(await clientWith().export(ofAlice)).toMatchObject({ links: [{}, { erased: {} }] });
  });

  it('proves that the binding is gone', async () => {
    const found = look(two);
    expect(await found.toArray()).toEqual([]);
    expect(found.resting!.map).toMatchObject({ newer: 0 });
    expect((await clientWith().proofs.of(ofAlice))!.proofs).toMatchObject([{ identity: one.address }]);
    const name = { platform: 'ethereum', identity: two.address, avatar: ofAlice };
    expect(await clientWith().proofs.exists(name)).toBeNull();
  });

  it('refuses a chain without the erased link, and content without the erased patch', async () => {
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proofchain?')) answer.proof_chain.pop();
      if (asked.startsWith('/v1/kv/chain?')) answer.kv_chain.pop();
      if (asked.startsWith('/v1/kv?')) {
        const [entry] = answer.proofs;
        entry.content = { Alice: 1, name: 'Alice' };
        delete entry.incomplete;
      }
    };

    for (const [answer, what] of [
      [() => clientWith().chain(ofAlice).toArray(), 'links'],
      [() => clientWith().kv.get(ofAlice), 'patches'],
    ] as const) {
      expect(await errorOf(answer())).toMatchObject({
        code: 'incomplete',
        message: expect.stringContaining(`1 of 2 ${what} of ${ofAlice} is missing, the newest among them.`),
      });
    }
  });

  it('takes an erasure that is newer than the map, and no other hole', async () => {
    lieAboutMap(before);

    const found = look(two);
    expect(await found.toArray()).toEqual([]);
    expect(found.resting!.map).toMatchObject({ newer: 0 });
    lieAboutMap(await mapOf(`platform=ethereum&identity=${one.address}`));
    proxy.lie = (asked, answer) => void (asked.startsWith('/v1/proof?') && Object.assign(answer, { ids: [] }));
    expect((await errorOf(look(one).toArray())).message).toMatch(/of 0x\w+ is left out, which entry \d+ made/);
  });

  it('refuses a chain with an erased link that is newer than the map in place of a revoke', async () => {
    const eraseNewest = async () => {
      const { links } = (await running.get('/v1/proofchain/changes?last_id=0')).body;
      await erase('--link', String(links.at(-1).id), '--with-binding');
      await headOfRecords(running, records);
    };
    await bind(bob, one);
    await linkWallet(running, bob, one, { action: 'delete' });
    records += 1;
    await bind(bob, two);
    await eraseNewest();
    await bind(bob, aWallet('three'));
    const old = await mapOf(`avatar=${ofBob}`);
    await bind(bob, aWallet('four'));
    await eraseNewest();
    expect(await clientWith().chain(ofBob).toArray()).toHaveLength(5);
    lieAboutMap(old);
    proxy.lie = (asked, answer) => {
      if (!asked.startsWith('/v1/proofchain?')) return;
      const [bound, , erased, newest, later] = answer.proof_chain;
      answer.proof_chain = [bound, later, erased, newest];
    };

    const refusal = {
      code: 'verification_failed',
      message: expect.stringMatching(/stands in the log before one that it follows in the chain\.$/),
    };
    expect(await errorOf(clientWith().chain(ofBob).toArray())).toMatchObject(refusal);
    // A program that holds a chain against the map itself, and checks nothing else, is told so too.
    const checker = new LogChecker(new Transport({ baseUrl: proxy.baseUrl }), { logWaitMs: 0 });
    const linksOf = (avatar: string) => createClient({ baseUrl: proxy.baseUrl }).chain(avatar).toArray();
    const completion = await new CompleteReads({ linksOf }, checker).links(ofBob, undefined);
    for (const link of await linksOf(ofBob)) completion.add(link);
    expect(await errorOf(completion.end())).toMatchObject(refusal);
  });
});

describe('the command with --complete', () => {
  let server: BehindProxy;
  beforeAll(async () => {
    server = await startBehindProxy();
    ({ running, proxy } = server);
    records = 0;
  });
  afterAll(() => server?.close());

  it('remembers the log from run to run, and refuses a map that is older than what it remembers', async () => {
    const aHome = () => mkdtemp(path.join(tmpdir(), 'signet-test-'));
    const chain = (HOME: string) => runHere(['chain', ofAlice, '--complete'], { HOME, SIGNET_SERVER: proxy.baseUrl });
    const home = await aHome();
    await bind(alice, one);
    const old = await mapOf(`avatar=${ofAlice}`);
    await bind(bob, one);
    expect(await chain(home)).toMatchObject({ code: 0 });
    lieAboutMap(old);

    expect(await chain(home)).toMatchObject({
      code: 4,
      text: expect.stringMatching(/It is that of \d+ entries, and the log had \d+ before/),
    });
    // Who has not seen the log before cannot know that the map is old.
    expect(await chain(await aHome())).toMatchObject({ code: 0 });
  });
});

describe('a client with demand: { complete: true } and a policy that asks for witnesses', () => {
  const DAY = 86_400;
  const witness = cosigner('witness.example/w', new Uint8Array(32).fill(0x22));
  const stranger = cosigner('witness.example/other', new Uint8Array(32).fill(0x23));
  let standIn: StandIn;
  let home: string;
  let policy: string;
  /** Of another witness that never signs. */
  let otherPolicy: string;
  let env: Record<string, string>;
  let isAway = false;
  /** Seconds by which the clock of the witness is behind. */
  let lag = 0;
  let known = 0;
  const now = () => Math.floor(Date.now() / 1000);
  const cosigns = (body: string) => {
    if (isAway || body === '') return { status: 500 };
    const request = readWitnessRequest(body)!;
    if (request.oldSize !== known)
      return { ...textReply(`${known}\n`, 409), headers: { 'content-type': 'text/x.tlog.size' } };
    const { note, size } = readCheckpoint(request.checkpoint)!;
    known = size;
    return textReply(witness.cosign(note.text, now() - lag));
  };
  const isMet = async () => (await running.get('/v1/log')).body.policy_met as boolean;
  const signet = (...words: string[]) => runHere(words, { HOME: home, SIGNET_SERVER: proxy.baseUrl });
  const look = ({ address: identity }: TestWallet, log: LogOptions = { policy }) =>
    clientWith(log).proofs.find({ platform: 'ethereum', identity });

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
    standIn = await startStandIn(({ body }) => cosigns(body));
    const line = `witness w ${writeVerifierKey(witness.key)} ${standIn.baseUrl}/`;
    env = { LOG_WITNESS_SECONDS: '1', LOG_POLICY: `${line}\nquorum w` };
    running = await startApp({ env });
    proxy = await startLyingProxy(running.baseUrl);
    records = 0;
    for (const wallet of [one, two]) await bind(alice, wallet);
    await until(isMet);
    const log = `log ${(await running.get('/v1/log')).body.verifier_key}`;
    policy = `${log}\n${line}\nquorum w\n`;
    otherPolicy = `${log}\nwitness o ${writeVerifierKey(stranger.key)}\nquorum o\n`;
    await writeFile(path.join(home, 'policy.txt'), policy);
  });
  afterAll(async () => {
    await proxy?.close();
    await running?.close();
    await standIn?.close();
  });

  it('says by which map, and when enough witnesses had signed it', async () => {
    const { size } = (await readHead(running))!;
    const chain = clientWith({ policy }).chain(ofAlice);
    expect(await chain.toArray()).toHaveLength(2);

    expect(chain.resting!.map).toMatchObject({ newer: 0, size: size - 1 });
    expect(now() - chain.resting!.map!.cosignedAt!).toBeLessThan(60);
    const none = look(aWallet('three'));
    expect(await none.toArray()).toEqual([]);
    // The witness signs once more each second.
    expect(none.resting!.map!.cosignedAt).toBeGreaterThanOrEqual(chain.resting!.map!.cosignedAt!);
    expect(none.resting!.map!.cosignedAt).toBeLessThanOrEqual(now());
    expect(await signet('chain', ofAlice, '--complete', '--policy', path.join(home, 'policy.txt'))).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        new RegExp(`so says the map of ${size - 1} entries of the log .*, which witnesses had signed at \\d`),
      ),
    });
  });

  it('refuses a map that the witnesses of another policy have not signed', async () => {
    const answer = clientWith({ policy: otherPolicy }).chain(ofAlice).toArray();

    expect(await errorOf(answer)).toMatchObject({
      code: 'verification_failed',
      message: expect.stringMatching(
        /What the server says of the map does not verify.*Too few witnesses signed the checkpoint: none\./s,
      ),
    });
  });

  it('refuses a map whose cosignatures were taken off, or are those of another tree head', async () => {
    const map = await mapOf(`avatar=${ofAlice}`);
    const lines = (map.log_proof as string).split('\n');
    const ofWitness = lines.find((one) => one.startsWith('— witness.example/w '))!;
    const forged = stranger.cosign('x\n1\nx\n', now()).trimEnd().replace('/other', '/w');
    for (const instead of [[], [forged]]) {
      const log_proof = lines.flatMap((one) => (one === ofWitness ? instead : [one])).join('\n');
      lieAboutMap({ ...map, log_proof });

      expect((await errorOf(clientWith({ policy }).chain(ofAlice).toArray())).message).toMatch(/witness/);
    }
  });

  it('goes by the newest cosigned map while witnesses are away, and takes nothing that they have not seen', async () => {
    const { size } = (await readHead(running))!;
    isAway = true;
    await bind(bob, two);

    const chain = clientWith({ policy }).chain(ofAlice);
    expect(await chain.toArray()).toHaveLength(2);
    expect(chain.resting!.map).toMatchObject({ size: size - 1, newer: 0 });
    // A server that starts now has answered from no map before.
    const other = await startApp({ databaseUrl: running.database.url, env });
    const { body } = await other.get(`/v1/log/map?avatar=${ofAlice}`);
    await other.close();
    expect(readCheckpoint(readLogProof(body.log_proof)!.checkpoint)!.size).toBe(size);
    for (const answer of [clientWith({ policy }).chain(ofBob).toArray(), look(two).toArray()]) {
      expect(await errorOf(answer)).toMatchObject({
        code: 'verification_failed',
        message: expect.stringMatching(/The proof of [0-9a-f-]{36} does not verify.*witness/s),
      });
    }
    // What no witness has seen may be left out.
    proxy.lie = (asked, answer) => {
      if (asked.startsWith('/v1/proof?'))
        answer.ids = answer.ids.filter((one: { avatar: string }) => one.avatar !== ofBob);
    };
    const found = look(two);
    expect(await found.toArray()).toMatchObject([{ avatar: ofAlice }]);
    expect(found.resting!.map).toMatchObject({ size: size - 1 });

    isAway = false;
    await until(isMet);
    expect((await errorOf(look(two).toArray())).message).toMatch(new RegExp(`of ${ofBob} is left out, which entry`));
    proxy.lie = null;
    expect(await look(two).toArray()).toHaveLength(2);
  });

  it('refuses what was signed longer ago than is allowed, a day by itself', async () => {
    lag = 2 * DAY;
    await bind(bob, one);
    await until(isMet);

    const old = /For 28\d\d minutes no checkpoint was signed by enough witnesses/;
    expect(await errorOf(look(one).toArray())).toMatchObject({
      code: 'verification_failed',
      message: expect.stringMatching(old),
    });
    const words = ['proofs', one.address, '--platform', 'ethereum', '--complete'];
    expect(await signet(...words, '--policy', path.join(home, 'policy.txt'))).toMatchObject({
      code: 4,
      text: expect.stringMatching(old),
    });
    const longer = ['--policy', path.join(home, 'policy.txt'), '--witness-seconds', String(10 * DAY)];
    expect(await signet(...words, ...longer)).toMatchObject({ code: 0 });
    expect(await look(one, { policy, witnessSeconds: Infinity }).toArray()).toHaveLength(2);
  });
});
