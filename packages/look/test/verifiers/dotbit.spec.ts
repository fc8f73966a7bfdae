import { PlatformUnavailableError } from '@signet/look';
import type { ValidVerdict, Verdict } from '../../src/platform-verifier.js';
import { DotbitVerifier } from '../../src/verifiers/dotbit/dotbit.verifier.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';
import {
  jsonReply,
  startStandIn,
  textReply,
  type StandIn,
  type StandInHandler,
  type StandInReply,
} from '../support/stand-in-server.js';
import { describeIdentities } from './describe-forms.js';
import {
  aClaim,
  describePostVerifier,
  postOf,
  refusal,
  verdictEverywhere,
  withVerifier,
  type VerifierUnderTest,
} from './describe-verifier.js';

const RECORDS = '/v2/account/records';
const SERVER_INFO = '/v1/server/info';
const REGISTER_RECORDS = '/register/v1/account/records';

const alice = anAvatar('alice');
/** A verifier for its texts; it is not asked to verify. */
const writer = new DotbitVerifier(aFetcher());
const claim = aClaim({ platform: 'dotbit', identity: 'alice.bit', proofLocation: '' });
const signature = alice.sign(claim.signPayload);
const value = postOf(writer, claim);

const current = jsonReply({
  err_no: 0,
  err_msg: '',
  data: { is_latest_block_number: true, current_block_number: 1, chain: 'mainnet' },
});
const behind = jsonReply({ err_no: 0, err_msg: '', data: { is_latest_block_number: false, current_block_number: 1 } });
const down: StandInReply = { status: 503 };

function failed(err_no: number): StandInReply {
  return jsonReply({ err_no, err_msg: 'something', data: null });
}

function records(...list: unknown[]): StandInReply {
  return jsonReply({ err_no: 0, err_msg: '', data: { account: 'alice.bit', records: list } });
}

/** The chain lets people make no other record for a service (das-register, http_server/handle/edit_records.go). */
function record(text: string, key = 'custom_key.self'): object {
  return { key, label: '', value: text, ttl: '300' };
}

/** An indexer, with the register API below `/register`. */
function indexer(
  answer: StandInReply,
  { info = current, register = down }: { info?: StandInReply; register?: StandInReply } = {},
): StandInHandler {
  return ({ path, method }) => {
    const answers: Record<string, StandInReply> = {
      [RECORDS]: answer,
      [SERVER_INFO]: info,
      [REGISTER_RECORDS]: register,
    };
    return method === 'POST' ? (answers[path] ?? { status: 404 }) : { status: 405 };
  };
}

const suite: VerifierUnderTest = {
  platform: 'dotbit',
  identity: 'alice.bit',
  otherIdentity: 'mallory.bit',
  proofLocation: '',
  create: (web, options) => new DotbitVerifier(web, options),
  browser: (web, options) => new DotbitVerifier(web, options),
  settings: (baseUrl) => ({ DOTBIT_INDEXER_URLS: baseUrl, DOTBIT_REGISTER_API_URL: `${baseUrl}/register` }),
  published:
    ({ author, text }) =>
    (request) => {
      const { account } = JSON.parse(request.body) as { account?: string };
      return indexer(account === author ? records(record(text)) : failed(20007))(request);
    },
  otherForms: {
    'the register API, which splits the key': ({ text }) =>
      indexer(down, { register: records({ key: 'self', type: 'custom_key', label: '', value: text, ttl: '300' }) }),
    'an indexer that writes the code as its SDK reads it': ({ text }) =>
      indexer(jsonReply({ errno: 0, errmsg: '', data: { account: 'alice.bit', records: [record(text)] } })),
  },
  missing: {
    'no such name (20007)': indexer(failed(20007)),
    'a name that is locked (20008)': indexer(failed(20008)),
    'a text that cannot be a name (20006)': indexer(failed(20006)),
    'no records': indexer(records()),
    'no list of records': indexer(jsonReply({ err_no: 0, err_msg: '', data: { account: 'alice.bit', records: null } })),
    'other records': indexer(
      records(record('0x1234', 'address.60'), record(value, 'profile.other'), record(value, 'self')),
    ),
    'an empty answer of the register API': indexer(down, { register: records() }),
  },
};

