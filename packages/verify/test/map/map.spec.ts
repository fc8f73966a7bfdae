import {
  avatarKey,
  EMPTY_ROOT,
  holderKey,
  identityKey,
  type MapFact,
  MapState,
  provenValue,
  readMapEntry,
  type SavedMap,
  SparseTree,
  valueHash,
  valueText,
  writeMapEntry,
} from '../../src/internal/map.js';
import { decodeHex, encodeHex } from '../../src/index.js';
import { utf8 } from '../../src/internal/internal.js';
import { SeededRandom } from '../support/seeded-random.js';
import { readVectors } from '../support/vectors.js';

interface HistoryEntry {
  kind: 'link' | 'kv' | 'map' | 'erased_link' | 'erased_kv';
  id: number;
  avatar: string;
  action: 'create' | 'delete';
  platform: string;
  identity: string;
  size: number;
  root: string;
}
interface History {
  entries: HistoryEntry[];
  end: {
    avatars: Record<string, object>;
    identities: { platform: string; identity: string; holders: Record<string, number> }[];
  };
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
  history: History;
  history_with_erasures: History;
  history_with_later_kinds: History;
}

/** Made by a reference program that computes the whole tree anew each time; see test/vectors/README.md. */
const vectors = readVectors<Vectors>('map.json');
const hex = (text: string): Uint8Array => decodeHex(text)!;
const random = new SeededRandom('the map');

function factOf({ kind, id, avatar, action, platform, identity }: HistoryEntry): MapFact | null {
  if (kind === 'map') return null;
  if (kind !== 'link') return { kind, id, avatar };
  return { kind, id, avatar, action, identity_key: encodeHex(identityKey(platform, identity)) };
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
  it.each([
    ['a history', vectors.history],
    ['a history with erasures', vectors.history_with_erasures],
    ['a history with entries of later kinds', vectors.history_with_later_kinds],
  ])('has the root of each entry of the map, and the state of the reference at the end: %s', (_name, history) => {
    const { entries, end } = history;
    let state = new MapState();

    for (const entry of entries) {
      if (entry.kind === 'map') expect([state.size, encodeHex(state.root())]).toEqual([entry.size, entry.root]);
      // A reader that goes on from what it kept has the same map.
      if (entry.kind === 'map') state = new MapState(undefined, JSON.parse(JSON.stringify(state.save())) as SavedMap);
      state.apply(factOf(entry));
    }

    expect(entries.filter(({ kind }) => kind === 'map').length).toBeGreaterThan(5);
    for (const { platform, identity, holders } of end.identities) {
      expect(Object.fromEntries(state.holders(platform, identity))).toEqual(holders);
    }
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
      state.apply({ kind: 'link', id: state.size + 1, avatar, action, identity_key: encodeHex(identity) });
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

  it('takes out the holder whose link was erased, and no other, and keeps what the Avatar signed', () => {
    const alice = `0x02${'a'.repeat(64)}`;
    const identity = identityKey('github', 'alice');
    const state = new MapState();
    const link = (id: number, action: 'create' | 'delete') =>
      state.apply({ kind: 'link', id, avatar: alice, action, identity_key: encodeHex(identity) });
    link(11, 'create');
    link(12, 'create');

    state.apply({ kind: 'erased_link', id: 11 });
    expect(state.holders('github', 'alice')).toEqual(new Map([[alice, 1]]));
    state.apply({ kind: 'erased_link', id: 12 });
    expect(state.holders('github', 'alice')).toEqual(new Map());
    expect(provenValue(state.root(), identity, state.prove(identity))).toEqual({ valueHash: null });
    link(13, 'create');
    link(14, 'delete');
    state.apply({ kind: 'erased_link', id: 13 });

    expect(state.avatar(alice)).toEqual({ link: 5, links: 4, patch: null, patches: 0 });
    expect(state.size).toBe(7);
  });

  it('counts entries of kinds that it does not know for the Avatar that they name, and keeps what it counted', () => {
    const alice = `0x02${'a'.repeat(64)}`;
    const before = new MapState();
    before.apply({ kind: 'kv', avatar: alice });
    for (const kind of ['key', 'key', 'op', 'sixteenlettersok', 'key']) before.apply({ kind, avatar: alice });
    const state = new MapState(undefined, JSON.parse(JSON.stringify(before.save())) as SavedMap);
    state.apply({ kind: 'key', avatar: alice });

    const ops = { op: 3, ops: 1, sixteenlettersok: 4, sixteenlettersoks: 1 };
    const value = { link: null, links: 0, patch: 0, patches: 1, key: 6, keys: 4, ...ops };
    expect(state.avatar(alice)).toEqual(value);
    expect(provenValue(state.root(), avatarKey(alice), state.prove(avatarKey(alice)))).toEqual({
      valueHash: valueHash(valueText(value)),
    });
  });

  it.each([
    ['ends with s, which would be a number of another kind', 'keys', {}],
    ['is called as the patches are in a value', 'patch', {}],
    ['has a digit', 'key2', {}],
    ['has capitals', 'Key', {}],
    ['has one letter', 'k', {}],
    ['has seventeen letters', 'seventeenletterso', {}],
    ['says that something was erased', 'erased_key', {}],
    ['names no Avatar', 'key', { avatar: undefined }],
    ['names something else than a text as its Avatar', 'key', { avatar: 2 }],
    ['names an Avatar in capitals', 'key', { avatar: `0x02${'A'.repeat(64)}` }],
    ['names an uncompressed Avatar', 'key', { avatar: `0x04${'a'.repeat(128)}` }],
  ])('passes an entry of a kind that %s', (_what, kind, changes) => {
    const state = new MapState();
    state.apply({ kind, avatar: `0x02${'a'.repeat(64)}`, ...changes });

    expect([state.size, state.root()]).toEqual([1, EMPTY_ROOT]);
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
