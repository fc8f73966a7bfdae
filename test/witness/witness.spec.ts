import { createHash } from 'node:crypto';
import { ED25519_KEY, readNote } from '@signet/verify/internal/log';
import {
  cosignatureTime,
  isSignedBy,
  readCheckpoint,
  readVerifierKey,
  verifierKey,
  writeVerifierKey,
} from '@signet/verify/log';
import { type RunningApp, startApp } from '../support/app.js';
import { TestLog } from './test-log.js';

/** FiloSottile/torchwood 341dc2f, cmd/litewitness/testdata/litewitness.txt: what a Sigsum log said to litewitness. */
const SIGSUM = 'sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562';
const SIGSUM_KEY = writeVerifierKey(
  verifierKey(
    SIGSUM,
    ED25519_KEY,
    Buffer.from('ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f', 'hex'),
  ),
);
const ONE = 'UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=';
const THREE = 'UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=';
const FIVE = 'UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=';
const ROOT_3 = 'RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=';
const ROOT_5 = 'QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=';
const TO_3 = ['KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='];
const TO_5 = [
  'KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'KgMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE=',
  'KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
];
const FROM_1_TO_5 = [
  'KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  '+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=',
  'KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
];
const said = (old: number, proof: string[], size: number, root: string, signature: string, origin = SIGSUM) =>
  [`old ${old}`, ...proof, '', origin, size, root, '', `— ${origin} ${signature}`, ''].join('\n');

/** What was said, what litewitness answered, and where this witness follows the specification instead. */
const DIALOGUE: [string, string, number, string][] = (
  [
    ['the first checkpoint', said(0, [], 1, 'KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', ONE), 200],
    // litewitness reads Base64 with stray bits and answers 403; here such a note is malformed.
    ['a signature with stray bits', said(1, TO_3, 3, ROOT_3, THREE.replace('6go=', '6gx=')), 400],
    ['a spoilt signature', said(1, TO_3, 3, ROOT_3, THREE.replace('9d75', '9d76')), 403],
    // litewitness answers 403; the specification 404.
    ['another log', said(1, TO_3, 3, ROOT_3, THREE, SIGSUM.replace(/2$/, '3')), 404],
    ['no proof', said(1, [], 3, ROOT_3, THREE), 422],
    ['a spoilt proof', said(1, [TO_3[0]!, TO_3[1]!.replace('AAA=', 'ABA=')], 3, ROOT_3, THREE), 422],
    ['the second checkpoint', said(1, TO_3, 3, ROOT_3, THREE), 200],
    ['a proof from an older size', said(1, FROM_1_TO_5, 5, ROOT_5, FIVE), 409, '3\n'],
    ['the third checkpoint', said(3, TO_5, 5, ROOT_5, FIVE), 200],
    ['no old size', said(0, [], 5, ROOT_5, FIVE), 409, '5\n'],
  ] as [string, string, number, string?][]
).map(([what, body, status, text = '']) => [what, body, status, text]);

const ours = new TestLog(
  'signet.example/log',
  0x11,
  [0, 1, 2, 3, 4].map((n) => `{"n":${n}}`),
);
const raced = new TestLog('raced.example/log', 7);

interface Answered {
  status: number;
  type: string;
  text: string;
}

async function say(app: RunningApp, body: string | Buffer): Promise<Answered> {
  const reply = await fetch(`${app.baseUrl}/witness/add-checkpoint`, { method: 'POST', body });
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', text: await reply.text() };
}

