import {
  avatarKey,
  EMPTY_ROOT,
  holderKey,
  identityKey,
  type MapFact,
  MapState,
  provenValue,
  readMapEntry,
  SparseTree,
  valueHash,
  valueText,
  writeMapEntry,
} from '../../src/map.js';
import { decodeHex, encodeHex, utf8 } from '../../src/index.js';
import { SeededRandom } from '../support/seeded-random.js';
import { readVectors } from '../support/vectors.js';

interface HistoryEntry {
  kind: 'link' | 'kv' | 'map';
  avatar: string;
  action: 'create' | 'delete';
  platform: string;
  identity: string;
  size: number;
  root: string;
}
interface Vectors {
  keys: (['avatar' | 'holder', string, string] | ['identity', [string, string], string])[];
  trees: { name: string; leaves: [string, string][]; root: string }[];
  proofs: {
    name: string;
    ok: boolean;
    root: string;
    key: string;
    siblings: string[];
    end: [string, string] | null;
    value_hash?: string | null;
  }[];
  history: { entries: HistoryEntry[]; end: { avatars: Record<string, object>; root: string } };
}

/** Made by a reference program that computes the whole tree anew each time; see test/vectors/README.md. */
const vectors = readVectors<Vectors>('map.json');
const hex = (text: string): Uint8Array => decodeHex(text)!;
const random = new SeededRandom('the map');

function factOf({ kind, avatar, action, platform, identity }: HistoryEntry): MapFact {
  if (kind === 'kv') return { kind, avatar };
  return kind === 'link' ? { kind, avatar, action, identity: identityKey(platform, identity) } : null;
}

function treeOf(leaves: [string, string][]): SparseTree {
  const tree = new SparseTree();
  for (const [key, value] of leaves) tree.set(hex(key), valueHash(value));
  return tree;
}

describe('keys of the map', () => {
  it.each(vectors.keys)('%s %s', (kind, name, expected) => {
    const key =
      kind === 'identity' ? identityKey(name[0]!, name[1]!) : (kind === 'avatar' ? avatarKey : holderKey)(String(name));

    expect(encodeHex(key)).toBe(expected);
  });
});

describe('the tree', () => {
  it.each(vectors.trees)('has the root of the reference: $name', ({ leaves, root }) => {
    expect(encodeHex(treeOf(leaves).root())).toBe(root);
  });

  it.each(vectors.trees)('has the same root whatever else was put in and taken out: $name', ({ leaves, root }) => {
    const others = Array.from({ length: 40 }, (_, n) => valueHash(`other ${n}`));
    const tree = new SparseTree();
    for (const other of others.slice(0, 20)) tree.set(other, other);
    for (const [key] of leaves) tree.set(hex(key), valueHash('earlier'));
    tree.root();
    for (const other of others) tree.set(other, valueHash('x'));
    for (const [key, value] of leaves.toReversed()) tree.set(hex(key), valueHash(value));
    for (const other of others) tree.set(other, null);

    expect(encodeHex(tree.root())).toBe(root);
  });

  it('is empty again when its only leaf is gone, and refuses keys of another length', () => {
    const tree = new SparseTree();
    tree.set(valueHash('a'), valueHash('b'));
    tree.set(valueHash('a'), null);

    expect(tree.root()).toEqual(EMPTY_ROOT);
    expect(() => tree.set(new Uint8Array(31), null)).toThrow(RangeError);
    expect(() => tree.set(valueHash('a'), new Uint8Array(33))).toThrow(RangeError);
  });

  it('proves each key, present or absent, and shows nothing once a byte of the proof is another', () => {
    const { leaves } = vectors.trees.find(({ name }) => name === 'thousand')!;
    const tree = treeOf(leaves);
    const root = tree.root();

    for (const [key, value] of leaves.slice(0, 100)) {
      const proof = tree.prove(hex(key));
      expect(provenValue(root, hex(key), proof)).toEqual({ valueHash: valueHash(value) });
      const siblings = proof.siblings.map((sibling) => sibling.slice());
      siblings[random.below(siblings.length)]![random.below(32)]! ^= 1 << random.below(8);
      expect(provenValue(root, hex(key), { ...proof, siblings })).toBeNull();
    }
    for (let n = 0; n < 100; n++) {
      const absent = valueHash(`absent ${n}`);
      expect(provenValue(root, absent, tree.prove(absent))).toEqual({ valueHash: null });
    }
  });
});

