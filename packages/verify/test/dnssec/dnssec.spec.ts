import { encodeBase64 } from '../../src/text/encoding.js';
import {
  dnssecProofOf,
  type DnssecProof,
  type DnssecVerification,
  MAX_CHAIN_BYTES,
  ROOT_KEYS,
  type RootKey,
  verifyDnssecProof,
} from '../../src/dnssec/dnssec.js';
import {
  chainOf,
  chainRecords,
  coveredBy,
  keyTag,
  newKey,
  NOW,
  resolve,
  rsaKey,
  SignedZone,
  TYPE,
  wire,
  wireBytes,
  type WireRecord,
  type ZoneOptions,
} from '../support/signed-zones.js';

const NAME = 'alice.example.org';
const DAY = 86_400;

interface World {
  root: SignedZone;
  org: SignedZone;
  example: SignedZone;
}

function aWorld(options: ZoneOptions = {}, { top = {} }: { top?: ZoneOptions } = {}): World {
  const root = SignedZone.root(top);
  const org = root.child('org', top);
  const example = org.child('example', options).txt(NAME, 'a text', ' of two strings').txt(NAME, 'another');
  return { root, org, example };
}

const proofOf = (chain: Uint8Array): DnssecProof => ({ type: 'dnssec', chain: encodeBase64(chain) });

function verify(
  root: SignedZone,
  chain: Uint8Array = chainOf(root, NAME),
  {
    at = NOW,
    name = NAME,
    rootKeys = [root.rootKey()],
  }: { at?: number | null; name?: string; rootKeys?: RootKey[] } = {},
): DnssecVerification {
  return verifyDnssecProof(proofOf(chain), name, { at, rootKeys });
}

/** What a chain shows, and otherwise the step that fails, with its sentence. */
function found({ ok, texts, zone, steps }: DnssecVerification): unknown {
  const bad = steps.find(({ state }) => state === 'failed');
  return ok ? { texts, zone } : `${bad!.name}: ${bad!.detail}`;
}

/** A chain with the records of a question replaced by others. */
function chainWith(root: SignedZone, name: string, type: number, records: WireRecord[]): Buffer {
  const rest = chainRecords(root, NAME).filter((one) => one.name !== name || (coveredBy(one) ?? one.type) !== type);
  return Buffer.concat([...rest, ...records].map(wireBytes));
}

const SHOWN = { texts: ['a text of two strings', 'another'], zone: 'example.org' };

