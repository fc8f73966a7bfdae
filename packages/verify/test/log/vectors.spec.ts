import { readVectors } from '../support/vectors.js';
import {
  checkpointText,
  cosignatureTime,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  isConsistent,
  isIncluded,
  isSignedBy,
  leafHash,
  readCheckpoint,
  readVerifierKey,
  treeRoot,
  verifierKey,
  writeVerifierKey,
} from '../../src/log.js';
import { COSIGNATURE_KEY, decodeBundle, ED25519_KEY, encodeBundle, readNote } from '../../src/internal/log.js';
import { cosigner, noteSigner, signCheckpoint } from '../../src/log-sign.js';

const base64 = (text: string) => decodeBase64(text)!;
const hex = (text: string) => decodeHex(text)!;
const bytes = (text: string) => new TextEncoder().encode(text);
const keyOf = (text: string) => readVerifierKey(text)!;

describe('the note of the specification (C2SP signed-note)', () => {
  const key = keyOf('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const note =
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('verifies', () => {
    const read = readNote(note)!;

    expect(read.text).toBe('This is an example message.\n');
    expect(isSignedBy(read, key)).toBe(true);
    expect(isSignedBy({ ...read, text: 'This is an example message!\n' }, key)).toBe(false);
  });

  it('has a key of the name and id that its text says, and the key of a witness is read too', () => {
    const witness = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';

    expect(key).toMatchObject({ name: 'example.com/foo', id: '530d903a', type: ED25519_KEY });
    expect(keyOf(witness)).toMatchObject({ name: 'remora.n621.de', id: 'da77ade7', type: COSIGNATURE_KEY });
    expect(writeVerifierKey(keyOf(witness))).toBe(witness);
  });
});

describe('the log of Tessera (testdata/log)', () => {
  const words = 'one two three four five six seven eit nain ten ileven twelf threeten fourten fivten'.split(' ');
  const leaves = words.map((word) => leafHash(bytes(word)));

  it.each([
    [0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    [1, '0Nc2CrefWKseHj/mStd+LqC8B+NrX0btIiPt2SmN+ek='],
    [2, 'T1X2GdkhUjV3iyufF9b0kVsWFxIU0VI4EpNml2Teci4='],
    [3, 'Wqx3HImawpLnS/Gv4ubjAvi1WIOy0b8Ze0amvqbavKk='],
    [15, 'rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs='],
  ])('has the root of %i entries', (size, root) => {
    expect(encodeBase64(treeRoot(leaves.slice(0, size)))).toBe(root);
  });

  it('has the checkpoint of 15 entries', () => {
    const origin = 'example.com/log/testdata';
    const key = keyOf('example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx');
    const text = checkpointText({ origin, size: 15, root: treeRoot(leaves) });
    const signature = 'M9e0luh4jTG+UMBqOUo9/q+yAEvx1ilBEniMvjf1zfcBOhg+CKubMt53MvIt/uEWP6zdkdIQzd/fmwlM/dlPWF74ewI=';
    const checkpoint = readCheckpoint(`${text}\n— ${origin} ${signature}\n`)!;

    expect(checkpoint).toMatchObject({ origin, size: 15, extensions: [] });
    expect(isSignedBy(checkpoint.note, key)).toBe(true);
  });

  it('has the bundle and the tile of four entries', () => {
    const bundle = hex('00036f6e65000374776f000574687265650004666f7572');

    expect(encodeHex(encodeBundle(words.slice(0, 4).map(bytes)))).toBe(encodeHex(bundle));
    expect(decodeBundle(bundle)!.map((entry) => new TextDecoder().decode(entry))).toEqual(words.slice(0, 4));
    expect(decodeBundle(bundle.subarray(0, -1))).toBeNull();
    expect(leaves.slice(0, 4).map(encodeHex)).toEqual([
      'd0d7360ab79f58ab1e1e3fe64ad77e2ea0bc07e36b5f46ed2223edd9298df9e9',
      'ab1ab7f07c7c8fe0eff4ba6faa53c7e4412e91a599153e8aa4e01beece5b7825',
      '671f146c5e471e8a1a83a3c214ce4ba907b8f3a5888d14cc8cd3ce75bb12ef94',
      'f715ab3faa5d071e6e2ac4bb994d5bf735943dcc3799da0d085e7980cfb9336a',
    ]);
  });
});

describe('the tree of transparency-dev/merkle (testonly/constants.go)', () => {
  const leaves = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((entry) => leafHash(hex(entry)));
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const root = (size: number) => hex(roots[size - 1]!);

  it('has its roots', () => {
    expect(roots.map((_, index) => encodeHex(treeRoot(leaves.slice(0, index + 1))))).toEqual(roots);
  });

  it('has its inclusion proof', () => {
    const proof = [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      roots[3]!,
    ].map(hex);

    expect(isIncluded({ leafHash: leaves[5]!, index: 5, size: 8, root: root(8), proof })).toBe(true);
  });

  it.each([
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('has its consistency proof of %i and %i', (size1, size2, proof) => {
    expect(isConsistent({ size1, root1: root(size1), size2, root2: root(size2), proof: proof.map(hex) })).toBe(true);
  });
});

interface ProofVector {
  file: string;
  wantErr: boolean;
  proof: string[] | null;
}
type InclusionVector = ProofVector & {
  leafIdx: number;
  treeSize: number;
  root: string | null;
  leafHash: string | null;
};
type ConsistencyVector = ProofVector & { size1: number; size2: number; root1: string | null; root2: string | null };

describe('the proofs of transparency-dev/merkle (testdata)', () => {
  const vectors = readVectors<{ inclusion: InclusionVector[]; consistency: ConsistencyVector[] }>('merkle-proofs.json');
  const hashes = (proof: string[] | null) => (proof ?? []).map(base64);

  it.each(vectors.inclusion.map((vector) => [vector.file, vector] as const))('%s', (_file, vector) => {
    const { leafIdx: index, treeSize: size, root, leafHash: leaf, proof, wantErr } = vector;
    const claim = { leafHash: base64(leaf ?? ''), index, size, root: base64(root ?? ''), proof: hashes(proof) };

    expect(isIncluded(claim)).toBe(!wantErr);
  });

  it.each(vectors.consistency.map((vector) => [vector.file, vector] as const))('%s', (_file, vector) => {
    const { size1, size2, root1, root2, proof, wantErr } = vector;
    const claim = { size1, root1: base64(root1 ?? ''), size2, root2: base64(root2 ?? ''), proof: hashes(proof) };

    expect(isConsistent(claim)).toBe(!wantErr);
  });

  it('are 196', () => {
    expect(vectors.inclusion.length + vectors.consistency.length).toBe(196);
  });
});

describe('the witness of transparency-dev (internal/witness)', () => {
  it('is given a proof that verifies', () => {
    const proof = [
      'b9e1d62618f7fee8034e4c5010f727ab24d8e4705cb296c374bf2025a87a10d2',
      'aac66cd7a79ce4012d80762fe8eec3a77f22d1ca4145c3f4cee022e7efcd599d',
      '89d0f753f66a290c483b39cd5e9eafb12021293395fad3d4a2ad053cfbcfdc9e',
      '29e40bb79c966f4c6fe96aff6f30acfce5f3e8d84c02215175d6e018a5dee833',
    ].map(hex);
    const root1 = hex('e35b268c1522014ef412d2a54fa94838862d453631617b0307e5c77dcbeefc11');
    const root2 = base64('V8K9aklZ4EPB+RMOk1/8VsJUdFZR77GDtZUQq84vSbo=');

    expect(isConsistent({ size1: 5, root1, size2: 8, root2, proof })).toBe(true);
    expect(isConsistent({ size1: 4, root1, size2: 8, root2, proof })).toBe(false);
  });

  it('has keys of both types', () => {
    expect(keyOf('monkeys+db4d9f7e+AULaJMvTtDLHPUcUrjdDad9vDlh/PTfC2VV60JUtCfWT').type).toBe(ED25519_KEY);
    expect(keyOf('witness+f13a86db+AdYV1Ztajd9BvyjP2HgpwrqYL6TjOwIjGMOq8Bu42xbN').id).toBe('f13a86db');
  });
});

describe('the Sigsum log that litewitness is tested with (torchwood, cmd/litewitness/testdata)', () => {
  const origin = 'sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562';
  const key = verifierKey(origin, ED25519_KEY, hex('ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f'));
  const checkpoint = (size: number, root: string, signature: string) =>
    readCheckpoint(`${origin}\n${size}\n${root}\n\n— ${origin} ${signature}\n`)!;
  const five = checkpoint(
    5,
    'QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=',
    'UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=',
  );
  const three = checkpoint(
    3,
    'RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=',
    'UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=',
  );

  it('has a key of the id that its lines carry', () => {
    expect(key.id).toBe('5202289b');
  });

  it('signed its checkpoints, and not the one with a changed signature', () => {
    const { note } = three;
    const spoilt = note.signatures.map((line) => ({ ...line, signature: line.signature.toReversed() }));

    expect(isSignedBy(five.note, key)).toBe(true);
    expect(isSignedBy(note, key)).toBe(true);
    expect(isSignedBy({ ...note, signatures: spoilt }, key)).toBe(false);
  });

  it('has checkpoints that are consistent', () => {
    const proof = [
      'KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      'KgMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      'wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE=',
      'KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    ].map(base64);

    expect(isConsistent({ size1: 3, root1: three.root, size2: 5, root2: five.root, proof })).toBe(true);
  });
});

describe('the log that was composed for Signet', () => {
  const log = noteSigner('signet.example/log', new Uint8Array(32).fill(0x11));
  const witness = cosigner('witness.example/w1', new Uint8Array(32).fill(0x22));
  const entries = [0, 1, 2, 3, 4].map((n) => bytes(`{"n":${n}}`));
  const leaves = entries.map((entry) => leafHash(entry));
  const head = { origin: 'signet.example/log', size: 5, root: treeRoot(leaves) };
  const logLine =
    '— signet.example/log sSSqhhj7K/KuRAYqdtYsbNeD5tjvMSah+B4bO+Xe16TgIEGIY0smNqrwrNANvpYiPNV1tWEMVP9eb0mMUzaE2hAGHgk=\n';
  const witnessLine =
    '— witness.example/w1 4M0oZAAAAABlU/EApLVi4C3p5AJhOg9f+lHzGIzrj3PbYkHXvF78HB47ScDZg6Qu4VM1j15Ej+vMY85mf5SLUIVUWDSIIS3OT6PeDg==\n';

  it('has these keys', () => {
    expect(writeVerifierKey(log.key)).toBe('signet.example/log+b124aa86+AdBKsjJ0K7SrOhNovUYV5ObQIkq3GgFrr4UgozLJd4c3');
    expect(writeVerifierKey(witness.key)).toBe(
      'witness.example/w1+e0cd2864+BKCapfR6Z1mAL/lV+NwtKhSlyZ0jvpf4ZBJ/+Tg0VaTw',
    );
  });

  it('signs this checkpoint, and the witness signs it too', () => {
    const text = 'signet.example/log\n5\nh9UMXqS06cZqY1DcnPgMhWQabcLU6G++7tynUvpM20w=\n';
    const note = signCheckpoint(head, log);

    expect(note).toBe(`${text}\n${logLine}`);
    expect(witness.cosign(text, 1_700_000_000)).toBe(witnessLine);
    expect(isSignedBy(readNote(note)!, log.key)).toBe(true);
    expect(cosignatureTime(readNote(`${note}${witnessLine}`)!, witness.key)).toBe(1_700_000_000);
  });

  it('proves its third entry', () => {
    const proof = [
      'PR3ndt8IbBrp9wSdK7DAR1rRQYX5h+Bk6NENyy20oyI=',
      'O63IBTfwKeG7dygNyFIDzy7ZdI3I9XEjD8ulwybJEGg=',
      'Z8vzSda05Mr0MKlnUcpTIhRBTC+Mn3xWervD5S8t85E=',
    ].map(base64);

    expect(isIncluded({ leafHash: leaves[3]!, index: 3, size: 5, root: head.root, proof })).toBe(true);
  });

  it('has this bundle', () => {
    const lines = [0, 1, 2, 3, 4].map((n) => `00077b226e223a3${n}7d`);

    expect(encodeHex(encodeBundle(entries))).toBe(lines.join(''));
  });
});
