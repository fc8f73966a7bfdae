import { PlatformMisconfiguredError, PlatformUnavailableError } from '@signet/look';
import type { ValidVerdict, Verdict } from '../../src/platform-verifier.js';
import { KeybaseVerifier } from '../../src/verifiers/keybase.verifier.js';
import { aFetcher, optionsIn } from '../support/fetcher.js';
import { anAvatar } from '../support/avatar.js';
import {
  jsonReply,
  textReply,
  type PlainReply,
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

const ACCOUNT_ID = '0123456789abcdef0123456789abcd00';
const PROBE = '/keybase/public/operator/probe.txt';
const LOOKUP = '/_/api/1.0/user/lookup.json';

const alice = anAvatar('alice');
/** A verifier for its texts; it is not asked to verify. */
const writer = new KeybaseVerifier(aFetcher());
const claim = aClaim({ platform: 'keybase', identity: 'alice', proofLocation: '' });
const document = postOf(writer, claim);
const key = alice.key.compressed;

const absent: PlainReply = textReply('no such file', 404);
const known = lookup([{ id: ACCOUNT_ID, basics: { username: 'alice' } }]);

/** `user/lookup.json` as Keybase answers it: HTTP 200 for errors too. */
function lookup(them: unknown, code = 0): PlainReply {
  return jsonReply({ status: { code, name: code === 0 ? 'OK' : 'INPUT_ERROR' }, them });
}

/** A gateway that serves `files` by their path below `/keybase/public/`, and the API of Keybase beside it. */
function gateway(
  files: Record<string, StandInReply>,
  { api = known, probe = textReply('mounted') }: { api?: StandInReply; probe?: StandInReply } = {},
): StandInHandler {
  return ({ path }) => {
    if (path === LOOKUP) return api;
    return path === PROBE ? probe : (files[path.replace('/keybase/public/', '')] ?? absent);
  };
}

const suite: VerifierUnderTest = {
  platform: 'keybase',
  identity: 'alice',
  otherIdentity: 'mallory',
  proofLocation: '',
  accountId: ACCOUNT_ID,
  create: (web, options) => new KeybaseVerifier(web, options),
  browser: (web, options) => new KeybaseVerifier(web, options),
  settings: (baseUrl) => ({
    KEYBASE_FILE_URL_TEMPLATE: `${baseUrl}/keybase/public/{username}/self/{pubkey}.{ext}`,
    KEYBASE_PROBE_URL: `${baseUrl}${PROBE}`,
    KEYBASE_API_BASE: baseUrl,
  }),
  published: ({ author, text, avatar }) => gateway({ [`${author}/self/${avatar.compressed}.txt`]: textReply(text) }),
  absenceIsNo: { signature: 'docs/design/platforms.md 2: the signature in the file is the proof itself' },
  missing: {
    'no file, while the probe file is there': gateway({}),
    'a file for another key': gateway({
      [`alice/self/${anAvatar('mallory').key.compressed}.txt`]: textReply(document),
    }),
    'a 410': ({ path }) => (path === PROBE ? textReply('mounted') : { status: 410 }),
  },
};

describePostVerifier(suite);

function check(handler: StandInHandler, variables: Record<string, string> = {}): Promise<Verdict> {
  return verdictEverywhere(suite, handler, claim, variables);
}

const atFirstPlace = (text: string): StandInHandler => gateway({ [`alice/self/${key}.txt`]: textReply(text) });

describeIdentities(writer, {
  accepted: [
    ['Alice', 'alice'],
    [' a1 ', 'a1'],
    ['alice_b_', 'alice_b_'],
    ['https://keybase.io/Alice/', 'alice'],
    ['keybase://public/alice', 'alice'],
    ['http://keybase.io/alice', 'alice'],
    ['keybase.io/alice', 'alice'],
  ],
  refused: [
    '',
    'a',
    'a'.repeat(17),
    '_alice',
    'al__ice',
    'alice@twitter',
    'https://evil.example/keybase.io/alice',
    'xkeybase.io/alice',
    'alice,bob',
    'alice#bob',
    'al-ice',
    '../x',
    'keybase.io/a/b',
    '{ext}',
    'mi\u212ae',
  ],
});

describe('the public file', () => {
  it.each([[`${key}.txt`], [`${key.slice(2)}.txt`], [`${key}.json`], [`${key.slice(2)}.json`]])(
    'is found as %s',
    async (name) => {
      const verdict = (await check(gateway({ [`alice/self/${name}`]: textReply(document) }))) as ValidVerdict;

      expect(verdict).toMatchObject({ valid: true, accountId: ACCOUNT_ID, signature: alice.sign(claim.signPayload) });
      expect(verdict.evidence).toMatchObject({ url: `keybase://public/alice/self/${name}`, matchedText: document });
    },
  );

  it('counts under its second name when an old one has the first', async () => {
    const old = document.replace(alice.sign(claim.signPayload), alice.sign('an older payload'));
    const files = {
      [`alice/self/${key}.txt`]: textReply(old),
      [`alice/self/${key}.json`]: jsonReply(JSON.parse(document)),
    };

    expect(await check(gateway(files))).toMatchObject({ valid: true });
  });

  it('is found by a template without {ext}', async () => {
    const handler = gateway({ [`alice/${key}`]: textReply(document) });

    const verdict = await withVerifier(
      {
        ...suite,
        settings: (baseUrl) => ({
          ...suite.settings(baseUrl),
          KEYBASE_FILE_URL_TEMPLATE: `${baseUrl}/keybase/public/{username}/{pubkey}`,
        }),
      },
      handler,
      ({ verifier }) => verifier.verify(claim),
    );

    expect(verdict).toMatchObject({ valid: true });
  });

  it('is asked for once under each of its addresses', async () => {
    const paths = async (template: string) => {
      const settings = (baseUrl: string) => ({
        ...suite.settings(baseUrl),
        KEYBASE_FILE_URL_TEMPLATE: `${baseUrl}/keybase/public/{username}/${template}`,
      });
      return withVerifier({ ...suite, settings }, gateway({}), async ({ verifier, standIn }) => {
        await verifier.verify(claim);
        return standIn.requests.map(({ path }) => path.replace('/keybase/public/alice/', ''));
      });
    };
    const bare = key.slice(2);

    expect(await paths('{pubkey}')).toEqual([key, bare, PROBE]);
    expect(await paths('{pubkey}.{ext}')).toEqual([`${key}.txt`, `${bare}.txt`, `${key}.json`, `${bare}.json`, PROBE]);
  });

  it.each<[string, StandInReply]>([
    ['a page of something in front of the gateway', textReply(document, 200, 'TEXT/HTML; charset=utf-8')],
    ['a file that breaks off behind blanks', textReply(`\n ${document.slice(0, -3)}`)],
  ])('is unavailable when there is %s', async (_what, reply) => {
    await expect(check(gateway({ [`alice/self/${key}.txt`]: reply }))).rejects.toThrow(PlatformUnavailableError);
  });

  it('needs no content type', async () => {
    const reply = { bytes: Buffer.from(document) };

    expect(await check(gateway({ [`alice/self/${key}.txt`]: reply }))).toMatchObject({ valid: true });
  });

  it.each([
    ['with a byte order mark and CRLF', `\ufeff${document.replaceAll('\n', '\r\n')}`],
    ['with typographic quotes', document.replaceAll('"', '“')],
    ['with persona in place of avatar', document.replace('"avatar"', '"persona"')],
    ['with the key in capitals', document.replace(`"avatar": "${key}"`, `"avatar": "${key.toUpperCase()}"`)],
    [
      'with blanks around the username',
      document.replace('"keybase_username": "alice"', '"keybase_username": " alice "'),
    ],
    ['with the username in capitals', document.replace('"keybase_username": "alice"', '"keybase_username": "Alice"')],
  ])('is accepted %s', async (_how, text) => {
    expect(await check(atFirstPlace(text))).toMatchObject({ valid: true });
  });

  it.each([
    ['names another key', document.replace(`"avatar": "${key}"`, `"avatar": "${anAvatar('mallory').key.compressed}"`)],
    ['names another user', document.replace('"keybase_username": "alice"', '"keybase_username": "mallory"')],
    ['holds another signature', document.replace(alice.sign(claim.signPayload), alice.sign('another payload'))],
    ['is some other text', `Sig: ${alice.sign(claim.signPayload)}`],
    ['is empty', ''],
  ])('is refused when it %s', async (_why, text) => {
    expect(await check(atFirstPlace(text))).toEqual(refusal());
  });

  it.each([
    ['names another Keybase user', document.replace('"keybase_username": "alice"', '"keybase_username": "mallory"')],
    ['is not the JSON document', 'some other text'],
  ])('is refused with the reason that it %s, whether the folders are seen or not', async (words, text) => {
    const verdict = await check(gateway({ [`alice/self/${key}.txt`]: textReply(text) }, { probe: absent }));

    expect(verdict).toEqual({ valid: false, reason: expect.stringContaining(words) });
  });

  it.each([
    ['Avatar key', document.replace('"avatar"', '"key"')],
    ['Keybase user', document.replace('"keybase_username"', '"github_username"')],
  ])('is no answer while it names no %s', async (what, text) => {
    await expect(check(atFirstPlace(text))).rejects.toThrow(`The public file names no ${what}`);
  });

  it('is unavailable while it breaks off', async () => {
    await expect(check(atFirstPlace(document.slice(0, -3)))).rejects.toThrow(PlatformUnavailableError);
  });

  it('is not read beyond 64 KiB', async () => {
    const verdict = check(atFirstPlace(document + ' '.repeat(64 * 1024)), { OUTBOUND_MAX_BYTES: '1000000' });

    await expect(verdict).rejects.toThrow(PlatformUnavailableError);
  });
});

describe('an absent file', () => {
  it.each<[string, StandInReply]>([
    ['the probe file is absent too, so the folders are away', absent],
    ['the probe file cannot be read', { status: 500 }],
    ['the gateway cuts the connection', 'cut'],
  ])('is unavailable when %s', async (_why, probe) => {
    await expect(check(gateway({}, { probe }))).rejects.toThrow(PlatformUnavailableError);
  });

  it('is unavailable when the operator has named no probe file', async () => {
    await expect(check(gateway({}), { KEYBASE_PROBE_URL: '' })).rejects.toThrow(/cannot tell/);
  });

  it.each([403, 401, 500, 301])('is not concluded from a %i', async (status) => {
    await expect(check(gateway({ [`alice/self/${key}.txt`]: { status } }))).rejects.toThrow(PlatformUnavailableError);
  });
});

describe('the account behind a good file', () => {
  const good = { [`alice/self/${key}.txt`]: textReply(document) };

  it('is found in the letter case of Keybase', async () => {
    const api = lookup([{ id: ACCOUNT_ID, basics: { username: 'Alice' } }]);

    expect(await check(gateway(good, { api }))).toMatchObject({ valid: true, accountId: ACCOUNT_ID });
  });

  it('is gone when Keybase knows no such user', async () => {
    expect(await check(gateway(good, { api: lookup([null]) }))).toEqual(refusal());
  });

  it.each<[string, StandInReply]>([
    ['with an input error', lookup(undefined, 100)],
    ['with nobody', lookup([])],
    ['with two users', lookup([null, null])],
    ['with another user', lookup([{ id: ACCOUNT_ID, basics: { username: 'mallory' } }])],
    ['with no id', lookup([{ basics: { username: 'alice' } }])],
    ['with an id that is a number', lookup([{ id: 5, basics: { username: 'alice' } }])],
    ['with an id that is not hex', lookup([{ id: 'me', basics: { username: 'alice' } }])],
    ['with an id that is too long', lookup([{ id: '0'.repeat(65), basics: { username: 'alice' } }])],
    ['with a user without a name', lookup([{ id: ACCOUNT_ID }])],
    ['with a list that is an object', lookup({ 0: { id: ACCOUNT_ID, basics: { username: 'alice' } }, length: 1 })],
    ['with a 404', jsonReply({}, 404)],
    ['with the user and a 404', { ...known, status: 404 }],
    ['with a 502', textReply('bad gateway', 502)],
    ['with HTML', textReply('<html></html>', 200, 'text/html')],
  ])('is unavailable when the API answers %s', async (_how, api) => {
    await expect(check(gateway(good, { api }))).rejects.toThrow(PlatformUnavailableError);
  });

  it('is asked for by its name', async () => {
    await withVerifier(suite, gateway(good), async ({ verifier, standIn }) => {
      await verifier.verify(claim);

      const { path, query } = standIn.requests.at(-1)!;
      expect([path, query.get('usernames'), query.get('fields')]).toEqual([LOOKUP, 'alice', 'basics']);
    });
  });
});

describe('without a gateway', () => {
  it('says which setting is missing, and asks nobody', async () => {
    expect(writer.missingSetting()).toMatch(/KEYBASE_FILE_URL_TEMPLATE/);
    await expect(writer.verify(claim)).rejects.toThrow(PlatformMisconfiguredError);
  });

  it('is switched on by one', () => {
    const configured = optionsIn('keybase', suite.settings('http://127.0.0.1'));

    expect(new KeybaseVerifier(aFetcher(), configured).missingSetting()).toBeNull();
  });

  it('names the folder of this deployment to people', () => {
    expect(new KeybaseVerifier(aFetcher(), { serviceName: 'signet' }).guide.steps.join()).toContain(
      '/keybase/public/<your username>/signet/0x',
    );
  });
});

it('costs two requests for a check, and is asked where its settings say', () => {
  expect(writer.costs).toEqual({ rates: { plain: { requests: 10, seconds: 1 } }, requestsPerCheck: 2 });
  expect(writer.addresses).toEqual({
    fileUrl: '/keybase/{username}/{pubkey}.{ext}',
    probeUrl: '/keybase/probe',
    apiBase: '',
  });
});