describe('a chain of signed zones', () => {
  it.each([13, 14, 15, 8] as const)('shows the records of a name, with algorithm %i', (algorithm) => {
    const { root } = aWorld({ algorithm }, { top: { algorithm } });
    const result = verify(root);
    expect(found(result)).toEqual(SHOWN);
    expect(result.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'shape ok',
      'signature ok',
      'time ok',
      'record ok',
    ]);
    expect(result).toMatchObject({ complete: true, from: NOW - DAY, until: NOW + 13 * DAY });
  });

  it('is read in any order, with records that are there twice, and with names in any case', () => {
    const { root } = aWorld();
    const records = [...resolve(root, NAME, TYPE.TXT).answers, ...keysOf(root)];
    const bytes = [...records.reverse(), ...records].map((one) => wireBytes(one));
    for (const one of bytes) upper(one);
    expect(found(verify(root, Buffer.concat(bytes)))).toEqual(SHOWN);
  });

  it('holds at any time for ever, if the time lies within that of its signatures', () => {
    const { root } = aWorld({ from: NOW - DAY, until: NOW + DAY });
    const chain = chainOf(root, NAME);
    for (const at of [NOW - DAY, NOW, NOW + DAY]) expect(found(verify(root, chain, { at }))).toEqual(SHOWN);
    for (const at of [NOW - DAY - 1, NOW + DAY + 1, NOW + 3650 * DAY]) {
      expect(found(verify(root, chain, { at }))).toMatch(/^time: .* are signed for another time\./);
    }
  });

  it('is read beyond the year 2106, when its seconds begin anew', () => {
    const later = 2 ** 32 + 1000;
    const options = { from: later - DAY, until: later + DAY };
    const { root } = aWorld(options, { top: options });
    expect(found(verify(root, undefined, { at: later }))).toEqual(SHOWN);
    expect(verify(root, undefined, { at: later })).toMatchObject(options);
    expect(found(verify(root, undefined, { at: NOW }))).toMatch(/^time:/);
  });

  it('says that no time is known, where none is given', () => {
    const { root } = aWorld();
    const proof = proofOf(chainOf(root, NAME));
    for (const at of [null, undefined as never]) {
      const result = verifyDnssecProof(proof, NAME, { at, rootKeys: [root.rootKey()] });
      expect(result).toMatchObject({ ok: true, complete: false, zone: 'example.org' });
      expect(result.steps.find(({ name }) => name === 'time')?.state).toBe('not_checkable');
    }
  });

  it('shows nothing without a key of the root that counts at that time', () => {
    const { root } = aWorld();
    const reason = 'signature: The zone . has no key of the root that is known for this time.';
    const chain = chainOf(root, NAME);
    for (const rootKeys of [
      [],
      [...ROOT_KEYS],
      [SignedZone.root().rootKey()],
      [root.rootKey({ from: NOW + 1 })],
      [root.rootKey({ until: NOW })],
    ]) {
      expect(found(verify(root, chain, { rootKeys }))).toBe(reason);
    }
    expect(found(verify(root, chain, { rootKeys: [...ROOT_KEYS, root.rootKey({ until: NOW + 1 })] }))).toEqual(SHOWN);
  });

  it('shows nothing of a zone that is not signed', () => {
    const { root } = aWorld({ isSigned: false });
    expect(found(verify(root))).toBe(`signature: The TXT records of ${NAME} are not signed.`);
  });

  it('shows nothing of another name, or where the records are missing', () => {
    const { root, example } = aWorld();
    expect(found(verify(root, undefined, { name: 'bob.example.org' }))).toBe(
      'record: The chain has no such record of bob.example.org.',
    );
    for (const name of ['', 'a..org', 'a'.repeat(64), 'ä.org', `${'a.'.repeat(127)}org`]) {
      expect(found(verify(root, undefined, { name }))).toMatch(/^shape: .* is not a domain name\./);
    }
    example.remove(NAME, TYPE.TXT);
    expect(found(verify(root))).toBe(`record: The chain has no such record of ${NAME}.`);
  });

  it('shows nothing where any set of it is missing, or changed', () => {
    const { root } = aWorld();
    for (const [name, type] of [
      ['', TYPE.DNSKEY],
      ['org', TYPE.DS],
      ['org', TYPE.DNSKEY],
      ['example.org', TYPE.DS],
      ['example.org', TYPE.DNSKEY],
      [NAME, TYPE.TXT],
    ] as const) {
      const { answers } = resolve(root, name, type);
      expect(found(verify(root, chainWith(root, name, type, [])))).toMatch(/^(?:signature|record): /);
      const changed = answers.map((one) => ({ ...one, data: Buffer.from(one.data) }));
      changed[0]!.data[changed[0]!.data.length - 1]! ^= 1;
      expect(found(verify(root, chainWith(root, name, type, changed)))).toMatch(/^signature: /);
      const one = answers.slice(1);
      if (answers.length > 2) expect(found(verify(root, chainWith(root, name, type, one)))).toMatch(/^signature: /);
    }
  });

  it('goes with the keys of its zone: those of before show nothing of what is signed later, and the other way round', () => {
    const { root, example } = aWorld();
    const before = chainOf(root, NAME);
    const signedBefore = resolve(root, NAME, TYPE.TXT).answers;
    example.roll();
    expect(found(verify(root, before))).toEqual(SHOWN);
    expect(found(verify(root))).toEqual(SHOWN);
    expect(found(verify(root, chainWith(root, NAME, TYPE.TXT, signedBefore)))).toBe(
      `signature: The TXT records of ${NAME} are not signed by a key of their zone.`,
    );
  });

  it('holds where several keys of a zone have signed, and one of them holds', () => {
    const { root, example } = aWorld();
    const set = example.at(NAME, TYPE.TXT);
    const stray = example.signed(set, { key: newKey(13, 256) }).slice(-1);
    const old = example.signed(set, { until: NOW - 1, from: NOW - DAY }).slice(-1);
    expect(found(verify(root, chainWith(root, NAME, TYPE.TXT, [...stray, ...old, ...example.signed(set)])))).toEqual(
      SHOWN,
    );
  });
});

