import { createHash } from 'node:crypto';
import { appendSignatures, writeWitnessRequest } from '@signet/verify/internal/log';
import {
  decodeBase64,
  isContradiction,
  isSignedBy,
  readCheckpoint,
  readVerifierKey,
  type VerifierKey,
} from '@signet/verify/log';
import { DataSource } from 'typeorm';
import { slowness } from '../../packages/look/test/support/cpu-time.js';
import { cpuMsOf, WITH_CPU_PROBE } from '../support/cpu-time.js';
import { createTestDatabase } from '../support/database.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { until } from '../support/until.js';
import { TestLog } from './test-log.js';

/** What the witness prints where a log has signed two histories. */
interface Accusation {
  message: string;
  signed_before: string;
  signed_now: string;
  proof: string[];
}

const JUNK = Array.from({ length: 99 }, (_, n) => `— x${n} AAAAAAA=`);
const watched = new TestLog('watched.example/log', 5, ['a', 'b', 'c']);
/** A log that is about to change its key: the witness trusts both. */
const rotating = new TestLog('rotating.example/log', 6, ['a']);
const rotated = new TestLog('rotating.example/log', 7, ['a']);
const costly = new TestLog('costly.example/log', 8, ['a']);

let service: ServiceProcess;
let dataSource: DataSource;
let drop: () => Promise<void>;
let witnessKey: VerifierKey;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  service = await startService({
    DATABASE_URL: database.url,
    LOG: 'off',
    WITNESS: 'on',
    WITNESS_LOGS: [watched, rotating, rotated, costly].map(({ verifierKey }) => `log ${verifierKey}`).join('\n'),
    ...WITH_CPU_PROBE,
  });
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  witnessKey = readVerifierKey((await service.get('/v1/witness')).body.verifier_key)!;
});
afterAll(async () => {
  await dataSource?.destroy();
  await service?.kill9();
  await drop?.();
});

