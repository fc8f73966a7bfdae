import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type DecodedPacket } from 'dns-packet';
import fc from 'fast-check';
import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import { readTxtReply, writeTxtQuery } from '../../src/verifiers/dns/dns-message.js';
import { readProofRecord } from '../../src/verifiers/dns/dns-record.js';
import type { InvalidVerdict, ProofClaim, ValidVerdict, Verdict } from '../../src/platform-verifier.js';
import { DnsByJson } from '../../src/verifiers/dns/dns-by-json.js';
import { DnsVerifier } from '../../src/verifiers/dns/dns.verifier.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';
import {
  cname,
  dnsJsonReply,
  dnsReplyBytes,
  startDnsStandIn,
  txt,
  type DnsAnswer,
  type DnsHandler,
  type DnsStandIn,
} from '../support/dns-stand-in.js';
import { startStandIn, type StandIn, type StandInHandler } from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import { aClaim, describePostVerifier, postOf, refusal } from './describe-verifier.js';

const DOMAIN = 'alice.example.org';
const SEED = 20_260_101;

const alice = anAvatar('alice');
const claim = aClaim({ platform: 'dns', identity: DOMAIN, proofLocation: '' });
const clients: ReturnType<typeof aFetcher>[] = [];
/** A verifier for its texts; it is not asked to verify. */
const writer = verifierWith({});
const record = postOf(writer, claim);
const gone: DnsAnswer = { code: 'NXDOMAIN' };
const shown: DnsAnswer = { answers: [txt(DOMAIN, record)] };

/** @param timeoutMs short where a resolver says nothing: another one may be slow on a busy machine */
function verifierWith(variables: Record<string, string>, timeoutMs = 10_000): DnsVerifier {
  const web = aFetcher({}, { timeoutMs });
  clients.push(web);
  return new DnsVerifier(web, { timeoutMs, ...optionsIn('dns', variables) });
}

afterEach(() => Promise.all(clients.splice(0).map((web) => web.stop())));

/** A DNS over HTTPS server (RFC 8484) that answers with `handler`, and in JSON to a GET with a name, for browsers. */
function overHttps(handler: DnsHandler): StandInHandler {
  return ({ method, headers, bytes, query }) => {
    const name = query.get('name');
    if (method === 'GET' && name !== null) {
      const reply = dnsReplyBytes(writeTxtQuery(name), 'https', handler);
      return reply ? dnsJsonReply(reply) : 'hang';
    }
    if (method !== 'POST' || headers['content-type'] !== 'application/dns-message') return { status: 415 };
    const reply = dnsReplyBytes(bytes, 'https', handler);
    return reply ? { bytes: reply, headers: { 'content-type': 'application/dns-message' } } : 'hang';
  };
}

describePostVerifier({
  platform: 'dns',
  identity: DOMAIN,
  otherIdentity: 'mallory.example.org',
  proofLocation: '',
  create: (web, options) => new DnsVerifier(web, options),
  browser: (web, options) => new DnsByJson(web, options),
  settings: (baseUrl) => ({ DOH_URLS: `${baseUrl}/dns-query` }),
  published: ({ author, text }) => overHttps(({ name }) => (name === author ? { answers: [txt(name, text)] } : gone)),
  otherForms: {
    'behind an alias': ({ text }) =>
      overHttps(() => ({
        answers: [{ type: 'CNAME', name: DOMAIN, data: 'elsewhere.example.net' }, txt('elsewhere.example.net', text)],
      })),
  },
  absenceIsNo: { Answer: 'Google Public DNS, "JSON API": without a record of the type the reply has no `Answer`' },
  missing: {
    'no such name': overHttps(() => gone),
    'no TXT record': overHttps(() => ({})),
    'other TXT records only': overHttps(() => ({ answers: [txt(DOMAIN, 'v=spf1 -all'), txt(DOMAIN, 'ps:true')] })),
  },
});