describe('aliases', () => {
  function withAlias(options: ZoneOptions = {}) {
    const world = aWorld();
    world.example.remove(NAME, TYPE.TXT).cname(NAME, 'Proof.Elsewhere.NET');
    const net = world.root.child('net');
    const elsewhere = net.child('elsewhere', options).txt('proof.elsewhere.net', 'over there');
    world.example.remove(NAME, TYPE.CNAME).cname(NAME, 'proof.elsewhere.net');
    return { ...world, net, elsewhere };
  }

  it('lead into another zone, which is signed as well', () => {
    const { root } = withAlias();
    expect(found(verify(root))).toEqual({ texts: ['over there'], zone: 'elsewhere.net' });
  });

  it('show nothing where they lead into a zone that is not signed', () => {
    const { root } = withAlias({ isSigned: false });
    expect(found(verify(root))).toBe('signature: The TXT records of proof.elsewhere.net are not signed.');
  });

  it('show nothing where the alias itself is not signed by its zone', () => {
    const { root, example, elsewhere } = withAlias();
    const alias = example.signed(example.at(NAME, TYPE.CNAME), { by: elsewhere });
    const chain = Buffer.concat([
      ...[...alias, ...resolve(root, 'proof.elsewhere.net', TYPE.TXT).answers, ...keysOf(root)].map(wireBytes),
    ]);
    expect(found(verify(root, chain))).toMatch(/^signature: The CNAME records of alice\.example\.org are not signed/);
  });

  it('end', () => {
    const { root, example } = aWorld();
    example.remove(NAME, TYPE.TXT).cname(NAME, 'b.example.org').cname('b.example.org', NAME);
    expect(found(verify(root))).toMatch(/^record: More than 8 aliases/);
  });
});

describe('a name for which a wildcard stands', () => {
  const salt = Buffer.from('aabb', 'hex');
  const nsec3 = { iterations: 3, salt };

  function withWildcard(options: ZoneOptions = {}) {
    const world = aWorld(options);
    world.example.remove(NAME, TYPE.TXT).txt('*.example.org', 'for all').txt('bob.example.org', 'own');
    return world;
  }

  it.each([
    ['NSEC', {}],
    ['NSEC3', { nsec3 }],
  ])('is shown with the %s record that nothing stands at it', (_, options) => {
    const { root } = withWildcard(options);
    for (const name of [NAME, 'a.b.alice.example.org', 'zoe.example.org', 'bobby.example.org']) {
      expect(found(verify(root, chainOf(root, name), { name }))).toEqual({ texts: ['for all'], zone: 'example.org' });
    }
  });

  it.each([
    ['NSEC', {}],
    ['NSEC3', { nsec3 }],
  ])('is not shown without that %s record, or with that of another name', (_, options) => {
    const { root, example } = withWildcard(options);
    const { answers } = resolve(root, NAME, TYPE.TXT);
    const star = example.signed(example.at('*.example.org', TYPE.TXT), { as: 'bob.example.org' });
    const bob = (denied: WireRecord[]) =>
      verify(root, Buffer.concat([...star, ...denied, ...keysOf(root)].map(wireBytes)), { name: 'bob.example.org' });
    const notShown = /^signature: That a wildcard stands for .* is not shown\./;
    const alone = Buffer.concat([...answers, ...keysOf(root)].map(wireBytes));
    expect(found(verify(root, alone))).toMatch(notShown);
    expect(found(bob(example.denial('alice.example.org')))).toMatch(notShown);
    expect(found(bob(example.denial('bob.example.org')))).toMatch(notShown);
    expect(found(bob(example.denial('zoe.example.org')))).toMatch(notShown);
  });

  it('is not shown where something stands nearer to it than the wildcard', () => {
    const { root, example } = withWildcard();
    example.txt('x.alice.example.org', 'below');
    const name = 'a.alice.example.org';
    const star = example.signed(example.at('*.example.org', TYPE.TXT), { as: name });
    const chain = Buffer.concat([...star, ...example.denial(name), ...keysOf(root)].map(wireBytes));
    expect(found(verify(root, chain, { name }))).toMatch(/is not shown/);
  });

  it('is not shown where the name is delegated to another zone', () => {
    const { root, example } = withWildcard();
    example.child('alice', { isSigned: false });
    const name = 'x.alice.example.org';
    const star = example.signed(example.at('*.example.org', TYPE.TXT), { as: name });
    const chain = Buffer.concat([...star, ...example.denial(name), ...keysOf(root)].map(wireBytes));
    expect(found(verify(root, chain, { name }))).toMatch(/is not shown/);
  });

  it.each([
    ['of more iterations than are in use', { iterations: 101, salt }],
    ['of a span that leaves out what is not signed', { iterations: 0, salt, flags: 1 }],
  ])('is not shown by NSEC3 records %s', (_, other) => {
    const { root } = withWildcard({ nsec3: other });
    expect(found(verify(root))).toMatch(/is not shown/);
  });

  it('is not shown by a record of another zone', () => {
    const { root, example, org } = withWildcard();
    const star = example.signed(example.at('*.example.org', TYPE.TXT), { as: NAME });
    const denied = org.signed(example.denial(NAME).slice(0, 1));
    expect(found(verify(root, Buffer.concat([...star, ...denied, ...keysOf(root)].map(wireBytes))))).toMatch(
      /is not shown/,
    );
  });

  it('is asked for itself', () => {
    const { root } = withWildcard();
    const name = '*.example.org';
    expect(found(verify(root, chainOf(root, name), { name }))).toEqual({ texts: ['for all'], zone: 'example.org' });
  });
});