describePostVerifier(suite);

function check(handler: StandInHandler, variables: Record<string, string> = {}): Promise<Verdict> {
  return verdictEverywhere(suite, handler, claim, variables);
}

describeIdentities(writer, {
  accepted: [
    [' Main#Sub.bit ', 'sub.main.bit'], // docs/design/platforms.md, appendix A
    ['Alice.BIT', 'alice.bit'],
    ['sub.main.bit', 'sub.main.bit'],
    ['https://alice.bit.cc', 'alice.bit'],
    ['alice.bit.cc/?x', 'alice.bit'],
    ['https://d.id/Alice.bit', 'alice.bit'],
    ['https://data.did.id/alice.bit?tab=records#top', 'alice.bit'],
    ['https://d.id/%F0%9F%8D%8E.bit', '🍎.bit'],
    ['中文.bit', '中文.bit'],
    ['👨‍👩‍👧.bit', '👨‍👩‍👧.bit'],
    ['1️⃣-2.bit', '1️⃣-2.bit'],
    [`${'a'.repeat(249)}.bit`, `${'a'.repeat(249)}.bit`],
  ],
  refused: [
    ...[
      '',
      'alice',
      '.bit',
      'bit',
      'alice.bit.',
      'a..bit',
      '.a.bit',
      'alice.eth',
      'al ice.bit',
      'al_ice.bit',
      'a#b#c.bit',
      '#a.bit',
      'a#.bit',
    ],
    ...[
      'alice@x.bit',
      'a/b.bit',
      'a:b.bit',
      'a%2e.bit',
      'a"b.bit',
      'a\u202eb.bit',
      'a\u00a0b.bit',
      'a\u0000.bit',
      'a\ud800.bit',
      'ali\u212ae.bit',
      'al\u0130ce.bit',
    ],
    ...['https://evil.example/alice.bit', 'https://d.id/%zz.bit', `${'a'.repeat(250)}.bit`],
  ],
});

describe('the value to publish', () => {
  it('is the compressed key and the signature', () => {
    expect(writer.postContent(claim)).toEqual({ default: `${alice.key.compressed}:%SIG_BASE64%` });
  });

  it('stands under the key of the settings, else under the name of the service', () => {
    const stepsWith = (variables: Record<string, string>) => {
      return new DotbitVerifier(aFetcher(), optionsIn('dotbit', variables)).guide.steps.join();
    };

    expect(stepsWith({ SERVICE_NAME: 'signet' })).toContain('a custom record with the key signet');
    expect(stepsWith({ SERVICE_NAME: 'signet', DOTBIT_RECORD_KEY: 'proofs' })).toContain('with the key proofs');
    expect(stepsWith({ SERVICE_NAME: 'my-signet' })).toContain('with the key my_signet');
  });
});

