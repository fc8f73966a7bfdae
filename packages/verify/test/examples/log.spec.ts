import { fileOf, vectorOf } from '../support/published-vectors.js';
import {
  checkpointText,
  cosignatureTime,
  ENTRY_KINDS,
  type FeedLink,
  isConsistent,
  isContradiction,
  isIncluded,
  isSignedBy,
  judgeCheckpoint,
  KEY_ENTRIES,
  leafHash,
  LINK_ENTRIES,
  logOnlyPolicy,
  type MapQuestion,
  PATCH_ENTRIES,
  PolicyError,
  readCheckpoint,
  readEntry,
  readLogKey,
  readLogProof,
  readPolicy,
  readReceipt,
  readVerifierKey,
  treeRoot,
  verifierKey,
  verifyExportLog,
  verifyLogProof,
  verifyMapAnswer,
  verifyReceipt,
  writeLogProof,
  writeVerifierKey,
} from '../../src/log.js';
import { cosigner, noteSigner, observer, signCheckpoint } from '../../src/log-sign.js';
import {
  judgeSeen,
  linkHash,
  ObserversError,
  readObservers,
  readStatement,
  type SeenBinding,
  verifyExportSeen,
} from '../../src/seen.js';

interface Recorded {
  item: FeedLink;
  proof: string;
  receipt: string;
  policy: string;
}

/** What `GET /v1/log/proof` answers for a link of the feed, and whom the reader trusts. */
const { item: link, proof, policy } = vectorOf<Recorded>('proofs.json', 'link-1-of-the-feed');
const { receipt } = vectorOf<Recorded>('receipts.json', 'of-a-link');
/** What `GET /v1/log/checkpoint` answers. */
const { note, policy: oneLog } = vectorOf<{ note: string; policy: string }>('checkpoints.json', 'signed-by-the-log');
const logKey = oneLog.split(/\s/)[1]!;
const { entry_base64 } = vectorOf<{ entry_base64: string }>('log-entries.json', 'read');
const entry = new Uint8Array(Buffer.from(entry_base64, 'base64'));
/** What `GET /v1/log/map` answers, and what was asked. */
const map = vectorOf<{ answer: unknown; question: MapQuestion; policy: string }>('maps.json', 'answer-avatar');
const exported = fileOf('exports/full.json');
const one = new TextEncoder().encode('one');
const two = new TextEncoder().encode('two');
const seed = new Uint8Array(32).fill(1);
/** Statements of three observers, as `GET /v1/proofs/seen` answers them. */
const seen = vectorOf<{ notes: string[]; observers: string; binding: SeenBinding; now: number }>(
  'seen.json',
  'three-of-three',
);