describe('who may sign', () => {
  const refused = /^signature: The TXT records of alice\.example\.org are not signed by a key of their zone\./;

  it('is not a zone beside or below that of the record', () => {
    const { root, example, org } = aWorld();
    const beside = org.child('beside');
    const below = example.child('alice');
    const set = example.at(NAME, TYPE.TXT);
    for (const by of [beside, below.child('deep')]) {
      const chain = Buffer.concat(
        [
          ...chainOf(root, NAME.replace('alice', 'nobody')),
          ...[...example.signed(set, { by }), ...keysOf(root), ...keysOfZone(root, by.name)].map(wireBytes),
        ].flat() as never,
      );
      expect(found(verify(root, chain))).toMatch(refused);
    }
  });

  it('is not a zone whose key the zone above does not name: a parent that names another one ends it', () => {
    const { root, org, example } = aWorld();
    org.remove('example.org', TYPE.DS).add('example.org', TYPE.DS, SignedZone.root().digest());
    expect(found(verify(root))).toBe('signature: The zone example.org has no key that the zone above it names.');
    org.remove('example.org', TYPE.DS);
    expect(found(verify(root))).toBe('signature: That the zone example.org is signed is not in the chain.');
    expect(example.name).toBe('example.org');
  });

  it('may be a zone above, which is named', () => {
    const { root, org, example } = aWorld();
    const lie = org.signed([{ ...example.at(NAME, TYPE.TXT)[0]!, data: Buffer.from('\x05a lie') }]);
    const chain = Buffer.concat([...lie, ...keysOf(root)].map(wireBytes));
    expect(found(verify(root, chain))).toEqual({ texts: ['a lie'], zone: 'org' });
  });

  it('is not the zone itself for the record that names its key', () => {
    const { root, example } = aWorld();
    const own = example.signed([{ name: 'example.org', type: TYPE.DS, ttl: 3600, data: example.digest() }]);
    expect(found(verify(root, chainWith(root, 'example.org', TYPE.DS, own)))).toMatch(
      /^signature: The DS records of example\.org are not signed by a key of their zone/,
    );
  });

  it('is not the zone key itself, where only the key of keys is named', () => {
    const { root, example } = aWorld();
    const keys = example.signed(example.at('example.org', TYPE.DNSKEY), { key: example.zoneKey });
    expect(found(verify(root, chainWith(root, 'example.org', TYPE.DNSKEY, keys)))).toMatch(/^signature: The DNSKEY/);
  });

  it.each([
    ['revoked', 257 + 128, 3],
    ['not of a zone', 1, 3],
    ['of another protocol', 256, 2],
  ])('is no key that is %s', (_, flags, protocol) => {
    const { root, example } = aWorld();
    example.zoneKey = newKey(13, flags);
    example.zoneKey.data[2] = protocol;
    example.publishKeys();
    expect(found(verify(root))).toMatch(refused);
  });

  it('is not said of more labels than the name has', () => {
    const { root, example } = aWorld();
    const signed = example.signed(example.at(NAME, TYPE.TXT), { labels: 4 });
    expect(found(verify(root, chainWith(root, NAME, TYPE.TXT, signed)))).toMatch(refused);
  });
});