describeIdentities(writer, {
  accepted: [
    ['HTTPS://Alice.Example.ORG./path', 'alice.example.org'],
    ['bücher.example.org', 'xn--bcher-kva.example.org'],
    ['xn--bcher-kva.example.org', 'xn--bcher-kva.example.org'],
    ['BÜCHER.example.org', 'xn--bcher-kva.example.org'],
    // UTS 46 maps these letters, so browsers and resolvers take them for the same name.
    ['ali\u212ae.\uff45xample.org', 'alike.example.org'],
    ['faß.example.org', 'xn--fa-hia.example.org'],
    ['ＡＬＩＣＥ。example。org。', 'alice.example.org'],
    [' alice.example.org:8443 ', 'alice.example.org'],
    ['dns://alice.example.org?type=TXT', 'alice.example.org'],
    ['_proof.alice_b.example.org', '_proof.alice_b.example.org'],
    ['1.example.org', '1.example.org'],
    [`${'a'.repeat(63)}.org`, `${'a'.repeat(63)}.org`],
  ],
  refused: [
    ...[
      '',
      'org',
      'localhost',
      '127.0.0.1',
      '1.2.3',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '::1',
      '2001:db8::1',
      '[::ffff:10.0.0.1]',
      '１２７.0.0.1',
    ],
    ...[
      'printer.local',
      'db.internal',
      'hidden.onion',
      '1.0.0.127.in-addr.arpa',
      'router.home.arpa',
      'a.test',
      'a.invalid',
      'a.example',
      'a.localhost',
      'a.alt',
    ],
    ...[
      'a..org',
      '.a.org',
      'a.org..',
      '-a.org',
      'a-.org',
      `${'a'.repeat(64)}.org`,
      `${'a.'.repeat(126)}org`,
      'xn--a.org',
    ],
    ...[
      'a b.org',
      'a\tb.org',
      'a\nb.org',
      'a%41.org',
      'a%2eorg',
      '*.example.org',
      'alice@example.org',
      'https://alice:pw@example.org/',
      'a;b.org',
      'a\u200db.org',
    ],
  ],
});