describe('a Signet that is a witness', () => {
  let app: RunningApp;
  let key: NonNullable<ReturnType<typeof readVerifierKey>>;
  beforeAll(async () => {
    const logs = `# three logs\nlog ${SIGSUM_KEY}\nlog ${ours.verifierKey} https://signet.example/log\nlog ${raced.verifierKey}`;
    app = await startApp({ env: { WITNESS: 'on', WITNESS_LOGS: logs } });
    key = readVerifierKey((await app.get('/v1/witness')).body.verifier_key)!;
  });
  afterAll(() => app?.close());

  it.each(DIALOGUE)('answers the recorded dialogue of litewitness: %s', async (_what, body, status, text) => {
    const answer = await say(app, body);

    expect(answer.status).toBe(status);
    if (text !== '') expect(answer).toMatchObject({ text, type: 'text/x.tlog.size' });
    if (status === 200) {
      const note = readNote(`${body.slice(body.indexOf('\n\n') + 2)}${answer.text}`)!;
      expect(answer.type).toMatch(/^text\/plain/);
      expect(Math.abs(cosignatureTime(note, key)! - Date.now() / 1000)).toBeLessThan(60);
    }
    if (status === 422) expect(JSON.parse(answer.text).code).toBe('inconsistent_checkpoint');
  });

  it('shows monitors what it signed last, with both signatures', async () => {
    const hash = createHash('sha256').update(SIGSUM).digest('hex');
    const reply = await fetch(`${app.baseUrl}/witness/${hash}/checkpoint`);
    const checkpoint = readCheckpoint(await reply.text())!;

    expect(checkpoint).toMatchObject({ origin: SIGSUM, size: 5 });
    expect(isSignedBy(checkpoint.note, readVerifierKey(SIGSUM_KEY)!)).toBe(true);
    expect(cosignatureTime(checkpoint.note, key)).not.toBeNull();
    expect((await app.get(`/witness/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
    expect((await app.get('/witness/nonsense/checkpoint')).body.code).toBe('unknown_log');
  });

  it('tells whom it watches', async () => {
    const { body } = await app.get('/v1/witness');

    expect(body.name).toMatch(/^self-witness-[0-9a-f]{16}$/);
    expect(body.logs).toMatchObject([{ origin: SIGSUM, size: 5 }, { origin: ours.origin }, { origin: raced.origin }]);
    expect(body.logs[0].cosigned_at).toBeGreaterThan(1_700_000_000);
  });

  it('signs the composed checkpoint, and answers 409 with its size when it is told of no old one again', async () => {
    const body = await ours.request(0);
    expect(body).toContain('h9UMXqS06cZqY1DcnPgMhWQabcLU6G++7tynUvpM20w=');

    expect((await say(app, body)).status).toBe(200);
    expect(await say(app, body)).toMatchObject({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  });

  it('signs the same checkpoint again, with the time of now', async () => {
    const again = await say(app, await ours.request(5));

    expect(again.status).toBe(200);
    expect(cosignatureTime(readNote(ours.checkpoint() + again.text)!, key)).not.toBeNull();
  });

  it('does not sign another tree of the same size, nor one that does not continue, and keeps what it knew', async () => {
    const forked = new TestLog(ours.origin, 0x11, ['a', 'b', 'c', 'd', 'e']);
    const same = await say(app, await forked.request(5));
    forked.add('f');
    const longer = await say(app, await forked.request(5));
    const ofSize = async (size: number) => say(app, (await ours.request(5)).replace('\n5\n', `\n${size}\n`));

    expect(same.status).toBe(422);
    expect(JSON.parse(same.text).code).toBe('inconsistent_checkpoint');
    expect(longer.status).toBe(422);
    expect((await ofSize(4)).status).toBe(400);
    expect((await ofSize(6)).status).toBe(403);
    expect((await app.get('/v1/witness')).body.logs[1].size).toBe(5);
  });

  it.each([
    ['nothing', ''],
    ['JSON', '{}'],
    ['an old size that is larger', 'old 9\n\n' + ours.checkpoint()],
    ['an old size with a leading zero', 'old 05\n\n' + ours.checkpoint()],
    ['64 hashes', `old 5\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n${ours.checkpoint()}`],
    ['a hash that is too short', `old 5\nAAAA\n\n${ours.checkpoint()}`],
    ['more than 16 KiB', `old 5\n\n${ours.checkpoint()}${'— a.example AAAAAAA=\n'.repeat(900)}`],
    ['no UTF-8', Buffer.from([0x6f, 0xff])],
  ])('answers 400 to %s', async (_what, body) => {
    const answer = await say(app, body);

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).code).toBe('invalid_request');
  });

  it('refuses a proof that comes with an old size of 0', async () => {
    const fresh = new TestLog(raced.origin, 7, ['x', 'y']);
    const body = (await fresh.request(0)).replace('old 0\n', `old 0\n${TO_3[0]}\n`);

    expect((await say(app, body)).status).toBe(422);
  });

  it('signs one history only, however many servers are shown two at once', async () => {
    const other = await startApp({
      databaseUrl: app.environment.DATABASE_URL!,
      env: { WITNESS: 'on', WITNESS_LOGS: `log ${raced.verifierKey}` },
    });
    const signed = new Map<number, Set<string>>();
    try {
      let known = new TestLog(raced.origin, 7, ['base']);
      expect((await say(app, await known.request(0))).status).toBe(200);
      for (let round = 0; round < 8; round++) {
        const branches = ['left', 'right', 'middle', 'fourth'].map((name) => known.branch(`${name} ${round}`));
        const answers = await Promise.all(
          branches.map(async (branch, place) => say(place % 2 ? app : other, await branch.request(known.size))),
        );
        const winners = branches.filter((_, place) => answers[place]!.status === 200);
        for (const winner of winners) {
          const roots = signed.get(winner.size) ?? new Set();
          signed.set(winner.size, roots.add(Buffer.from(winner.root()).toString('hex')));
        }

        expect(winners).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
        known = winners[0]!;
      }
    } finally {
      await other.close();
    }

    expect([...signed.values()].map((roots) => roots.size)).toEqual(Array(8).fill(1));
  });
});

describe('a Signet that is no witness', () => {
  it.each([
    ['WITNESS_LOGS', 'log nonsense', /WITNESS_LOGS: line 1/],
    ['WITNESS_LOGS', '/nowhere/logs.txt', /WITNESS_LOGS: the file \/nowhere\/logs\.txt cannot be read/],
    ['WITNESS_KEY', 'abc', /WITNESS_KEY must be 64 hex digits/],
    ['WITNESS', 'perhaps', /WITNESS must be on or off/],
  ])('does not start with a wrong %s', async (name, value, expected) => {
    await expect(startApp({ env: { WITNESS: 'on', [name]: value } })).rejects.toThrow(expected);
  });

  it('has no such routes by default', async () => {
    const app = await startApp();
    try {
      expect((await app.get('/v1/witness')).status).toBe(404);
      expect((await app.get(`/witness/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
    } finally {
      await app.close();
    }
  });
});