describe('a proof of the map', () => {
  it.each(vectors.proofs)('$name', ({ ok, root, key, siblings, end, value_hash: expected }) => {
    const proof = {
      siblings: siblings.map(hex),
      end: end && { key: hex(end[0]), valueHash: hex(end[1]) },
    };

    const proven = provenValue(hex(root), hex(key), proof);

    expect(proven && { value: proven.valueHash && encodeHex(proven.valueHash) }).toEqual(
      ok ? { value: expected } : null,
    );
  });

  it.each(['root', 'key', 'a sibling', 'the key at the end', 'the value at the end'])('has 32 bytes: %s', (which) => {
    const bytes = (name: string) => new Uint8Array(name === which ? 31 : 32);
    const end = { key: bytes('the key at the end'), valueHash: bytes('the value at the end') };

    expect(provenValue(bytes('root'), bytes('key'), { siblings: [bytes('a sibling')], end })).toBeNull();
  });
});

describe('the map of a history', () => {
  it('has the root of each entry of the map, and the state of the reference at the end', () => {
    const { entries, end } = vectors.history;
    const state = new MapState();

    for (const entry of entries) {
      if (entry.kind === 'map') expect([state.size, encodeHex(state.root())]).toEqual([entry.size, entry.root]);
      state.apply(factOf(entry));
    }

    expect(entries.filter(({ kind }) => kind === 'map').length).toBeGreaterThan(5);
    for (const [avatar, expected] of Object.entries(end.avatars)) {
      expect(state.avatar(avatar)).toEqual(expected);
      expect(provenValue(state.root(), avatarKey(avatar), state.prove(avatarKey(avatar)))).toEqual({
        valueHash: valueHash(valueText(state.avatar(avatar)!)),
      });
    }
  });

  it('names those who hold an identity, proves their number, and proves that nobody holds another', () => {
    const alice = `0x02${'a'.repeat(64)}`;
    const bob = `0x02${'b'.repeat(64)}`;
    const identity = identityKey('github', 'alice');
    const state = new MapState();
    const link = (avatar: string, action: 'create' | 'delete') =>
      state.apply({ kind: 'link', avatar, action, identity });
    for (const avatar of [alice, bob, alice]) link(avatar, 'create');

    expect(state.holders('github', 'alice')).toEqual(
      new Map([
        [alice, 2],
        [bob, 1],
      ]),
    );
    const holders = new SparseTree();
    holders.set(holderKey(alice), valueHash(valueText({ link: 2 })));
    holders.set(holderKey(bob), valueHash(valueText({ link: 1 })));
    const value = valueText({ holders: 2, root: encodeHex(holders.root()) });
    expect(provenValue(state.root(), identity, state.prove(identity))).toEqual({ valueHash: valueHash(value) });

    for (const avatar of [alice, bob, bob]) link(avatar, 'delete');

    expect(state.holders('github', 'alice')).toEqual(new Map());
    expect(provenValue(state.root(), identity, state.prove(identity))).toEqual({ valueHash: null });
    expect(state.avatar(bob)).toEqual({ link: 5, links: 3, patch: null, patches: 0 });
    expect(state.avatar(`0x03${'c'.repeat(64)}`)).toBeNull();
  });
});

describe('an entry of the map', () => {
  const root = 'ab'.repeat(32);
  const text = writeMapEntry({ recorded_at: 1_763_900_000, root, size: 7 });

  it('is canonical JSON, and read as it was written', () => {
    expect(text).toBe(`{"kind":"map","recorded_at":1763900000,"root":"${root}","size":7,"v":1}`);
    expect(readMapEntry(utf8(text))).toEqual({ kind: 'map', recorded_at: 1_763_900_000, root, size: 7, v: 1 });
  });

  it.each([
    ['another order', `{"v":1,${text.slice(1).replace(',"v":1', '')}`],
    ['a blank', text.replace(',', ', ')],
    ['a member more', text.replace('"v":1', '"v":1,"w":1')],
    ['a member less', text.replace('"size":7,', '')],
    ['another kind', text.replace('map', 'link')],
    ['another version', text.replace('"v":1', '"v":2')],
    ['a root in capitals', text.replaceAll('ab', 'AB')],
    ['a root of 31 bytes', text.replace(root, root.slice(2))],
    ['a negative size', text.replace('"size":7', '"size":-7')],
    ['a size with a fraction', text.replace('"size":7', '"size":7.5')],
    ['a byte order mark', `\ufeff${text}`],
    ['no JSON', text.slice(1)],
    ['null', 'null'],
  ])('is none with %s', (_what, changed) => {
    expect(readMapEntry(utf8(changed))).toBeNull();
  });
});