describe('@signet/verify/log', () => {
  it('verifyLogProof', () => {
    const { ok, steps } = verifyLogProof(proof, { link, policy: readPolicy(policy) });
    expect(ok).toBe(true);
    expect(steps.map(({ name }) => name)).toContain('inclusion');
  });

  it('readLogProof', () => {
    expect(readLogProof(proof)?.index).toBe(0);
    expect(readLogProof('another text')).toBe(null);
  });

  it('writeLogProof', () => {
    const read = readLogProof(proof);
    expect(read && writeLogProof(read)).toBe(proof);
  });

  it('verifyReceipt', () => {
    const { ok, receipt: read } = verifyReceipt(receipt, { link, policy: readPolicy(policy) });
    expect(ok).toBe(true);
    expect(read?.kind).toBe('link');
  });

  it('readReceipt', () => {
    expect(readReceipt(receipt)?.receipt.log).toBe('signet.example/log');
    expect(readReceipt('another text')).toBe(null);
  });

  it('verifyExportLog', () => {
    const { ok } = verifyExportLog(exported, { policy: readPolicy(policy) });
    expect(ok).toBe(true);
  });

  it('verifyMapAnswer', () => {
    const { ok, value } = verifyMapAnswer(map.answer, map.question, { policy: readPolicy(map.policy) });
    expect(ok).toBe(true);
    expect(value).toMatchObject({ links: expect.any(Number) });
  });

  it('readPolicy', () => {
    const { logs, quorum } = readPolicy(`log ${logKey}\nquorum none\n`);
    expect(logs[0]?.key.name).toBe('signet.example/log');
    expect(quorum).toBe(null);
  });

  it('logOnlyPolicy', () => {
    const key = readLogKey(logKey);
    expect(key && logOnlyPolicy(key).witnesses).toEqual([]);
  });

  it('PolicyError', () => {
    expect(() => readPolicy('witness of nothing')).toThrow(PolicyError);
  });

  it('judgeCheckpoint', () => {
    const checkpoint = readCheckpoint(note);
    const verdict = checkpoint && judgeCheckpoint(checkpoint, readPolicy(oneLog));
    expect(verdict?.log?.key.name).toBe('signet.example/log');
    expect(verdict?.isQuorumMet).toBe(true);
  });

  it('readCheckpoint', () => {
    const checkpoint = readCheckpoint(note);
    expect(checkpoint?.origin).toBe('signet.example/log');
    expect(checkpoint?.size).toBe(3);
  });

  it('checkpointText', () => {
    const text = checkpointText({
      origin: 'signet.example/log',
      size: 2,
      root: treeRoot([leafHash(one), leafHash(two)]),
    });
    expect(text.startsWith('signet.example/log\n2\n')).toBe(true);
  });

  it('isSignedBy', () => {
    const checkpoint = readCheckpoint(note);
    const key = readVerifierKey(logKey);
    expect(checkpoint && key && isSignedBy(checkpoint.note, key)).toBe(true);
  });

  it('cosignatureTime', () => {
    const log = noteSigner('signet.example/log', seed);
    const witness = cosigner('witness.example/w', seed);
    const head = { origin: log.key.name, size: 1, root: leafHash(one) };
    const cosigned = signCheckpoint(head, log) + witness.cosign(checkpointText(head), 1718000000);
    expect(cosignatureTime(readCheckpoint(cosigned)!.note, witness.key)).toBe(1718000000);
  });

  it('readVerifierKey', () => {
    expect(readVerifierKey(logKey)?.name).toBe('signet.example/log');
    expect(readVerifierKey('another text')).toBe(null);
  });

  it('readLogKey', () => {
    expect(readLogKey(logKey)?.id).toBe('ea7d8f53');
    expect(readLogKey(writeVerifierKey(cosigner('witness.example/w', seed).key))).toBe(null);
  });

  it('verifierKey', () => {
    const { publicKey } = readVerifierKey(logKey)!;
    expect(verifierKey('signet.example/log', 1, publicKey).id).toBe('ea7d8f53');
  });

  it('writeVerifierKey', () => {
    const key = readVerifierKey(logKey);
    expect(key && writeVerifierKey(key)).toBe(logKey);
  });

  it('readEntry', () => {
    expect(readEntry(entry)?.kind).toBe('link');
    expect(readEntry(one)).toBe(null);
  });

  it('ENTRY_KINDS', () => {
    expect(ENTRY_KINDS.map(({ name }) => name)).toEqual(['link', 'kv', 'key']);
  });

  it('LINK_ENTRIES', () => {
    expect(LINK_ENTRIES.name).toBe('link');
  });

  it('PATCH_ENTRIES', () => {
    expect(PATCH_ENTRIES.name).toBe('kv');
  });

  it('KEY_ENTRIES', () => {
    expect(KEY_ENTRIES.name).toBe('key');
  });

  it('leafHash', () => {
    expect(leafHash(entry).length).toBe(32);
  });

  it('treeRoot', () => {
    expect(treeRoot([leafHash(one)])).toEqual(leafHash(one));
  });

  it('isIncluded', () => {
    const root = treeRoot([leafHash(one), leafHash(two)]);
    expect(isIncluded({ leafHash: leafHash(one), index: 0, size: 2, root, proof: [leafHash(two)] })).toBe(true);
  });

  it('isConsistent', () => {
    const claim = { size1: 1, root1: leafHash(one), size2: 2, root2: treeRoot([leafHash(one), leafHash(two)]) };
    expect(isConsistent({ ...claim, proof: [leafHash(two)] })).toBe(true);
  });

  it('isContradiction', () => {
    const claim = { size1: 1, root1: leafHash(two), size2: 2, root2: treeRoot([leafHash(one), leafHash(two)]) };
    expect(isContradiction({ ...claim, proof: [leafHash(two)] })).toBe(false);
    expect(isContradiction({ ...claim, size2: 1, root2: leafHash(one), proof: [] })).toBe(true);
  });
});

describe('@signet/verify/log-sign', () => {
  it('noteSigner', () => {
    const log = noteSigner('signet.example/log', seed);
    expect(writeVerifierKey(log.key).startsWith('signet.example/log+')).toBe(true);
  });

  it('cosigner', () => {
    const witness = cosigner('witness.example/w', seed);
    const head = checkpointText({ origin: 'signet.example/log', size: 1, root: leafHash(one) });
    expect(witness.cosign(head, 1718000000).startsWith('— witness.example/w ')).toBe(true);
  });

  it('observer', () => {
    const key = writeVerifierKey(observer('mirror.example/seen', seed).key);
    expect(readObservers(`observer mirror ${key}\n`).observers[0]?.operator).toBe('mirror');
  });

  it('signCheckpoint', () => {
    const log = noteSigner('signet.example/log', seed);
    const signed = signCheckpoint({ origin: log.key.name, size: 1, root: leafHash(one) }, log);
    expect(isSignedBy(readCheckpoint(signed)!.note, log.key)).toBe(true);
  });
});

describe('@signet/verify/seen', () => {
  it('judgeSeen', () => {
    const { result, count, of } = judgeSeen(seen.notes, seen.binding, readObservers(seen.observers), { now: seen.now });
    expect(result).toBe('seen');
    expect([count, of]).toEqual([3, 3]);
  });

  it('readStatement', () => {
    const read = readStatement(seen.notes[0]!);
    expect(read?.statement.platform).toBe('github');
    expect(read?.statement.seen).toBe(true);
  });

  it('linkHash', () => {
    expect(linkHash('the text that a link signs').length).toBe(64);
  });

  it('readObservers', () => {
    const { observers, quorum } = readObservers(seen.observers);
    expect(observers.length).toBe(3);
    expect(quorum).toBe(null);
  });

  it('ObserversError', () => {
    expect(() => readObservers('nobody')).toThrow(ObserversError);
  });

  it('verifyExportSeen', () => {
    const { ok } = verifyExportSeen(exported, { observers: readObservers(seen.observers) });
    expect(ok).toBe(true);
  });
});
