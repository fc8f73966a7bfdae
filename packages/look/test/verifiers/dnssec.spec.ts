import { verifyDnssecProof } from '@signet/verify/dnssec';
import { chainOf, resolve, SignedZone, TYPE, type ZoneOptions } from '../../../verify/test/support/signed-zones.js';
import { optionsIn, aFetcher } from '../support/fetcher.js';
import {
  type DnsAnswer,
  type DnsHandler,
  dnsJsonReply,
  dnsReplyBytes,
  type DnsStandIn,
  startDnsStandIn,
} from '../support/dns-stand-in.js';
import { startStandIn, type StandIn } from '../support/stand-in-server.js';
import { writeTxtQuery } from '../../src/verifiers/dns/dns-message.js';
import { readReply, wireName, writeQuestion } from '../../src/verifiers/dns/dns-wire.js';
import { DnsByJson } from '../../src/verifiers/dns/dns-by-json.js';
import { DnsVerifier } from '../../src/verifiers/dns/dns.verifier.js';
import type { Verdict } from '../../src/platform-verifier.js';
import { aClaim, postOf } from './describe-verifier.js';

const NAME = 'alice.example.org';
const DAY = 86_400;
const now = () => Math.floor(Date.now() / 1000);
const NUMBERS: Record<string, number> = TYPE;

const claim = { ...aClaim({ platform: 'dns', identity: NAME, proofLocation: '' }), withProof: true };
const web = aFetcher();
const record = postOf(new DnsVerifier(web), claim);
afterAll(() => web.stop());

interface World {
  root: SignedZone;
  org: SignedZone;
  example: SignedZone;
}

const times = { from: Math.floor(Date.now() / 1000) - DAY, until: Math.floor(Date.now() / 1000) + 13 * DAY };

/** Zones with the record of the claim. */
function aWorld(options: ZoneOptions = {}): World {
  const root = SignedZone.root(times);
  const org = root.child('org', times);
  const example = org.child('example', { ...times, ...options }).txt(NAME, record);
  return { root, org, example };
}

/** All names that the zones of a root have, with other answers for some questions. */
function zonesOf(root: SignedZone, other: (name: string, type: string) => DnsAnswer | null = () => null): DnsHandler {
  return ({ name, type }) => {
    const asked = name === '.' ? '' : name;
    return other(asked, type) ?? { zones: resolve(root, asked, NUMBERS[type]!) };
  };
}

const rootKey = (root: SignedZone) => {
  const { keyTag, algorithm, digest } = root.rootKey();
  return `${keyTag} ${algorithm} 2 ${digest}`;
};

/** What a verdict proves by itself, without the resolver. */
function proved(verdict: Verdict, root: SignedZone) {
  const proof = verdict.valid ? verdict.evidence?.proof : undefined;
  if (proof?.type !== 'dnssec') return null;
  const { ok, texts, zone } = verifyDnssecProof(proof, NAME, { at: now(), rootKeys: [root.rootKey()] });
  return { ok, texts, zone };
}

/** The ways in which resolvers are asked: each starts one, and gives the verdict on the claim. */
const WAYS = {
  'the resolver of a machine': async (root: SignedZone, handler: DnsHandler, asked = claim) => {
    const server: DnsStandIn = await startDnsStandIn(handler);
    const settings = { DNS_MODE: 'system', DNS_SERVERS: server.address, DNS_ROOT_KEYS: rootKey(root) };
    const verifier = new DnsVerifier(web, { timeoutMs: 10_000, ...optionsIn('dns', settings) });
    return verifier.verify(asked).finally(() => server.close());
  },
  'DNS over HTTPS': async (root: SignedZone, handler: DnsHandler, asked = claim) => {
    const server = await startOverHttps(handler);
    const settings = { DOH_URLS: `${server.baseUrl}/dns-query`, DNS_ROOT_KEYS: rootKey(root) };
    return new DnsVerifier(web, optionsIn('dns', settings)).verify(asked).finally(() => server.close());
  },
  'DNS over HTTPS, as browsers ask': async (root: SignedZone, handler: DnsHandler, asked = claim) => {
    const server = await startOverHttps(handler);
    const options = { dohUrls: [`${server.baseUrl}/dns-query`], rootKeys: [rootKey(root)] };
    return new DnsByJson(web, options).verify(asked).finally(() => server.close());
  },
};

/** A resolver of RFC 8484 that answers in JSON too. */
function startOverHttps(handler: DnsHandler): Promise<StandIn> {
  return startStandIn(({ method, bytes, query }) => {
    const name = query.get('name');
    if (method === 'GET' && name !== null) return dnsJsonReply(dnsReplyBytes(writeTxtQuery(name), 'https', handler)!);
    const message = method === 'GET' ? Buffer.from(query.get('dns')!, 'base64url') : bytes;
    const reply = dnsReplyBytes(message, 'https', handler);
    return reply ? { bytes: reply, headers: { 'content-type': 'application/dns-message' } } : 'hang';
  });
}

const SHOWN = { ok: true, texts: [record], zone: 'example.org' };

