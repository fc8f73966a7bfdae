import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type LogOptions } from '@signet/sdk';
import { type ExportFile, verifyExport } from '@signet/verify';
import { readWitnessRequest } from '@signet/verify/internal/log';
import {
  encodeBase64,
  logOnlyPolicy,
  readCheckpoint,
  readLogProof,
  readPolicy,
  readVerifierKey,
  verifyExportLog,
  writeLogProof,
  writeVerifierKey,
} from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { writeKv } from '../kv/kv-scenario.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestWallet } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import { type StandIn, startStandIn, textReply } from '../../packages/look/test/support/stand-in-server.js';
import { until } from '../support/until.js';
import { runHere } from '../../packages/cli/test/terminal.js';

const alice = anAvatar('alice');
const witness = cosigner('witness.example/w', new Uint8Array(32).fill(2));
const COSIGNED_AT = 1_700_000_000;
const NOTHING = new Response(JSON.stringify({ message: 'No such thing.', code: 'not_found' }), { status: 404 });
const CATCHES_UP = new Response(JSON.stringify({ message: 'It is computed.', code: 'map_catching_up' }), {
  status: 503,
});
const WAITS = new Response(JSON.stringify({ message: 'It waits.', code: 'not_yet_logged' }), { status: 404 });

/** What is not ok, by the names of the steps. */
const openSteps = ({ steps }: { steps: { name: string; state: string }[] }) =>
  Object.fromEntries(steps.filter(({ state }) => state !== 'ok').map(({ name, state }) => [name, state]));
const clone = (file: ExportFile): ExportFile => structuredClone(file);
const flipped = (bytes: Uint8Array) => bytes.map((byte, place) => (place === 20 ? byte ^ 1 : byte));