describe('the record of a name', () => {
  it('leaves its name and value as evidence', async () => {
    const verdict = (await check(indexer(records(record(value))))) as ValidVerdict;

    expect(verdict.evidence).toMatchObject({ url: 'alice.bit custom_key.self', matchedText: value });
    expect(verdict.accountId).toBeUndefined();
  });

  it.each<[string, object[]]>([
    ['as a profile record', [record(value, 'profile.self')]],
    ['with its key in capitals', [record(value, 'Custom_Key.Self')]],
    ['without 0x', [record(value.slice(2))]],
    ['with the hex in capitals', [record(value.replace(alice.key.compressed, alice.key.compressed.toUpperCase()))]],
    ['with spaces around the colon and a line break', [record(` ${value.replace(':', ' : ')}\n`)]],
    ['in quotes', [record(`"${value}"`)]],
    ['beside what is no record', [null as never, {}, { key: 'custom_key.self' }, record(value)]],
    ['with an empty type', [{ ...record(value), type: '' }]],
    ['with a type of its own', [{ ...record(value, 'self'), type: 'custom_key' }]],
    ['in typographic quotes', [record(`“${value}”`)]],
    ['in base64url', [record(`${alice.key.compressed}:${Buffer.from(signature, 'base64').toString('base64url')}`)]],
    [
      'among those of other Avatars',
      [record(`${anAvatar('bob').key.compressed}:${signature}`), record(value), record('junk')],
    ],
    [
      'after an old one of this Avatar',
      [record(`${alice.key.compressed}:${alice.sign('an older payload')}`), record(value)],
    ],
  ])('is accepted %s', async (_how, list) => {
    expect(await check(indexer(records(...list)))).toMatchObject({ valid: true, signature });
  });

  it('is accepted in the shape of errno', async () => {
    const answer = jsonReply({ errno: 0, errmsg: '', data: { account: 'alice.bit', records: [record(value)] } });

    expect(await check(indexer(answer))).toMatchObject({ valid: true });
  });

  it.each<[string, object[]]>([
    ['has the mark of hex inside of the key', [record(value.slice(2).replace(/^(.{10})/, '$10x'))]],
    ['has another type before its key', [{ ...record(value), type: 'profile' }]],
    ['names another key', [record(`${anAvatar('bob').key.compressed}:${signature}`)]],
    ['has no key before the colon', [record(signature)]],
    ['still holds the placeholder', [record(writer.postContent(claim).default)]],
    ['has a second colon before the signature', [record(`x:${value}`)]],
    ['stands under another key', [record(value, 'profile.selfie'), record(value, 'address.self')]],
    ['comes after twenty wrong ones', [...Array<object>(20).fill(record(`${alice.key.compressed}:no`)), record(value)]],
  ])('is refused when it %s', async (_why, list) => {
    expect(await check(indexer(records(...list)))).toEqual(refusal());
  });

  it.each([
    [
      'signature',
      record(`${alice.key.compressed}:${alice.sign('an older payload')}`),
      record(`${alice.key.compressed}:no`),
    ],
    ['has no record', record(alice.key.compressed)],
  ])('is refused with a reason: %s', async (words, ...list) => {
    const verdict = await check(indexer(records(...list)));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining(words) });
    if (words === 'signature') expect(verdict).toEqual(await check(indexer(records(list[0]))));
  });

  it('stands under the key of the settings', async () => {
    const handler = indexer(records(record(value, 'profile.proofs')));

    expect(await check(handler, { DOTBIT_RECORD_KEY: 'proofs' })).toMatchObject({ valid: true });
    expect(await check(handler)).toEqual(refusal());
  });

  it.each(['custom_key.my_signet', 'profile.my-signet'])(
    'stands under a key that the chain allows where the name of the service has a hyphen: %s',
    async (key) => {
      expect(await check(indexer(records(record(value, key))), { SERVICE_NAME: 'my-signet' })).toMatchObject({
        valid: true,
        evidence: { url: `alice.bit ${key}` },
      });
    },
  );

  it('is missed by both of its names', async () => {
    const verdict = await check(indexer(records()), { SERVICE_NAME: 'my-signet' });

    expect(verdict).toEqual({
      valid: false,
      reason: 'The name alice.bit has no record custom_key.my_signet (or profile.my-signet) for this Avatar key.',
    });
  });
});