async function say(body: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${service.baseUrl}/witness/add-checkpoint`, { method: 'POST', body });
  return { status: reply.status, text: await reply.text() };
}

/** A body in which `checkpoint` stands for the one of `request`. */
async function requestWith(log: TestLog, oldSize: number, checkpoint: string): Promise<string> {
  return writeWitnessRequest({ oldSize, proof: await log.proof(oldSize), checkpoint });
}

async function shownOf({ origin }: TestLog) {
  const hash = createHash('sha256').update(origin).digest('hex');
  return readCheckpoint(await (await fetch(`${service.baseUrl}/witness/${hash}/checkpoint`)).text())!;
}

const namesBelow = async (log: TestLog) => (await shownOf(log)).note.signatures.map(({ name }) => name);

function accusations(): Accusation[] {
  const lines = service.output().split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{"level":"error"')).map((line) => JSON.parse(line) as Accusation);
}

/** The line with one bit of its signature changed. */
function spoilt(line: string): string {
  const [dash, name, base64] = line.trimEnd().split(' ') as [string, string, string];
  const bytes = Buffer.from(base64, 'base64');
  bytes[40]! ^= 1;
  return [dash, name, bytes.toString('base64')].join(' ');
}

const lineOf = (log: TestLog): string => log.checkpoint().split('\n\n')[1]!.trimEnd();
const added = (checkpoint: string, lines: string[]): string => checkpoint + lines.map((line) => `${line}\n`).join('');

describe('what a witness publishes', () => {
  it('is the text, the line of the log and its own, whatever lines a stranger adds', async () => {
    const answer = await say(await requestWith(watched, 0, added(watched.checkpoint(), JUNK)));

    expect(answer.status).toBe(200);
    expect(await namesBelow(watched)).toEqual([watched.origin, witnessKey.name]);
    const { note } = await shownOf(watched);
    expect(isSignedBy(note, watched.signer.key)).toBe(true);
    expect(isSignedBy(note, witnessKey)).toBe(true);
  });

  it('is so for the same checkpoint, sent again by a stranger', async () => {
    expect((await say(await requestWith(watched, 3, added(watched.checkpoint(), JUNK)))).status).toBe(200);

    expect(await namesBelow(watched)).toEqual([watched.origin, witnessKey.name]);
  });

  it('leaves out the lines that an older version has stored', async () => {
    const [{ note }] = await dataSource.query('select note from witnessed_log where origin = $1', [watched.origin]);
    const stored = added(appendSignatures(note, [spoilt(lineOf(rotated))]), JUNK);
    await dataSource.query('update witnessed_log set note = $2 where origin = $1', [watched.origin, stored]);

    expect(await namesBelow(watched)).toEqual([watched.origin, witnessKey.name]);
  });

  it('is a line of each trusted key that signed', async () => {
    const checkpoint = added(rotating.checkpoint(), [lineOf(rotated)]);

    expect((await say(await requestWith(rotating, 0, checkpoint))).status).toBe(200);

    const { note } = await shownOf(rotating);
    expect(note.signatures).toHaveLength(3);
    for (const key of [rotating.signer.key, rotated.signer.key]) expect(isSignedBy(note, key)).toBe(true);
  });
});

describe('the lines of trusted keys', () => {
  it.each([
    ['a bad line of another trusted key', () => added(rotating.checkpoint(), [spoilt(lineOf(rotated))])],
    ['a bad line of the key that signed', () => added(rotating.checkpoint(), [spoilt(lineOf(rotating))])],
    ['no line of a trusted key', () => rotating.checkpoint().replace(lineOf(rotating), JUNK[0]!)],
  ])('are refused with 403 where there is %s', async (_what, checkpoint) => {
    const answer = await say(await requestWith(rotating, 1, checkpoint()));

    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text).code).toBe('unknown_log_key');
  });

  it('count once where one is copied, and are published once', async () => {
    const copies = added(rotating.checkpoint(), Array<string>(99).fill(lineOf(rotating)));

    expect((await say(await requestWith(rotating, 1, copies))).status).toBe(200);
    expect(await namesBelow(rotating)).toEqual([rotating.origin, witnessKey.name]);
  });

  it('are not looked at before the old size is right: the answer is the size that is known', async () => {
    const unsigned = rotating.checkpoint().replace(lineOf(rotating), spoilt(lineOf(rotating)));

    expect(await say(await requestWith(rotating, 0, unsigned))).toEqual({ status: 409, text: '1\n' });
  });
});

describe('a witness accuses a log', () => {
  const longer = new TestLog(watched.origin, 5, ['a', 'b', 'c', 'd', 'e']);
  const sameSize = new TestLog(watched.origin, 5, ['a', 'b', 'x']);
  const otherHistory = new TestLog(watched.origin, 5, ['a', 'b', 'x', 'd', 'e']);
  const read = (text: string) => readCheckpoint(text)!;

  it('not over a proof that does not verify, of two roots that it signed, once for each pair', async () => {
    const rubbish = new Uint8Array(32).fill(1);
    const honest = { oldSize: 3, checkpoint: longer.checkpoint() };
    for (const proof of [[rubbish], [], [...(await otherHistory.proof(3)), rubbish]]) {
      expect((await say(writeWitnessRequest({ ...honest, proof }))).status).toBe(422);
    }
    const withProof = writeWitnessRequest({ oldSize: 3, checkpoint: watched.checkpoint(), proof: [rubbish] });
    expect((await say(withProof)).status).toBe(422);
    const fork = await requestWith(sameSize, 3, added(sameSize.checkpoint(), JUNK));
    for (const again of [1, 2]) expect([again, (await say(fork)).status]).toEqual([again, 422]);
    const grown = await say(await otherHistory.request(3));
    expect(grown.status).toBe(422);
    expect(JSON.parse(grown.text).code).toBe('inconsistent_checkpoint');

    await until(() => accusations().length >= 2);

    expect(accusations()).toHaveLength(2);
    const [first, second] = accusations() as [Accusation, Accusation];
    for (const { signed_before: before, signed_now: now } of [first, second]) {
      for (const note of [before, now]) expect(isSignedBy(read(note).note, watched.signer.key)).toBe(true);
      expect(read(before)).toMatchObject({ origin: watched.origin, size: 3, root: watched.root() });
      expect(read(now).origin).toBe(watched.origin);
    }
    expect(first.message).toContain('two histories');
    expect(read(first.signed_now)).toMatchObject({ size: 3, root: sameSize.root() });
    expect(read(first.signed_now).note.signatures).toHaveLength(1);
    const [before, now] = [read(second.signed_before), read(second.signed_now)];
    expect(now).toMatchObject({ size: 5, root: otherHistory.root() });
    const proof = second.proof.map((hash) => decodeBase64(hash)!);
    const claim = { size1: before.size, root1: before.root, size2: now.size, root2: now.root, proof };
    expect(isContradiction(claim)).toBe(true);
  });

  it('and signs on for it where it goes on as it was', async () => {
    expect((await say(await longer.request(3))).status).toBe(200);
  });
});

describe('what a stranger makes a witness compute', () => {
  const REQUESTS = 4;
  const cpuMsOfOne = async (body: string, status: number): Promise<number> => {
    expect((await say(body)).status).toBe(status);
    const start = await cpuMsOf(service);
    for (let sent = 0; sent < REQUESTS; sent++) await say(body);
    return ((await cpuMsOf(service)) - start) / REQUESTS;
  };

  it('is one verification at most, however many copies of a line there are', async () => {
    expect((await say(await costly.request(0))).status).toBe(200);
    const bad = costly.checkpoint().replace(lineOf(costly), spoilt(lineOf(costly)));
    const bodies: [string, number][] = [
      [await requestWith(costly, 0, added(costly.checkpoint(), Array<string>(99).fill(lineOf(costly)))), 409],
      [await requestWith(costly, 1, added(bad, Array<string>(99).fill(spoilt(lineOf(costly))))), 403],
      [await requestWith(costly, 1, added(costly.checkpoint(), Array<string>(99).fill(lineOf(costly)))), 200],
      [await requestWith(costly, 1, added(costly.checkpoint(), Array<string>(1000).fill('— x AAAAAAA='))), 200],
    ];

    const limitMs = 20 * slowness();
    for (const [body, status] of bodies) expect(await cpuMsOfOne(body, status)).toBeLessThan(limitMs);
  });
});