describe('the record to publish', () => {
  it('has the keys of the peer services and fits one string of a TXT record at its longest', () => {
    const previous = alice.sign('the payload before');
    const text = postOf(writer, { ...claim, previous, createdAt: new Date(9_999_999_999_000) });

    expect(text).toBe(
      `ps:true;v:1;sig:${alice.sign(claim.signPayload)};ca:9999999999;uuid:${claim.uuid};prev:${previous}`,
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(255);
  });

  it('says null where there is no previous link', () => {
    expect(writer.postContent(claim).default).toBe(
      `ps:true;v:1;sig:%SIG_BASE64%;ca:1718000000;uuid:${claim.uuid};prev:null`,
    );
  });
});

/** Both ways of asking read the same answers in the same way. */
describe.each(['doh', 'system'] as const)('with DNS_MODE=%s', (mode) => {
  let first: DnsStandIn;
  let second: DnsStandIn;
  const web: StandIn[] = [];

  beforeEach(async () => {
    [first, second] = await Promise.all([startDnsStandIn(() => shown), startDnsStandIn(() => shown)]);
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close(), ...web.splice(0).map((server) => server.close())]);
  });

  /** Asks one resolver that answers with `handler`, or two. */
  async function check(
    handler: DnsHandler | DnsAnswer,
    other?: DnsAnswer,
    asked: ProofClaim = claim,
  ): Promise<Verdict> {
    const handlers = [handler, other].flatMap((answer) => (answer === undefined ? [] : [asHandler(answer)]));
    const timeoutMs = handler === 'silence' ? 600 : undefined;
    if (mode === 'doh') {
      const servers = await Promise.all(handlers.map((answer) => startStandIn(overHttps(answer))));
      web.push(...servers);
      return verifierWith({ DOH_URLS: servers.map(({ baseUrl }) => baseUrl).join(',') }, timeoutMs).verify(asked);
    }
    const servers = [first, second].slice(0, handlers.length);
    servers.forEach((server, index) => server.handle(handlers[index]!));
    const DNS_SERVERS = servers.map(({ address }) => address).join(',');
    return verifierWith({ DNS_MODE: 'system', DNS_SERVERS }, timeoutMs).verify(asked);
  }

  const asHandler = (answer: DnsHandler | DnsAnswer): DnsHandler =>
    typeof answer === 'function' ? answer : () => answer;

  const records = (...texts: string[]): DnsAnswer => ({ answers: texts.map((text) => txt(DOMAIN, text)) });

  it('accepts the record, with evidence of the name and the text', async () => {
    const verdict = (await check(shown)) as ValidVerdict;

    expect(verdict).toMatchObject({ valid: true, signature: alice.sign(claim.signPayload) });
    expect(verdict.evidence).toMatchObject({ url: 'dns:alice.example.org?type=TXT', matchedText: record });
  });

  it.each<[string, DnsAnswer]>([
    ['in two strings', { answers: [txt(DOMAIN, record.slice(0, 60), record.slice(60))] }],
    ['in many strings', { answers: [txt(DOMAIN, ...record.match(/.{1,9}/g)!)] }],
    ['behind an alias', { answers: [cname(DOMAIN, 'txt.host.net'), txt('txt.host.net', record)] }],
    [
      'behind three aliases',
      { answers: [cname(DOMAIN, 'b.net'), cname('b.net', 'c.net'), cname('c.net', 'd.net'), txt('d.net', record)] },
    ],
    ['among other records', records('v=spf1 -all', 'ps:true;v:1', record, 'x'.repeat(255))],
    ['among thirty other records', records(...Array.from({ length: 30 }, (_, n) => `verification=${n}`), record)],
    [
      'among proofs of other Avatars',
      records(record.replace(claim.uuid, '00000000-0000-4000-8000-000000000000'), record),
    ],
    [
      'beside an older text with the same uuid',
      records(record.replace(/sig:[^;]*/, `sig:${alice.sign('old')}`), record),
    ],
    ['with quotes around', records(`"${record}"`)],
    ['with doubled quotes in the middle', records(`"${record.slice(0, 60)}" "${record.slice(60)}"`)],
    ['with typographic quotes around', records(`“${record}”`)],
    ['with single quotes around', records(`'${record}'`)],
    ['with decimal escapes that were taken literally', records(record.replaceAll(';', '\\059'))],
    ['with blanks that do not break', records(record.replaceAll(';', ';\u00a0'))],
    ['with percent-encoding', records(encodeURIComponent(record))],
    ['as a whole line of a zone file', records(`alice.example.org. 300 IN TXT "${record}"`)],
    ['with escaped semicolons', records(record.replaceAll(';', '\\;'))],
    ['with spaces and a final semicolon', records(` ${record.replaceAll(';', ' ; ')} ;`)],
    ['in another order, with unknown keys', records(`x:y:z;${record.split(';').reverse().join(';')};note:mine`)],
    [
      'with a wrong time and a wrong prev, which are not evidence',
      records(record.replace('ca:1718000000', 'ca:1').replace('prev:null', 'prev:x')),
    ],
    [
      'in base64url without padding',
      records(
        record.replace(/sig:([^;]*)/, (_, sig: string) => `sig:${Buffer.from(sig, 'base64').toString('base64url')}`),
      ),
    ],
    [
      'with capitals in keys and uuid',
      records(record.replace('ps:true', 'PS:TRUE').replace(claim.uuid, claim.uuid.toUpperCase())),
    ],
  ])('accepts the record %s', async (_how, answer) => {
    expect(await check(answer)).toMatchObject({ valid: true, signature: alice.sign(claim.signPayload) });
  });

  it.each<[string, DnsAnswer]>([
    ['the name does not exist', { code: 'NXDOMAIN' }],
    ['there is no TXT record', {}],
    ['an alias leads to nothing', { answers: [cname(DOMAIN, 'nowhere.net')] }],
    ['there are other TXT records only', records('v=spf1 -all')],
    ['the uuid is another', records(record.replace(claim.uuid, '00000000-0000-4000-8000-000000000000'))],
    ['the signature is missing', records(record.replace(/sig:[^;]*;/, ''))],
    ['the placeholder is still there', records(writer.postContent(claim).default)],
    ['the signature was lowercased', records(record.toLowerCase())],
    ['the record was cut at 64 bytes', records(record.slice(0, 64))],
    ['the version is another', records(record.replace('v:1', 'v:2'))],
    ['it is not a proof', records(record.replace('ps:true', 'ps:false'))],
    [
      'the record is longer than 4 KiB',
      { answers: [txt(DOMAIN, ...Array<string>(17).fill(`${'x:y;'.repeat(60)}`), `;${record}`)] },
    ],
    [
      'twenty wrong records with this uuid stand before it',
      records(...Array<string>(20).fill(record.replace(/sig:[^;]*/, 'sig:no')), record),
    ],
  ])('refuses when %s', async (_how, answer) => {
    expect(await check(answer)).toEqual(refusal());
  });

  it.each<[string, DnsAnswer]>([
    ['fails (SERVFAIL)', { code: 'SERVFAIL' }],
    ['refuses (REFUSED)', { code: 'REFUSED' }],
    ['does not understand (FORMERR)', { code: 'FORMERR' }],
    ['stays silent', 'silence'],
    ['sends garbage', Buffer.from('no DNS message at all')],
    ['sends nothing but a header', Buffer.alloc(12)],
  ])('says unavailable when the resolver %s', async (_how, answer) => {
    await expect(check(answer)).rejects.toThrow(PlatformUnavailableError);
  });

  it('accepts a create when both resolvers show the record', async () => {
    expect(await check(shown, shown)).toMatchObject({ valid: true });
  });

  it('refuses when both resolvers miss the record', async () => {
    expect(await check(gone, {})).toEqual(refusal());
    expect(await check(gone, {}, { ...claim, isRecheck: true })).toEqual(refusal());
  });

  it.each<[string, DnsAnswer, DnsAnswer]>([
    ['the first', gone, shown],
    ['the second', shown, gone],
  ])(
    'says unavailable for a create, and valid for a recheck, when only %s resolver misses the record',
    async (_which, one, other) => {
      await expect(check(one, other)).rejects.toThrow(/disagree/);
      expect(await check(one, other, { ...claim, isRecheck: true })).toMatchObject({ valid: true });
    },
  );

  it('says unavailable for a create, and valid for a recheck, when one resolver fails', async () => {
    await expect(check({ code: 'SERVFAIL' }, shown)).rejects.toThrow(PlatformUnavailableError);
    expect(await check({ code: 'SERVFAIL' }, shown, { ...claim, isRecheck: true })).toMatchObject({ valid: true });
  });

  it('never calls a record gone when one resolver misses it and the other fails', async () => {
    const asked = check(gone, { code: 'SERVFAIL' }, { ...claim, isRecheck: true });

    await expect(asked).rejects.toThrow(PlatformUnavailableError);
    await expect(asked).rejects.toThrow(/^A DNS resolver/);
  });
});