describe('algorithms that are out of use', () => {
  it('sign nothing: RSA with SHA-1', () => {
    const { root } = aWorld({ algorithm: 7 });
    expect(found(verify(root))).toBe('signature: The zone example.org has no key that the zone above it names.');
  });

  it('name nothing: SHA-1; SHA-384 does', () => {
    const { root, org, example } = aWorld();
    org.remove('example.org', TYPE.DS).add('example.org', TYPE.DS, example.digest('sha1'));
    expect(found(verify(root))).toMatch(/has no key that the zone above it names/);
    org.add('example.org', TYPE.DS, example.digest('sha384'));
    expect(found(verify(root))).toEqual(SHOWN);
  });

  it.each([
    [2048, 3, true],
    [4096, 65_537, true],
    [1024, 4_294_967_291, true],
    [1000, 65_537, false],
  ])('RSA keys of %i bits with the exponent %i: %s', (bits, exponent, isGood) => {
    const { root, example } = aWorld({ algorithm: 8 });
    example.zoneKey = rsaKey(bits, exponent, 256);
    example.publishKeys();
    expect(found(verify(root))).toEqual(isGood ? SHOWN : expect.stringMatching(/^signature: /));
  });

  it('RSA keys with an exponent that makes forgery easy', () => {
    const { root, example } = aWorld({ algorithm: 8 });
    const { data } = example.zoneKey;
    // 65537 in three bytes becomes 1.
    data.set([0, 0, 1], 5);
    example.publishKeys();
    const { answers } = resolve(root, NAME, TYPE.TXT);
    expect(answers.at(-1)!.type).toBe(TYPE.RRSIG);
    expect(found(verify(root))).toMatch(/^signature: /);
  });
});

describe('what is no chain', () => {
  const { root } = aWorld();
  const chain = chainOf(root, NAME);

  it.each([
    ['nothing', Buffer.alloc(0), /^record: /],
    ['a chain that is cut', chain.subarray(0, -1), /^shape: A record is cut/],
    ['bytes left over', Buffer.concat([chain, Buffer.of(0)]), /^shape: A record is cut/],
    ['another class', Buffer.concat([chain, raw(wire('a.org'), 16, 3, Buffer.alloc(1))]), /^shape: It holds a record/],
    [
      'another type',
      Buffer.concat([chain, raw(wire('a.org'), 1, 1, Buffer.alloc(4))]),
      /^shape: .* of type 1 at a\.org/,
    ],
    ['a name that is cut', Buffer.of(3, 97, 98), /^shape: A record is cut/],
    ['a name that points elsewhere', raw(Buffer.of(0xc0, 0), 16, 1, Buffer.of(0)), /^shape: A record is cut/],
    ['an alias with more than a name', raw(wire('a.org'), 5, 1, Buffer.of(0, 0)), /^shape: A CNAME record is none/],
    ['a signature without a signer', raw(wire('a.org'), 46, 1, Buffer.alloc(18)), /^shape: An RRSIG record is none/],
    ['a signature of nothing', raw(wire('a.org'), 46, 1, Buffer.alloc(19)), /^shape: An RRSIG record is none/],
  ])('%s', (_, bytes, reason) => {
    expect(found(verify(root, bytes))).toMatch(reason);
  });

  it('more than 16 KiB', () => {
    const records = Array.from({ length: 17 }, (_, at) => raw(wire(`a${at}.org`), 16, 1, Buffer.alloc(1000)));
    expect(found(verify(root, Buffer.concat([chain, ...records])))).toBe(
      `shape: It has more than ${MAX_CHAIN_BYTES} bytes.`,
    );
  });

  it.each([
    null,
    undefined,
    1,
    'text',
    [],
    {},
    { chain: 1 },
    { chain: '!' },
    { chain: [] },
    new Proxy({}, { get: () => 1n }),
  ])('the value %#, which does not make it throw', (value) => {
    for (const [name, options] of [
      [NAME, { at: NOW }],
      [value, { at: value }],
      [NAME, { at: NaN, rootKeys: value }],
    ] as never[][]) {
      expect(verifyDnssecProof(value as never, name as never, options as never).ok).toBe(false);
    }
  });

  it('a TXT record whose strings are cut', () => {
    const { root: other, example } = aWorld();
    example.remove(NAME, TYPE.TXT).add(NAME, TYPE.TXT, Buffer.of(5, 97));
    expect(found(verify(other))).toBe('shape: A TXT record is cut.');
  });
});