describe('an export of a server that has a log', () => {
  let home: string;
  let file: ExportFile;
  let withoutLog: ExportFile;
  /** Of a server that keeps no map, and of one that computes its map. */
  let withoutMap: ExportFile[];
  let whileWaiting: ExportFile;
  let afterWaiting: ExportFile;
  let waited = 0;

  // All that follows is checked after the server has stopped.
  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'signet-export-'));
    const running: RunningApp = await startApp();
    try {
      await linkWallet(running, alice, aWallet('one'));
      await linkWallet(running, alice, aWallet('two'));
      await writeKv(running, alice, { name: 'Alice', list: [1.5, null] });
      const read = (answer: (url: URL) => Response | undefined, logWaitMs?: number) => {
        const answered: typeof fetch = async (url, init) => answer(new URL(url as string))?.clone() ?? fetch(url, init);
        return createClient({ baseUrl: running.baseUrl, fetch: answered, retries: 0 }).export(alice.key.compressed, {
          logWaitMs,
        });
      };
      file = await read(() => undefined);
      withoutLog = await read(({ pathname }) => (pathname === '/v1/log' ? NOTHING : undefined));
      const isOfMap = ({ pathname }: URL) => pathname === '/v1/log/map';
      withoutMap = [
        await read((url) => (isOfMap(url) ? NOTHING : undefined)),
        await read((url) => (isOfMap(url) ? CATCHES_UP : undefined)),
      ];
      const patch = file.patches[0]!.uuid;
      const isOfPatch = ({ pathname, searchParams }: URL) =>
        pathname === '/v1/log/proof' && searchParams.get('uuid') === patch;
      whileWaiting = await read((url) => (isOfPatch(url) ? WAITS : undefined), 0);
      afterWaiting = await read((url) => (isOfPatch(url) && waited++ === 0 ? WAITS : undefined));
    } finally {
      await running.close();
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** The last entry of a tree of three at least, so that its proof has hashes. */
  const lastProof = () => file.log!.proofs[file.patches[0]!.uuid]!;
  /** The file with another proof of its first link, or of what is named. */
  const withProof = (proof: string, uuid = file.links[0]!.uuid): ExportFile => {
    const changed = clone(file);
    changed.log!.proofs[uuid] = proof;
    return changed;
  };
  const logKey = () => logOnlyPolicy(readVerifierKey(file.log!.verifier_key)!);
  const policyText = () => `log ${file.log!.verifier_key}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
  /** The file as it is where a witness has signed each checkpoint. */
  const cosigned = (): ExportFile => {
    const changed = clone(file);
    const withWitness = (proof: string) => {
      const { checkpoint } = readLogProof(proof)!;
      const body = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
      return proof + witness.cosign(body, COSIGNED_AT);
    };
    const { proofs } = changed.log!;
    for (const [uuid, proof] of Object.entries(proofs)) proofs[uuid] = withWitness(proof);
    const map = changed.log!.map as { log_proof: string };
    map.log_proof = withWitness(map.log_proof);
    return changed;
  };
  const verify = (content: ExportFile, ...words: string[]) => {
    const name = path.join(home, 'file.json');
    writeFileSync(name, JSON.stringify(content));
    return runHere(['verify', name, ...words], { HOME: home, SIGNET_SERVER: 'http://127.0.0.1:1' });
  };

  it('has a proof for each link and patch, which verifies with the key of the log', () => {
    expect(Object.keys(file.log!.proofs).sort()).toEqual(
      [...file.links, ...file.patches].map(({ uuid }) => uuid).sort(),
    );
    expect(verifyExport(file)).toMatchObject({ ok: true });
    for (const form of [file, JSON.stringify(file)]) {
      const result = verifyExportLog(form, { policy: logKey() });
      expect(result.steps.find(({ name }) => name === 'logged')).toMatchObject({
        state: 'ok',
        detail: expect.stringContaining('All 3 links and patches'),
      });
      expect(openSteps(result)).toEqual({ witnesses: 'not_checkable' });
    }
  });

  it('verifies as an editor or a shell has saved it, and is never called wrong where its bytes are no text', async () => {
    const text = JSON.stringify(file, null, 2);
    const verifyBytes = (bytes: Buffer) => {
      writeFileSync(path.join(home, 'saved.json'), bytes);
      const policy = path.join(home, 'saved.txt');
      writeFileSync(policy, `\ufeff${policyText().replace('quorum w', 'quorum none').replaceAll('\n', '\r\n')}`);
      const words = ['verify', path.join(home, 'saved.json'), '--policy', policy];
      return runHere(words, { HOME: home, SIGNET_SERVER: 'http://127.0.0.1:1' });
    };
    const saved = [
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ];

    for (const bytes of saved) expect(await verifyBytes(bytes)).toMatchObject({ code: 0 });
    const other = await verifyBytes(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xe9])]));
    expect(other.code).toBe(2);
    expect(other.text).toMatch(/saved\.json cannot be read\. It is not a text in UTF-8: an editor/);
  });

  it('says that the key is the word of the file where nobody else is believed', () => {
    expect(openSteps(verifyExportLog(file))).toEqual({ log_key: 'not_checkable', witnesses: 'not_checkable' });
  });

  it('shows which witnesses have seen it, and fails where too few have', () => {
    const policy = readPolicy(policyText());

    expect(verifyExportLog(cosigned(), { policy })).toMatchObject({ ok: true, complete: true });
    expect(openSteps(verifyExportLog(file, { policy }))).toEqual({
      complete: 'failed',
      logged: 'failed',
      witnesses: 'failed',
    });
    expect(openSteps(verifyExportLog(cosigned(), { policy, now: COSIGNED_AT - 1000 }))).toMatchObject({
      witnesses: 'failed',
    });
  });

  it('proves that nothing was left out, and fails where the newest link and its proof were', async () => {
    const cut = clone(file);
    delete cut.log!.proofs[cut.links.pop()!.uuid];
    const whole = verifyExportLog(file).steps.find(({ name }) => name === 'complete')!;
    const { steps } = verifyExportLog(cut);

    expect(whole.state).toBe('ok');
    expect(whole.detail).toMatch(
      /^Nothing is left out that the log had at UNIX time \d{10}: 2 links and 1 patch, by its map of \d+ entries\.$/,
    );
    expect(steps.filter(({ state }) => state === 'failed')).toEqual([
      { name: 'complete', state: 'failed', detail: expect.stringMatching(/^Of \d+ links, 1 is left out, the newest/) },
    ]);
    expect((await verify(cut)).text).toContain('1 is left out, the newest among them.');
  });

  it('fails with one byte changed in the proof, in the root or the signature of the checkpoint, or in the entry', () => {
    const proof = readLogProof(lastProof())!;
    const [text, signature] = proof.checkpoint.split('\n\n') as [string, string];
    const [, root] = /\n([^\n]{44})$/.exec(text)!;
    const withRoot = text.replace(root!, encodeBase64(flipped(Buffer.from(root!, 'base64'))));
    const [, line] = / (\S+)\n$/.exec(signature)!;
    const withSignature = signature.replace(line!, encodeBase64(flipped(Buffer.from(line!, 'base64'))));
    const changed: [string, string][] = [
      ['inclusion', writeLogProof({ ...proof, proof: proof.proof.map(flipped) })],
      ['inclusion', writeLogProof({ ...proof, index: proof.index + 1 })],
      ['inclusion', writeLogProof({ ...proof, checkpoint: `${withRoot}\n\n${signature}` })],
      ['log_signature', writeLogProof({ ...proof, checkpoint: `${text}\n\n${withSignature}` })],
      ['entry', writeLogProof({ ...proof, extra: flipped(proof.extra!) })],
      ['proof', 'nothing'],
    ];

    for (const [step, spoilt] of changed) {
      const content = withProof(spoilt, file.patches[0]!.uuid);
      expect(spoilt).not.toBe(lastProof());
      expect(openSteps(verifyExportLog(content, { policy: logKey() }))).toMatchObject({
        [step]: 'failed',
        logged: 'failed',
      });
    }
  });

  it('fails with the proof of something else, with one of nothing in it, and with a link that was changed', () => {
    const other = withProof(file.log!.proofs[file.links[1]!.uuid]!);
    const cut = clone(file);
    cut.links.pop();
    const edited = clone(file);
    edited.links[0]!.signature = file.links[1]!.signature;

    expect(openSteps(verifyExportLog(other))).toMatchObject({ entry: 'failed' });
    expect(openSteps(verifyExportLog(cut))).toMatchObject({ logged: 'failed' });
    expect(openSteps(verifyExportLog(edited))).toMatchObject({ entry: 'failed' });
  });

  it('never makes the check throw, whatever it holds', () => {
    for (const content of [null, 7, '', '{', [], {}, { ...file, links: null }]) {
      expect(openSteps(verifyExportLog(content))).toEqual({ logged: 'failed' });
    }
    for (const log of [
      null,
      7,
      {},
      { verifier_key: 'x' },
      { verifier_key: file.log!.verifier_key, proofs: { a: 1 } },
    ]) {
      expect(openSteps(verifyExportLog({ ...file, log }))).toEqual({ logged: 'failed' });
    }
    expect(openSteps(verifyExportLog({ ...file, log: { verifier_key: 'x', proofs: {} } }))).toEqual({
      log_key: 'failed',
    });
    expect(verifyExportLog({ ...file, links: [null, 7, {}], patches: [] })).toMatchObject({ ok: false });
  });

  it('waits for what is not in the log yet, and leaves out what does not come', () => {
    expect(waited).toBeGreaterThan(1);
    expect(openSteps(verifyExportLog(afterWaiting, { policy: logKey() }))).toEqual({ witnesses: 'not_checkable' });
    expect(Object.keys(whileWaiting.log!.proofs)).toHaveLength(2);
    expect(openSteps(verifyExportLog(whileWaiting))).toMatchObject({ logged: 'not_checkable' });
  });

  it('is good without a log, and says that this could not be checked', async () => {
    expect(withoutLog.log).toBeUndefined();
    expect(verifyExport(withoutLog)).toMatchObject({ ok: true });
    expect(openSteps(verifyExportLog(withoutLog))).toEqual({ logged: 'not_checkable' });
    expect(await verify(withoutLog)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/not checkable {2}It carries/),
    });
  });

  it('says that nothing shows what was left out where the server has no map, or none yet', () => {
    for (const { log } of withoutMap) expect(Object.keys(log!)).toEqual(['verifier_key', 'proofs']);
    const [withMap, ...without] = [file, ...withoutMap].map((one) => verifyExportLog(one, { policy: logKey() }));

    expect(withMap!.steps).toContainEqual(expect.objectContaining({ name: 'complete', state: 'ok' }));
    for (const { ok, steps } of without) {
      expect(ok).toBe(true);
      expect(steps).toContainEqual(expect.objectContaining({ name: 'complete', state: 'not_checkable' }));
    }
  });

  it('shows by signet verify that it is signed by the key, in the log, and seen by the witnesses', async () => {
    const policyFile = path.join(home, 'policy.txt');
    writeFileSync(policyFile, policyText());

    const seen = await verify(cosigned(), '--policy', policyFile);
    const unseen = await verify(file, '--policy', policyFile);
    const withKey = await verify(file, '--log-key', file.log!.verifier_key, '--json');
    const otherKey = await verify(file, '--log-key', file.log!.verifier_key.replace(/\+\w+\+/, '+00000000+'));
    const spoilt = await verify(withProof(file.log!.proofs[file.links[1]!.uuid]!));

    expect(seen).toMatchObject({ code: 0 });
    expect(seen.text).toMatch(/ok +It is an export of [^]*All 3 links and patches are in the log[^]*Enough witnesses/);
    expect(seen.text).not.toContain('verifyExportLog');
    expect(unseen).toMatchObject({ code: 1, text: expect.stringContaining('too few witnesses') });
    expect(JSON.parse(withKey.text)).toMatchObject({ ok: true });
    expect(otherKey.code).toBe(2);
    expect(spoilt).toMatchObject({ code: 1, text: expect.stringContaining('Link 1: The entry is that of something') });
  });

  it('is refused by signet verify where its bytes are not UTF-8, which no signature would show', async () => {
    const name = path.join(home, 'spoilt.json');
    const text = JSON.stringify(file);
    const at = text.indexOf('"server":"') + '"server":"'.length;
    writeFileSync(name, Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.of(0xff), Buffer.from(text.slice(at))]));

    const run = await runHere(['verify', name], { HOME: home, SIGNET_SERVER: 'http://127.0.0.1:1' });

    expect(run).toMatchObject({ code: 2, text: expect.stringContaining('is not a text in UTF-8') });
  });

  it('is checked with a warning where two sets of witnesses without a common member meet the quorum', async () => {
    const policyFile = path.join(home, 'weak.txt');
    const other = cosigner('other.example/w', new Uint8Array(32).fill(10));
    const group = `witness o ${writeVerifierKey(other.key)}\ngroup g any w o\nquorum g\n`;
    writeFileSync(policyFile, policyText().replace('quorum w\n', group));

    const run = await verify(cosigned(), '--policy', policyFile);

    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('Careful: two sets of witnesses') });
    writeFileSync(policyFile, policyText());
    expect((await verify(cosigned(), '--policy', policyFile)).text).not.toContain('Careful');
  });
});

describe('an export of a server whose log asks a witness, while others write', () => {
  const bob = anAvatar('bob');
  let running: RunningApp;
  let standIn: StandIn;
  let known = 0;
  let isAway = false;
  let isWriting = true;
  let writes: Promise<void>;
  const cosigns = ({ body }: { body: string }) => {
    const request = readWitnessRequest(body);
    if (isAway || !request) return { status: 500 };
    if (request.oldSize !== known) {
      return { ...textReply(`${known}\n`, 409), headers: { 'content-type': 'text/x.tlog.size' } };
    }
    const { note, size } = readCheckpoint(request.checkpoint)!;
    known = size;
    return textReply(witness.cosign(note.text, Math.floor(Date.now() / 1000)));
  };
  beforeAll(async () => {
    standIn = await startStandIn(cosigns);
    const policy = `witness w ${writeVerifierKey(witness.key)} ${standIn.baseUrl}/\nquorum w`;
    running = await startApp({ env: { LOG_WITNESS_SECONDS: '1', LOG_POLICY: policy } });
    await linkWallet(running, alice, aWallet('one'));
    await until(async () => (await running.get('/v1/log')).body.policy_met as boolean);
    writes = (async () => {
      for (let n = 0; isWriting; n++) await writeKv(running, bob, { n });
    })();
  });
  afterAll(async () => {
    isWriting = false;
    await writes;
    await running?.close();
    await standIn?.close();
  });

  /** Writes a file behind a link that the witness has not seen; it comes back when the proofs were read. */
  const exportBehind = async (wallet: TestWallet, comesBackAt: string, log: LogOptions) => {
    isAway = true;
    await linkWallet(running, alice, wallet);
    let asked = 0;
    const answered: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (new URL(url as string).pathname === comesBackAt && answer.ok && ++asked > 2) isAway = false;
      return answer;
    };
    const client = createClient({ baseUrl: running.baseUrl, fetch: answered, retries: 0, log });
    return client.export(alice.key.compressed, { logWaitMs: 30_000 });
  };

  it('has a map that is as new as its proofs, once the witness has signed', async () => {
    const file = await exportBehind(aWallet('two'), '/v1/log/map', {});

    expect(openSteps(verifyExportLog(file))).toEqual({ log_key: 'not_checkable', witnesses: 'not_checkable' });
    expect(isAway).toBe(false);
  });

  it('is met by the policy with which the client was made', async () => {
    const { verifier_key: key } = (await running.get('/v1/log')).body;
    const policy = `log ${key}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;

    const file = await exportBehind(aWallet('three'), '/v1/log/proof', { policy });

    expect(file.links).toHaveLength(3);
    expect(verifyExportLog(file, { policy: readPolicy(policy) })).toMatchObject({ ok: true, complete: true });
  });
});