describe('the system resolver', () => {
  let server: DnsStandIn;
  beforeEach(async () => {
    server = await startDnsStandIn(() => shown);
  });
  afterEach(() => server.close());

  const check = () => verifierWith({ DNS_MODE: 'system', DNS_SERVERS: server.address }).verify(claim);

  it('comes back over TCP when an answer was cut', async () => {
    const answers = [txt(DOMAIN, 'x'.repeat(255)), txt(DOMAIN, record)];
    server.handle(() => ({ truncated: true, answers }));

    expect(await check()).toMatchObject({ valid: true });
    expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
  });

  it('asks for the TXT records of exactly the name, and asks anew each time', async () => {
    await check();
    server.handle(() => gone);

    expect(await check()).toEqual(refusal());
    expect(server.queries).toEqual(Array(2).fill({ name: DOMAIN, type: 'TXT', transport: 'udp' }));
  });

  it('asks the first two servers of the settings', async () => {
    const others = await Promise.all([1, 2].map(() => startDnsStandIn(() => shown)));
    const DNS_SERVERS = [server, ...others].map(({ address }) => address).join(',');

    expect(await verifierWith({ DNS_MODE: 'system', DNS_SERVERS }).verify(claim)).toMatchObject({ valid: true });
    expect([server, ...others].map(({ queries }) => queries.length)).toEqual([1, 1, 0]);
    await Promise.all(others.map((other) => other.close()));
  });

  it('says unavailable when nobody listens there', async () => {
    const { address } = server;
    await server.close();
    server = await startDnsStandIn(() => shown);

    await expect(verifierWith({ DNS_MODE: 'system', DNS_SERVERS: address }).verify(claim)).rejects.toThrow(
      PlatformUnavailableError,
    );
  });

  it('tells the operator about a text that is not an address', async () => {
    expect(verifierWith({ DNS_MODE: 'system', DNS_SERVERS: 'dns.example.org' }).missingSetting()).toMatch(
      /DNS_SERVERS/,
    );
    await expect(verifierWith({ DNS_MODE: 'system', DNS_SERVERS: 'dns.example.org' }).verify(claim)).rejects.toThrow(
      PlatformMisconfiguredError,
    );
    expect(verifierWith({ DNS_MODE: 'system', DNS_SERVERS: '192.0.2.1,[2001:db8::1]:53' }).missingSetting()).toBeNull();
    expect(verifierWith({ DNS_MODE: 'system' }).missingSetting()).toBeNull();
    expect(writer.missingSetting()).toBeNull();
  });
});