describe('what a check may take', () => {
  it('16 signatures: keys of one tag do not multiply them', () => {
    const { root, example } = aWorld();
    const tag = keyTag(example.zoneKey.data);
    const same = Array.from({ length: 30 }, () => withTag(newKey(13, 256).data, tag));
    example.remove('example.org', TYPE.DNSKEY).add('example.org', TYPE.DNSKEY, example.keyKey.data);
    for (const data of same) example.add('example.org', TYPE.DNSKEY, data);
    const strays = Array.from({ length: 10 }, () => example.signed(example.at(NAME, TYPE.TXT)).at(-1)!);
    const chain = chainWith(root, NAME, TYPE.TXT, [...example.at(NAME, TYPE.TXT), ...strays]);
    const before = process.cpuUsage();
    expect(found(verify(root, chain))).toBe('signature: It takes more than 16 signatures.');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(300);
  });

  it('64 KiB of hashing', () => {
    const { root, example } = aWorld();
    for (let at = 0; at < 30; at += 1) example.txt(NAME, ...Array.from({ length: 1 }, () => String(at).padEnd(255)));
    const set = example.at(NAME, TYPE.TXT);
    const bad = Array.from({ length: 14 }, () => {
      const rrsig = example.signed(set).at(-1)!;
      rrsig.data[rrsig.data.length - 1]! ^= 1;
      return rrsig;
    });
    const chain = chainWith(root, NAME, TYPE.TXT, [...set, ...bad]);
    expect(found(verify(root, chain))).toMatch(/^signature: It takes more than 65536 bytes of hashing/);
  });
});

describe('a proof of records at hand', () => {
  it('has what is needed alone, from the name to the root', () => {
    const { root, example } = aWorld();
    const set = example.at(NAME, TYPE.TXT);
    const strays = Array.from({ length: 100 }, () => example.signed(set, { key: newKey(13, 256) }).at(-1)!);
    const bob = example.txt('bob.example.org', 'x').signed(example.at('bob.example.org', TYPE.TXT));
    const records = Buffer.concat([chainWith(root, NAME, TYPE.TXT, [...strays, ...bob, ...example.signed(set)])]);
    const options = { at: NOW, rootKeys: [root.rootKey()] };
    const made = dnssecProofOf(records, NAME, options)!;
    const { proof } = made;
    expect(made).toEqual({ ...SHOWN, proof, from: NOW - DAY, until: NOW + 13 * DAY });
    expect(found(verifyDnssecProof(proof, NAME, options))).toEqual(SHOWN);
    const bytes = Buffer.from(proof.chain, 'base64');
    expect(bytes.subarray(0, wire(NAME).length)).toEqual(wire(NAME));
    expect(bytes.length).toBe(chainOf(root, NAME).length);
  });

  it('is none where they do not show the records, or it would be too large', () => {
    const { root, example } = aWorld();
    const rootKeys = [root.rootKey()];
    expect(dnssecProofOf(chainOf(root, NAME), NAME, { at: NOW + 3650 * DAY, rootKeys })).toBeNull();
    expect(dnssecProofOf(chainOf(root, NAME), 'bob.example.org', { at: NOW, rootKeys })).toBeNull();
    expect(dnssecProofOf(Buffer.of(1), NAME, { at: NOW, rootKeys })).toBeNull();
    for (let at = 0; at < 60; at += 1) example.txt(NAME, String(at).padEnd(255));
    expect(dnssecProofOf(chainOf(root, NAME), NAME, { at: NOW, rootKeys })).toBeNull();
  });
});

/** The sets of keys of all zones above the name, and what names them. */
function keysOf(root: SignedZone): WireRecord[] {
  return keysOfZone(root, 'example.org');
}

function keysOfZone(root: SignedZone, zone: string): WireRecord[] {
  const above = zone === '' ? [] : keysOfZone(root, zone.split('.').slice(1).join('.'));
  return [...above, ...[TYPE.DNSKEY, TYPE.DS].flatMap((type) => resolve(root, zone, type).answers)];
}

/** Writes the letters of the owner in upper case. */
function upper(record: Buffer): void {
  for (let at = 0; record[at]! > 0; at += 1 + record[at]!) {
    for (let place = at + 1; place <= at + record[at]!; place += 1) {
      if (record[place]! >= 97 && record[place]! <= 122) record[place]! -= 32;
    }
  }
}

function raw(name: Buffer, type: number, kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(kind, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, head, data]);
}

/** A key whose last bytes are changed so that it has this tag. */
function withTag(data: Buffer, tag: number): Buffer {
  const copy = Buffer.from(data);
  for (let value = 0; value < 65_536; value += 1) {
    copy.writeUInt16BE(value, copy.length - 2);
    if (keyTag(copy) === tag) return copy;
  }
  throw new Error('No such key.');
}