describe('an indexer', () => {
  it.each([500, 10000, 10001, 10002, 10003, 30019, 12345])(
    'that answers with error %i is not an answer',
    async (code) => {
      await expect(check(indexer(failed(code)))).rejects.toThrow(PlatformUnavailableError);
    },
  );

  it('that reports an error is not an answer, whatever records it sends along', async () => {
    const answer = jsonReply({ err_no: 30019, err_msg: 'upgrading', data: { records: [record(value)] } });

    await expect(check(indexer(answer))).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, StandInReply]>([
    ['with another status', { ...(records(record(value)) as object), status: 203 }],
    ['without data', jsonReply({ err_no: 0 })],
    ['with records that are no list', jsonReply({ err_no: 0, data: { records: { 0: record(value), length: 1 } } })],
  ])('that answers %s is not an answer', async (_what, answer) => {
    await expect(check(indexer(answer))).rejects.toThrow(PlatformUnavailableError);
  });

  it.each<[string, StandInReply]>([
    ['has no data', jsonReply({ err_no: 0, data: null })],
    ['is behind the chain', behind],
    ['does not say whether it is current', jsonReply({ err_no: 0, data: {} })],
    ['does not answer that question', { status: 404 }],
  ])('is not believed about what is missing when it %s', async (_why, info) => {
    await expect(check(indexer(failed(20007), { info }))).rejects.toThrow(PlatformUnavailableError);
    await expect(check(indexer(failed(20008), { info }))).rejects.toThrow(PlatformUnavailableError);
    await expect(check(indexer(records(), { info }))).rejects.toThrow(PlatformUnavailableError);
  });

  it('is believed about a good record even when it is behind the chain', async () => {
    expect(await check(indexer(records(record(value)), { info: behind }))).toMatchObject({ valid: true });
  });

  it('is asked for the canonical name', async () => {
    await withVerifier(suite, indexer(records(record(value))), async ({ verifier, standIn }) => {
      await verifier.verify(claim);

      expect(standIn.requests).toEqual([
        expect.objectContaining({ method: 'POST', path: RECORDS, body: '{"account":"alice.bit"}' }),
      ]);
      expect(standIn.requests[0]!.headers['content-type']).toBe('application/json');
    });
  });
});

describe('several sources', () => {
  const servers: StandIn[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  /** Asks a first indexer, and a second one that answers with `second`. */
  async function checkBoth(first: StandInHandler, second: StandInHandler): Promise<Verdict> {
    const other = await startStandIn(second);
    servers.push(other);
    const settings = (baseUrl: string) => ({
      ...suite.settings(baseUrl),
      DOTBIT_INDEXER_URLS: `${baseUrl}, ${other.baseUrl}`,
    });
    return withVerifier({ ...suite, settings }, first, ({ verifier }) => verifier.verify(claim));
  }

  it.each<[string, StandInHandler]>([
    ['is down', indexer(down)],
    ['has an error', indexer(failed(10002))],
    ['is behind', indexer(records(), { info: behind })],
    ['hangs', () => 'hang'],
    ['answers with HTML', () => textReply('<html></html>', 200, 'text/html')],
  ])('lead to the second indexer when the first %s', async (_why, first) => {
    expect(await checkBoth(first, indexer(records(record(value))))).toMatchObject({ valid: true });
    expect(await checkBoth(first, indexer(failed(20007)))).toEqual(refusal());
  });

  it('end with the first usable answer', async () => {
    expect(await checkBoth(indexer(failed(20007)), indexer(records(record(value))))).toEqual(refusal());
    expect(servers[0]!.requests).toEqual([]);
  });

  it('lead to the register API when no indexer answers, in its own shape', async () => {
    const register = records({ key: 'self', type: 'custom_key', label: '', value, ttl: '300' });

    await withVerifier(suite, indexer(down, { register }), async ({ verifier, standIn }) => {
      expect(await verifier.verify(claim)).toMatchObject({ valid: true, signature });
      expect(standIn.requests.at(-1)).toMatchObject({ path: REGISTER_RECORDS, body: '{"account":"alice.bit"}' });
    });
  });

  it('say unavailable when none answers', async () => {
    await expect(check(indexer(down))).rejects.toThrow(PlatformUnavailableError);
  });

  it('may be the register API alone, with a slash behind its address', async () => {
    const settings = (baseUrl: string) => ({
      DOTBIT_INDEXER_URLS: ',',
      DOTBIT_REGISTER_API_URL: `${baseUrl}/register/`,
    });
    const handler = indexer(down, { register: records(record(value)) });

    const verdict = await withVerifier({ ...suite, settings }, handler, ({ verifier }) => verifier.verify(claim));

    expect(verdict).toMatchObject({ valid: true, signature });
  });
});

it('costs two requests for a check, and is asked where its settings say', () => {
  expect(writer.costs).toEqual({ rates: { plain: { requests: 10, seconds: 1 } }, requestsPerCheck: 2 });
  expect(writer.addresses).toEqual({ indexers: [''], registerApi: '' });
});