describe('a reply in wire format', () => {
  const query = writeTxtQuery(DOMAIN);
  const reply = (answer: DnsAnswer) => dnsReplyBytes(query, 'https', () => answer)!;
  const read = (bytes: Uint8Array) => readTxtReply(bytes, DOMAIN);
  const good = reply(shown);

  const address: Answer = { type: 'A', name: DOMAIN, ttl: 60, data: '192.0.2.1' };
  /** The good reply with some members changed. */
  const altered = (changes: Partial<DecodedPacket>) => encode({ ...decode(Buffer.from(good)), ...changes });

  it('is asked for with id 0, one question, recursion, and room for 4096 bytes', () => {
    const packet = decode(Buffer.from(writeTxtQuery(DOMAIN)));

    expect(packet).toMatchObject({
      id: 0,
      flag_qr: false,
      flag_rd: true,
      questions: [{ name: DOMAIN, type: 'TXT', class: 'IN' }],
      additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 4096, extendedRcode: 0, ednsVersion: 0, flags: 0 }],
    });
  });

  it.each<[string, Uint8Array]>([
    ['has another id', reply({ ...shown, id: 1 })],
    ['answers another question', reply({ ...shown, question: 'mallory.example.org' })],
    ['answers a question about another type', altered({ questions: [{ type: 'A', class: 'IN', name: DOMAIN }] })],
    ['answers a question of another class', altered({ questions: [{ type: 'TXT', class: 'CH', name: DOMAIN }] })],
    [
      'answers two questions',
      altered({ questions: Array(2).fill({ type: 'TXT', class: 'IN', name: DOMAIN }) as DecodedPacket['questions'] }),
    ],
    ['answers no question', altered({ questions: [] })],
    ['has 17 aliases', aliases(17)],
    ['is cut (TC)', reply({ ...shown, flags: 0x0200 })],
    ['is another kind of message', reply({ ...shown, flags: 0x0800 })],
    ['is a query', query],
    ['is a query that brings its own answer', encode({ ...decode(Buffer.from(good)), type: 'query' })],
    ['has 600 records', reply({ answers: Array<Answer>(600).fill(txt(DOMAIN, 'x')) })],
    ['is empty', new Uint8Array()],
    ['has bytes behind its end', Buffer.concat([good, Buffer.of(0)])],
    ['is a referral without an answer', reply({ isRecursive: false })],
    ['has aliases in a circle', reply({ answers: [cname(DOMAIN, 'b.net'), cname('b.net', DOMAIN)] })],
    [
      'has an endless chain of aliases',
      reply({
        answers: Array.from({ length: 40 }, (_, n): Answer => cname(n ? `a${n}.net` : DOMAIN, `a${n + 1}.net`)),
      }),
    ],
    ['announces 65,535 records', Buffer.from(good).fill(0xff, 6, 8)],
    ['reports a failure in EDNS only', withExtendedCode(1)],
    ['reports a failure in EDNS behind another record', withExtendedCode(1, [address])],
  ])('counts as no answer when it %s', (_how, bytes) => {
    expect(() => read(bytes)).toThrow(PlatformUnavailableError);
  });

  /** The record behind so many aliases, the names in changing letter case. */
  function aliases(count: number): Uint8Array {
    const name = (n: number) => (n === 0 ? DOMAIN.toUpperCase() : `a${n}.net`);
    const chain = Array.from({ length: count }, (_, n): Answer => cname(name(n), `A${n + 1}.net`));
    return reply({ answers: [...chain, txt(name(count), record)] });
  }

  it('follows 16 aliases, whatever their letter case', () => {
    expect(read(aliases(16))).toEqual([record]);
  });

  it('has 512 records at most', () => {
    const answers = Array<Answer>(511).fill(txt(DOMAIN, 'x'));

    expect(read(reply({ answers }))).toHaveLength(511);
    expect(() => read(reply({ answers: [...answers, txt(DOMAIN, 'x')] }))).toThrow(PlatformUnavailableError);
  });

  it('may say with authority that there is nothing', () => {
    expect(read(reply({ isRecursive: false, flags: AUTHORITATIVE_ANSWER }))).toEqual([]);
    expect(read(reply({ isRecursive: true }))).toEqual([]);
    expect(read(reply({ isRecursive: false, answers: [txt(DOMAIN, 'mine')] }))).toEqual(['mine']);
  });

  it('keeps bytes that are not ASCII', () => {
    const answers: Answer[] = [
      { type: 'TXT', name: DOMAIN, ttl: 60, data: [Buffer.from([0x61, 0xff]), Buffer.from('b')] },
    ];

    expect(read(reply({ answers }))).toEqual(['a\u00ffb']);
  });

  it('reads texts of the name asked for only', () => {
    const answers = [txt('mallory.example.org', record), address, txt('ALICE.example.org', 'mine')];

    expect(read(reply({ answers }))).toEqual(['mine']);
  });

  it('has no text where the name does not exist, whatever it brings along', () => {
    expect(read(reply({ code: 'NXDOMAIN', answers: [txt(DOMAIN, record)] }))).toEqual([]);
  });

  it('counts as no answer wherever it is cut', () => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => read(good.subarray(0, length))).toThrow(PlatformUnavailableError);
    }
  });

  it(`gives records or counts as no answer, whatever its bytes (seed ${SEED})`, () => {
    const changed = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    const survives = (bytes: Uint8Array) => {
      try {
        return Array.isArray(read(bytes));
      } catch (error) {
        return error instanceof PlatformUnavailableError;
      }
    };
    const mutate = (changes: [number, number][]) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    };

    fc.assert(
      fc.property(changed, (changes) => survives(mutate(changes))),
      { seed: SEED, numRuns: 3000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), survives), { seed: SEED, numRuns: 1000 });
  });

  /** NOERROR in the header, and the upper bits of a failure such as BADVERS in the OPT record (RFC 6891 6.1.3). */
  function withExtendedCode(extendedRcode: number, before: Answer[] = []): Uint8Array {
    const packet = decode(Buffer.from(good));
    const option = { udpPayloadSize: 1232, extendedRcode, ednsVersion: 0, flags: 0, flag_do: false, options: [] };
    return encode({ ...packet, additionals: [...before, { type: 'OPT', name: '.', ...option }] });
  }
});

