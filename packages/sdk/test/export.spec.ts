import { type ExportFile } from '@signet/verify';
import { encodeHex, readPolicy, verifyExportLog, writeVerifierKey } from '@signet/verify/log';
import { cosigner } from '@signet/verify/log-sign';
import { avatarKey, MapState } from '@signet/verify/internal/map';
import { createClient, type LogOptions, VerificationError } from '../src/index.js';
import { History, type LogServer, startLogServer } from './support/log-server.js';
import { anAvatar } from './support/people.js';
import { jsonReply, textReply } from './support/stand-in.js';

const alice = anAvatar('alice');
const KEY = alice.key.compressed;
const NAMES = { service_name: 'signet', platforms: [] };
const NOBODY = { pagination: { total: 0, per: 100, current: 1, next: 0 }, ids: [] };
const witness = cosigner('witness.example/w', new Uint8Array(32).fill(2));

/** What the map has of Alice, by the newest tree head. */
async function mapOf(history: History) {
  const state = new MapState();
  const size = history.entries.length - 1;
  for (const text of history.entries.slice(0, size)) {
    state.apply((JSON.parse(text) as { kind: string }).kind === 'kv' ? { kind: 'kv', avatar: KEY } : null);
  }
  const key = avatarKey(KEY);
  const { siblings, end } = state.prove(key);
  return {
    key: encodeHex(key),
    value: state.avatar(KEY),
    proof: {
      siblings: siblings.map(encodeHex),
      end: end && { key: encodeHex(end.key), value_hash: encodeHex(end.valueHash) },
    },
    log_proof: (await history.proofFor(`"size":${size},`, 'map'))!,
  };
}

type MapAnswer = Awaited<ReturnType<typeof mapOf>>;

describe('an export of a server whose map is asked last', () => {
  let server: LogServer;
  let history: History;
  /** By the map after the first patch, and after the second one. */
  let maps: [MapAnswer, MapAnswer];
  beforeEach(async () => {
    history = new History();
    history.addPatch(alice, { name: 'Alice' });
    history.addMap();
    const older = await mapOf(history);
    history.addPatch(alice, { city: 'Ulm' });
    history.addMap();
    maps = [older, await mapOf(history)];
    server = await startLogServer(history);
  });
  afterEach(() => server.close());

  /** Answers the questions to the map one after the other, and the last answer for good. */
  const answerMap = (answers: MapAnswer[], other: Parameters<LogServer['intercept']>[0] = () => undefined) => {
    let asked = 0;
    server.intercept((request) => {
      if (request.path === '/v1/platforms') return jsonReply(NAMES);
      if (request.path === '/v1/proof') return jsonReply(NOBODY);
      if (request.path === '/v1/log/map') return jsonReply(answers[Math.min(asked++, answers.length - 1)]);
      return other(request);
    });
  };
  const read = (logWaitMs = 10_000, log: LogOptions = {}): Promise<ExportFile> =>
    createClient({ baseUrl: server.baseUrl, retries: 0, log }).export(KEY, { logWaitMs });
  const completeOf = (file: ExportFile) => verifyExportLog(file).steps.find(({ name }) => name === 'complete');
  const refusalOf = (file: Promise<ExportFile>) => file.catch((error: unknown) => error);

  it('asks for the map again while it is older than the proofs, and says of what time it is', async () => {
    answerMap(maps);

    const file = await read();

    expect(file.log!.map).toEqual(maps[1]);
    expect(completeOf(file)).toEqual({
      name: 'complete',
      state: 'ok',
      detail:
        'Nothing is left out that the log had at UNIX time 1700000000: 0 links and 2 patches, by its map of 3 entries.',
    });
  });

  it('takes a map that stays older, which shows that nothing is left out of what came later', async () => {
    answerMap([maps[0]]);

    expect(completeOf(await read(0))).toEqual({
      name: 'complete',
      state: 'not_checkable',
      detail:
        'Its map is older than its proofs: what the log took in after UNIX time 1700000000 may be left out. ' +
        'It counts 0 links and 1 patch, and 1 of the links and patches of the file is newer.',
    });
  });

  it('takes an older map at last where each map that is waited for has what was signed meanwhile', async () => {
    const [older] = maps;
    const shown = [...history.patches];
    history.addPatch(alice, { city: 'Bonn' });
    history.addMap();
    const ahead = await mapOf(history);
    const chain = { pagination: { ...NOBODY.pagination, total: 2 }, kv_chain: shown };
    answerMap([older, ahead, older, ahead, older], ({ path }) =>
      path === '/v1/kv/chain' ? jsonReply(chain) : undefined,
    );

    const file = await read();

    expect(file).toMatchObject({ patches: [{}, {}], log: { map: older } });
    expect(completeOf(file)).toMatchObject({ state: 'not_checkable' });
    answerMap([ahead], ({ path }) => (path === '/v1/kv/chain' ? jsonReply(chain) : undefined));
    expect(await refusalOf(read())).toMatchObject({ message: expect.stringContaining('Of 3 patches, 1 is left out') });
  });

  it('is checked by the key or the policy of the client, not by the key that the server names', async () => {
    answerMap([maps[1]]);
    const other = new History('signet.example/log', 9).verifierKey;
    const policyOf = (key: string) => `log ${key}\nquorum none\n`;

    for (const log of [{ logKey: other }, { policy: policyOf(other) }]) {
      const error = await refusalOf(read(0, log));
      expect(error).toBeInstanceOf(VerificationError);
      expect(error).toMatchObject({ message: expect.stringContaining('The export does not verify.') });
    }
    for (const log of [{ logKey: history.verifierKey }, { policy: policyOf(history.verifierKey) }]) {
      expect(await read(0, log)).toMatchObject({ log: { map: maps[1] } });
    }
    expect(await refusalOf(read(0, { logKey: 'nonsense' }))).toBeInstanceOf(VerificationError);
  });

  it('waits for the witnesses of the policy, and is refused where they do not sign', async () => {
    const policy = `log ${history.verifierKey}\nwitness w ${writeVerifierKey(witness.key)}\nquorum w\n`;
    const cosigned = (proof: string) => {
      const note = proof.slice(proof.indexOf('\n\n') + 2);
      return proof + witness.cosign(note.slice(0, note.indexOf('\n\n') + 1), Math.floor(Date.now() / 1000));
    };
    const proofs = new Map<string, string>();
    for (const { uuid } of history.patches) proofs.set(uuid, (await history.proofFor(uuid))!);
    const unsigned = maps[1];
    const signed = { ...unsigned, log_proof: cosigned(unsigned.log_proof) };
    const asked = new Map<string, number>();
    answerMap([unsigned, signed], ({ path, query }) => {
      const uuid = query.get('uuid')!;
      if (path !== '/v1/log/proof') return undefined;
      asked.set(uuid, (asked.get(uuid) ?? 0) + 1);
      return textReply(asked.get(uuid) === 1 ? proofs.get(uuid)! : cosigned(proofs.get(uuid)!));
    });

    const file = await read(10_000, { policy });

    expect(verifyExportLog(file, { policy: readPolicy(policy) })).toMatchObject({ ok: true, complete: true });
    answerMap([unsigned]);
    expect(await refusalOf(read(0, { policy }))).toMatchObject({
      steps: expect.arrayContaining([expect.objectContaining({ name: 'witnesses', state: 'failed' })]),
    });
  });
});