describe.each(Object.entries(WAYS))('a record in a zone, by %s', (_, look) => {
  const proofIn = async ({ root }: World, handler = zonesOf(root)) => {
    const verdict = await look(root, handler);
    expect(verdict).toMatchObject({ valid: true });
    return proved(verdict, root);
  };

  it('that is signed is kept with its proof, whose bytes are few', async () => {
    const world = aWorld();
    const verdict = await look(world.root, zonesOf(world.root));
    expect(proved(verdict, world.root)).toEqual(SHOWN);
    const { proof } = (verdict as { evidence: { proof: { chain: string } } }).evidence;
    expect(Buffer.from(proof.chain, 'base64')).toHaveLength(chainOf(world.root, NAME).length);
  });

  it('that is signed with RSA, whose answers are large', async () => {
    expect(await proofIn(aWorld({ algorithm: 8 }))).toEqual(SHOWN);
  });

  it('that is not signed is what it was', async () => {
    expect(await proofIn(aWorld({ isSigned: false }))).toBeNull();
  });

  it('whose signatures do not hold, have expired or will in a minute, is what it was', async () => {
    const broken = aWorld();
    broken.example.zoneKey = SignedZone.root().zoneKey;
    expect(await proofIn(broken)).toBeNull();
    expect(await proofIn(aWorld({ from: now() - 2 * DAY, until: now() - DAY }))).toBeNull();
    expect(await proofIn(aWorld({ until: now() + 60 }))).toBeNull();
  });

  it('whose parent names another key is what it was', async () => {
    const world = aWorld();
    world.org.remove('example.org', TYPE.DS).add('example.org', TYPE.DS, SignedZone.root().digest());
    expect(await proofIn(world)).toBeNull();
  });

  it('that has another key by now is shown by that one', async () => {
    const world = aWorld();
    world.example.roll();
    expect(await proofIn(world)).toEqual(SHOWN);
  });

  it.each([
    ['NSEC', {}],
    ['NSEC3', { nsec3: { iterations: 1, salt: Buffer.of(1, 2) } }],
  ])('at a wildcard is shown with the %s record of its name', async (_type, options) => {
    const world = aWorld(options);
    world.example.remove(NAME, TYPE.TXT).txt('*.example.org', record);
    expect(await proofIn(world)).toEqual(SHOWN);
  });

  it('behind an alias into another zone is shown with both zones', async () => {
    const world = aWorld();
    world.example.remove(NAME, TYPE.TXT).cname(NAME, 'proof.elsewhere.net');
    world.root.child('net', times).child('elsewhere', times).txt('proof.elsewhere.net', record);
    expect(await proofIn(world)).toEqual({ ...SHOWN, zone: 'elsewhere.net' });
  });

  it.each<[string, DnsAnswer]>([
    ['are not answered', { code: 'SERVFAIL' }],
    ['are answered with what is no message', Buffer.from('no message')],
    ['are answered with nothing', {}],
  ])('whose keys %s is what it was', async (_how, answer) => {
    const { root } = aWorld();
    const handler = zonesOf(root, (name, type) => (type === 'DNSKEY' && name === 'org' ? answer : null));
    expect(proved(await look(root, handler), root)).toBeNull();
  });

  it('asks nothing more at a recheck', async () => {
    const { root } = aWorld();
    const types: string[] = [];
    const noted: DnsHandler = (query) => {
      types.push(query.type);
      return zonesOf(root)(query);
    };
    expect(await look(root, noted, { ...claim, withProof: false })).toMatchObject({ valid: true });
    expect(types).toEqual(types.map(() => 'TXT'));
  });

  it('climbs a bounded number of zones', async () => {
    const { root } = aWorld();
    let questions = 0;
    const endless: DnsHandler = (query) => {
      questions += 1;
      if (query.type !== 'DS') return zonesOf(root)(query);
      const data = root.signed([{ name: query.name, type: TYPE.DS, ttl: 1, data: root.digest() }]);
      data.at(-1)!.data = Buffer.concat([data.at(-1)!.data.subarray(0, 18), Buffer.of(1, 97 + (questions % 26), 0, 9)]);
      return { zones: { answers: data, authority: [], exists: true } };
    };
    expect(proved(await look(root, endless), root)).toBeNull();
    expect(questions).toBeLessThan(45);
  });
});

describe('a reply with records of DNSSEC', () => {
  const { root } = aWorld();
  const name = wireName(NAME);
  const question = Buffer.from(writeQuestion(name, TYPE.TXT));
  const good = dnsReplyBytes(question, 'https', zonesOf(root))!;

  it('has the records that were asked for, their names whole', () => {
    const records = readReply(good, name, TYPE.TXT);
    expect(records.map(({ type }) => type)).toEqual([TYPE.TXT, TYPE.RRSIG]);
    expect(records.every((one) => one.name === name)).toBe(true);
  });

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['is cut', (bytes) => bytes.subarray(0, -1)],
    ['has no header', (bytes) => bytes.subarray(0, 11)],
    ['is a question', () => question],
    ['says that it was cut', (bytes) => changed(bytes, 2, 0x83)],
    ['says that there is an error', (bytes) => changed(bytes, 3, 0x82)],
    ['has no question', (bytes) => changed(bytes, 5, 0)],
    ['answers another question', (bytes) => changed(bytes, 13, 98)],
    ['has more records than any has', (bytes) => changed(bytes, 6, 255)],
    ['has a name that points to itself', (bytes) => changed(bytes, good.indexOf(Buffer.of(0xc0, 12)) + 1, 0xff)],
  ])('proves nothing where it %s', (_, change) => {
    expect(() => readReply(change(Buffer.from(good)), name, TYPE.TXT)).toThrow('gave no usable answer');
  });
});

function changed(bytes: Buffer, at: number, value: number): Buffer {
  bytes[at] = value;
  return bytes;
}