describe('a TXT record', () => {
  const fields = { ps: 'true', v: '1', sig: 'AA==', uuid: 'u' };
  const written = (changes: Record<string, string | undefined>) =>
    Object.entries({ ...fields, ...changes })
      .map(([name, value]) => (value === undefined ? name : `${name}:${value}`))
      .join(';');

  it.each([
    ['no uuid', written({ uuid: undefined })],
    ['an empty uuid', written({ uuid: '' })],
    ['an empty signature', written({ sig: '' })],
    ['a signature without a colon', written({ sig: undefined })],
    ['no version', written({ v: undefined })],
    ['a number for ps', written({ ps: '1' })],
    ['more than 4096 characters', written({}).padEnd(4097, ';')],
  ])('is not one of ours with %s', (_what, text) => {
    expect(readProofRecord(text)).toBeNull();
  });

  it('is one of ours up to 4096 characters', () => {
    expect(readProofRecord(written({ uuid: 'U' }).padEnd(4096, ';'))).toMatchObject({ uuid: 'u' });
  });
});

describe('what is missing', () => {
  const other = record.replace(claim.uuid, '00000000-0000-4000-8000-000000000000');
  const wrong = record.replace(/sig:[^;]*/, `sig:${alice.sign('old')}`);
  const verdictOn = async (texts: string[], asked = claim) => {
    const server = await startStandIn(overHttps(() => ({ answers: texts.map((text) => txt(DOMAIN, text)) })));
    const verdict = await verifierWith({ DOH_URLS: server.baseUrl }).verify(asked);
    await server.close();
    return verdict;
  };

  it.each([
    [[], 'no proof record with uuid'],
    [['v=spf1 -all'], 'no proof record with uuid'],
    [[other], '1 proof record, but none with uuid'],
    [[other, other], '2 proof records, but none with uuid'],
    [['ps:true'], 'ends after "ps": it was cut, perhaps at a semicolon'],
    [[record.slice(0, 100)], 'ends after "sig": it was cut'],
    [record.split(';'), 'all fields belong into one record'],
    [[wrong, record.replace(/sig:[^;]*/, 'sig:no')], 'signature'],
  ])('is told: %j', async (texts, words) => {
    const { reason } = (await verdictOn(texts)) as InvalidVerdict;

    expect(reason).toContain(words);
    expect(reason.includes('can take some minutes')).toBe(/with uuid/.test(words));
    expect(reason).not.toContain('The post');
  });

  it('is nothing where the uuid is written in capitals', async () => {
    expect(await verdictOn([record], { ...claim, uuid: claim.uuid.toUpperCase() })).toMatchObject({ valid: true });
  });
});

describe('DNS over HTTPS', () => {
  const bytes = dnsReplyBytes(writeTxtQuery(DOMAIN), 'https', () => shown)!;

  it('may name its type in capitals and with parameters', async () => {
    const headers = { 'content-type': 'Application/DNS-Message ; charset=binary' };
    const server = await startStandIn(() => ({ bytes, headers }));

    expect(await verifierWith({ DOH_URLS: server.baseUrl }).verify(claim)).toMatchObject({ valid: true });
    await server.close();
  });

  it('needs a resolver', () => {
    expect(verifierWith({ DOH_URLS: ',' }).missingSetting()).toMatch(/DOH_URLS/);
  });

  it.each([
    ['another status', { status: 400, bytes: Buffer.alloc(12) }],
    [
      'the good answer with another status',
      { status: 203, bytes, headers: { 'content-type': 'application/dns-message' } },
    ],
    ['the good answer without a type', { bytes }],
    [
      'another content type',
      {
        bytes: dnsReplyBytes(writeTxtQuery(DOMAIN), 'https', () => shown)!,
        headers: { 'content-type': 'application/dns-json' },
      },
    ],
  ])('says unavailable for %s', async (_how, reply) => {
    const server = await startStandIn(() => reply);

    await expect(verifierWith({ DOH_URLS: server.baseUrl }).verify(claim)).rejects.toThrow(PlatformUnavailableError);
    await server.close();
  });

  it('asks the first two resolvers of the settings', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => startStandIn(overHttps(() => shown))));
    const DOH_URLS = servers.map(({ baseUrl }) => `${baseUrl}/dns-query`).join(',');

    expect(await verifierWith({ DOH_URLS }).verify(claim)).toMatchObject({ valid: true });
    expect(servers.map(({ requests }) => requests.map(({ path }) => path))).toEqual([
      ['/dns-query'],
      ['/dns-query'],
      [],
    ]);
    await Promise.all(servers.map((server) => server.close()));
  });
});

it('costs little, and is asked where its settings say', () => {
  expect(verifierWith({}).costs).toEqual({ rates: { plain: { requests: 50, seconds: 1 } } });
  expect(verifierWith({}).addresses).toEqual({ dohUrls: ['/dns-query'] });
});
