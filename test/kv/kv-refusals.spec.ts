import { DataSource } from 'typeorm';
import { KvService } from '../../src/kv/kv.service.js';
import { bodyWith, kvPayload, readKvChain, submitKv, writeKv } from './kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet, walletPayload } from '../support/scenario.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Asserts a 400 with the shape of every error and this code; answers the message. */
function refused({ status, body }: Answer, code: string): string {
  expect({ status, code: body.code, members: Object.keys(body) }).toEqual({
    status: 400,
    code,
    members: ['message', 'code'],
  });
  return body.message as string;
}

/** Content of the Avatar's first entry, or undefined if it never wrote. */
async function contentOf(avatar: TestAvatar): Promise<unknown> {
  const { body } = await app.get(`/v1/kv?avatar=${avatar.key.compressed}`);
  return body.proofs?.[0].content;
}

/** `depth` objects inside each other. */
function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
}

/** A patch with exactly `bytes` bytes as canonical JSON. */
function sized(bytes: number, name = 'a'): string {
  const frame = Buffer.byteLength(JSON.stringify({ [name]: '' }));
  return JSON.stringify({ [name]: 'x'.repeat(bytes - frame) });
}

describe('a patch that is not a JSON object', () => {
  const PATCHES = ['[]', '[{"a":1}]', '"text"', '1', 'true'];

  it.each(PATCHES)('is refused in both steps: %s', async (patch) => {
    const alice = anAvatar('no object');
    const { body } = await kvPayload(app, alice, '{"a":1}');

    const first = await kvPayload(app, alice, patch);
    const second = await submitKv(app, alice, body, patch);

    expect(refused(first, 'invalid_request')).toBe('patch must be a JSON object.');
    expect(refused(second, 'invalid_request')).toBe('patch must be a JSON object.');
  });

  it('counts as missing when it is null', async () => {
    expect(refused(await kvPayload(app, anAvatar(), 'null'), 'invalid_request')).toBe('patch is missing.');
  });
});

describe('a request without a required member', () => {
  it.each(['avatar', 'platform', 'identity', 'patch'])('is refused at the payload: %s', async (name) => {
    const { key } = anAvatar();
    const body = { avatar: key.compressed, platform: 'self', identity: key.compressed, patch: {}, [name]: undefined };

    expect(refused(await app.post('/v1/kv/payload', body), 'invalid_request')).toBe(`${name} is missing.`);
  });

  it.each(['avatar', 'platform', 'identity', 'patch', 'uuid', 'created_at', 'signature'])(
    'is refused at the submit: %s, whether absent or null',
    async (name) => {
      const alice = anAvatar();
      const { body: payload } = await kvPayload(app, alice, { a: 1 });
      const { uuid, created_at, sign_payload } = payload;
      const body = {
        ...{ avatar: alice.key.compressed, platform: 'self', identity: alice.key.compressed, patch: { a: 1 } },
        ...{ uuid, created_at, signature: alice.sign(sign_payload) },
      };

      for (const value of [undefined, null]) {
        const answer = await app.post('/v1/kv', { ...body, [name]: value });
        expect(refused(answer, 'invalid_request')).toBe(`${name} is missing.`);
      }
    },
  );
});

describe('the limits', () => {
  it('let a patch of 64 KiB pass and no byte more, in both steps', async () => {
    const alice = anAvatar('64 KiB');
    const { body } = await kvPayload(app, alice, { a: 1 });

    const fits = await writeKv(app, anAvatar('64 KiB fits'), sized(65536));
    const payload = await kvPayload(app, alice, sized(65537));
    const submit = await submitKv(app, alice, body, sized(65537));

    expect(fits.status).toBe(201);
    expect(refused(payload, 'patch_too_large')).toMatch(/more than 65536 bytes/);
    expect(refused(submit, 'patch_too_large')).toMatch(/more than 65536 bytes/);
  });

  it('count a patch as canonical JSON, not as it was spelled', async () => {
    const { status } = await kvPayload(app, anAvatar(), `{"a":"${'\\u0041'.repeat(60_000)}"}`);

    expect(status).toBe(200);
  });

  it('let 64 levels pass and not one more', async () => {
    const fits = await writeKv(app, anAvatar('64 levels'), nested(64));
    const tooDeep = await kvPayload(app, anAvatar(), nested(65));

    expect(fits.status).toBe(201);
    expect(refused(tooDeep, 'nesting_too_deep')).toMatch(/more than 64 levels/);
  });

  it('stop a body that is nested so deep that it overflows a recursive walk', async () => {
    refused(await kvPayload(app, anAvatar(), nested(100_000)), 'nesting_too_deep');
  });

  it('stop a body of more than 1 MiB', async () => {
    const { status, body } = await kvPayload(app, anAvatar(), sized(1024 * 1024));

    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  it('let the content of an entry grow to 1 MiB and no byte more', async () => {
    const alice = anAvatar('1 MiB');
    await seedEntry(alice, 'self', alice.key.uncompressed, 1024 * 1024 - 10);

    const fits = await writeKv(app, alice, '{"b":"123"}'); // a comma and nine bytes
    const tooLarge = await writeKv(app, alice, '{"b":"1234"}');

    expect(fits.status).toBe(201);
    expect(refused(tooLarge, 'content_too_large')).toMatch(/1048577 bytes.* 1048576 /);
    expect(await contentOf(alice)).toMatchObject({ b: '123' });
    expect(await readKvChain(app, alice)).toHaveLength(1);
  });

  it('let all content of an Avatar grow to 4 MiB and no byte more', async () => {
    const alice = anAvatar('4 MiB');
    for (let n = 0; n < 4; n++) await seedEntry(alice, 'github', `user-${n}`, 1024 * 1024 - (n === 3 ? 10 : 0));

    const fits = await writeKv(app, alice, '{"b":"12"}');
    const tooLarge = await writeKv(app, alice, '{"b":"123"}');
    const smaller = await writeKv(app, alice, '{"b":null}');

    expect(fits.status).toBe(201);
    expect(refused(tooLarge, 'avatar_content_too_large')).toMatch(/4194305 bytes.* 4194304 /);
    expect(smaller.status).toBe(201);
  });

  it('let an Avatar have 1,000 entries and not one more', async () => {
    const alice = anAvatar('1,000 entries');
    for (let n = 0; n < 999; n++) await seedEntry(alice, 'github', `user-${n}`, 10);

    const fits = await writeKv(app, alice, { a: 1 });
    const tooMany = await writeKv(app, alice, { a: 1 }, { platform: 'github', identity: 'one-more' });
    const changed = await writeKv(app, alice, { a: 2 });

    expect(fits.status).toBe(201);
    expect(refused(tooMany, 'too_many_entries')).toMatch(/1001 entries.* 1000 /);
    expect(changed.status).toBe(201);
  });

  it('are settings of the deployment', async () => {
    const env = {
      KV_MAX_PATCH_BYTES: '100',
      KV_MAX_ENTRY_BYTES: '150',
      KV_MAX_AVATAR_BYTES: '200',
      KV_MAX_DEPTH: '2',
      KV_MAX_ENTRIES: '2',
    };
    const small = await startApp({ env });
    try {
      const alice = anAvatar('settings');
      const write = (patch: string, identity?: string) =>
        writeKv(small, alice, patch, identity ? { platform: 'github', identity } : {});

      expect(refused(await write(sized(101)), 'patch_too_large')).toMatch(/more than 100 bytes/);
      expect(refused(await write(nested(3)), 'nesting_too_deep')).toMatch(/more than 2 levels/);
      expect((await write(sized(100))).status).toBe(201);
      expect(refused(await write(sized(100, 'b')), 'content_too_large')).toMatch(/199 bytes.* 150 /);
      expect((await write(sized(100), 'alice')).status).toBe(201);
      expect(refused(await write('{"b":1}', 'alice'), 'avatar_content_too_large')).toMatch(/206 bytes.* 200 /);
      expect(refused(await write('{}', 'bob'), 'too_many_entries')).toMatch(/3 entries.* 2 /);
    } finally {
      await small.close();
    }
  });
});

describe('what cannot be stored', () => {
  it.each([
    ['U+0000 in a value', '{"a":"x\\u0000y"}', 'unstorable_text'],
    ['U+0000 in a name', '{"a":{"\\u0000":1}}', 'unstorable_text'],
    ['a lone surrogate in a value', '{"a":["\\ud800"]}', 'unstorable_text'],
    ['a lone surrogate in a name', '{"\\udfff":1}', 'unstorable_text'],
    ['the number 1e400', '{"a":1e400}', 'number_out_of_range'],
    ['the number -1e400', '{"a":[-1e400]}', 'number_out_of_range'],
  ])('is refused in both steps: %s', async (_what, patch, code) => {
    const alice = anAvatar('unstorable');
    const { body } = await kvPayload(app, alice, '{"a":1}');

    refused(await kvPayload(app, alice, patch), code);
    refused(await submitKv(app, alice, body, patch), code);
  });

  it.each([
    ['avatar', 'invalid_public_key'],
    ['platform', 'unknown_platform'],
    ['identity', 'invalid_identity'],
  ])('is refused in %s', async (name, code) => {
    const { key } = anAvatar();
    const members = { avatar: key.compressed, platform: 'github', identity: 'alice', [name]: 'a\0\ud800' };

    refused(await app.post('/v1/kv/payload', bodyWith(members, '{}')), code);
  });
});

describe('identities', () => {
  it.each([
    ['another key', anAvatar('mallory').key.compressed],
    ['a name', 'alice'],
    ['half a key', anAvatar('alice').key.compressed.slice(0, 40)],
  ])('of the key itself are the own key alone, not %s', async (_what, identity) => {
    refused(await kvPayload(app, anAvatar('alice'), { a: 1 }, { identity }), 'invalid_identity');
  });

  it.each([
    ['nowhere', 'alice', 'unknown_platform'],
    ['Self', 'alice', 'unknown_platform'],
    ['ethereum', '0x12', 'invalid_identity'],
    ['dotbit', 'alice', 'invalid_identity'],
    ['github', 'x'.repeat(300), 'invalid_identity'],
  ])('that cannot be are refused: %s %s', async (platform, identity, code) => {
    refused(await kvPayload(app, anAvatar(), { a: 1 }, { platform, identity }), code);
  });

  it.each(['0x', 'alice', `0x02${'f'.repeat(64)}`, `0x04${'1'.repeat(128)}`])(
    'refuses the key %s',
    async (avatarText) => {
      refused(await kvPayload(app, anAvatar(), { a: 1 }, { avatarText }), 'invalid_public_key');
    },
  );
});

describe('a submit that differs from the payload', () => {
  const WALLET = aWallet('differs').address;
  const alice = anAvatar('differs');
  const target = { platform: 'ethereum', identity: WALLET };

  async function submitChanged(change: Record<string, unknown>, patch = '{"a":"x"}'): Promise<Answer> {
    const { body } = await kvPayload(app, alice, '{"a":"x"}', target);
    return submitKv(app, alice, body, patch, { ...target, submit: change });
  }

  it.each([
    ['one character of the patch', {}, '{"a":"y"}'],
    ['one more member of the patch', {}, '{"a":"x","b":null}'],
    ['another platform', { platform: 'self', identity: alice.key.compressed }, undefined],
    ['another identity', { identity: aWallet('somebody else').address }, undefined],
    ['another Avatar', { avatar: anAvatar('mallory').key.compressed }, undefined],
    ['another uuid', { uuid: '74913704-0904-4e3a-9fa1-ce6a90be6612' }, undefined],
    ['another time', { created_at: 1718000000 }, undefined],
    ['a time ahead', { created_at: 999_999_999_999 }, undefined],
  ])('is refused: %s', async (_what, change, patch) => {
    refused(await submitChanged(change, patch), 'payload_mismatch');
    expect(await contentOf(alice)).toBeUndefined();
  });

  it('is refused with the uuid of a payload of the proof service', async () => {
    const { body } = await walletPayload(app, alice, aWallet('differs'));

    const answer = await submitChanged({ uuid: body.uuid, created_at: Number(body.created_at) });

    refused(answer, 'payload_mismatch');
  });

  it.each([
    ['uuid', 'no uuid'],
    ['uuid', 5],
    ['created_at', -1],
    ['created_at', 1.5],
    ['created_at', '1718000000.0'],
    ['created_at', '01718000000'],
    ['created_at', ''],
    ['created_at', true],
    ['created_at', [1718000000]],
    ['created_at', 1e18],
    ['signature', ''],
    ['signature', 7],
    ['avatar', 7],
    ['platform', ['ethereum']],
    ['identity', {}],
  ])('is refused for its shape: %s %j', async (name, value) => {
    expect(refused(await submitChanged({ [name]: value }), 'invalid_request')).toContain(name);
  });
});

describe('a signature', () => {
  async function submitSigned(sign: (payload: string) => string): Promise<Answer> {
    const alice = anAvatar('signature');
    const { body } = await kvPayload(app, alice, { a: 1 });
    return submitKv(app, alice, body, { a: 1 }, { submit: { signature: sign(body.sign_payload) } });
  }

  it.each<[string, (payload: string) => string]>([
    ['of another key', (payload) => anAvatar('mallory').sign(payload)],
    ['over another text', (payload) => anAvatar('signature').sign(`${payload}\n`)],
    ['in Base64 without padding', (payload) => anAvatar('signature').sign(payload).replace(/=+$/, '')],
    ['in hex without 0x', (payload) => Buffer.from(anAvatar('signature').sign(payload), 'base64').toString('hex')],
    ['that is too short', (payload) => anAvatar('signature').sign(payload).slice(0, 40)],
    ['of nothing but zeros', () => Buffer.alloc(65).toString('base64')],
  ])('is refused if it is one %s', async (_what, sign) => {
    refused(await submitSigned(sign), 'invalid_signature');
    expect(await contentOf(anAvatar('signature'))).toBeUndefined();
  });

  it('says what was signed where a text was signed by mistake', async () => {
    const answer = await submitSigned((payload) => anAvatar('signature').sign(JSON.stringify(payload)));

    expect(refused(answer, 'invalid_signature')).toContain('over the text as a JSON string');
  });

  it('is taken in hex behind 0x and kept as Base64', async () => {
    const avatar = anAvatar('hex');
    const { body } = await kvPayload(app, avatar, { a: 1 });
    const signature = avatar.sign(body.sign_payload);
    const hex = `0x${Buffer.from(signature, 'base64').toString('hex')}`;

    const answer = await submitKv(app, avatar, body, { a: 1 }, { submit: { signature: hex } });
    const next = await kvPayload(app, avatar, { b: 2 });

    expect(answer.status).toBe(201);
    expect(JSON.parse(next.body.sign_payload)).toMatchObject({ prev: signature });
  });
});

describe('two patches issued on one head', () => {
  it('do not overwrite each other when submitted one after the other', async () => {
    const alice = anAvatar('one head');
    await writeKv(app, alice, { start: 1 });
    const [one, two] = await Promise.all([kvPayload(app, alice, { a: 1 }), kvPayload(app, alice, { b: 2 })]);

    const first = await submitKv(app, alice, one.body, { a: 1 });
    const second = await submitKv(app, alice, two.body, { b: 2 });
    const again = await writeKv(app, alice, { b: 2 });

    expect(first.status).toBe(201);
    refused(second, 'stale_chain');
    expect(again.body.proofs[0].content).toEqual({ start: 1, a: 1, b: 2 });
    expect(await readKvChain(app, alice)).toHaveLength(3);
  });

  it('do not both pass when submitted at once, not even the first two of an Avatar', async () => {
    for (let round = 0; round < 10; round++) {
      const alice = anAvatar(`at once ${round}`);
      const names = ['a', 'b', 'c', 'd'];
      const payloads = await Promise.all(names.map((name) => kvPayload(app, alice, { [name]: 1 })));

      const answers = await Promise.all(
        names.map((name, index) => submitKv(app, alice, payloads[index]!.body, { [name]: 1 })),
      );

      const winner = names[answers.findIndex(({ status }) => status === 201)]!;
      expect(answers.map(({ body }) => body.code ?? 'accepted').sort()).toEqual(
        ['accepted', 'stale_chain', 'stale_chain', 'stale_chain'].sort(),
      );
      expect(await contentOf(alice)).toEqual({ [winner]: 1 });
      expect(await readKvChain(app, alice)).toHaveLength(1);
    }
  });

  it('are told apart from a changed field, also for the very first head', async () => {
    const alice = anAvatar('first head');
    const { body } = await kvPayload(app, alice, { a: 1 });
    await writeKv(app, alice, { b: 1 });

    refused(await submitKv(app, alice, body, { a: 1 }), 'stale_chain');
    refused(await submitKv(app, alice, body, { a: 2 }), 'payload_mismatch');
  });
});

describe('one submit sent twice', () => {
  it('is applied once, one after the other', async () => {
    const alice = anAvatar('twice');
    const { body } = await kvPayload(app, alice, { a: 1 });
    await submitKv(app, alice, body, { a: 1 });

    const second = await submitKv(app, alice, body, { a: 1 });

    refused(second, 'already_recorded');
    expect(await readKvChain(app, alice)).toHaveLength(1);
  });

  it('is applied once at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const alice = anAvatar(`twice at once ${round}`);
      const { body } = await kvPayload(app, alice, { a: 1 });

      const answers = await Promise.all([1, 2, 3].map(() => submitKv(app, alice, body, { a: 1 })));

      expect(answers.map((answer) => answer.body.code ?? 'accepted').sort()).toEqual(
        ['accepted', 'already_recorded', 'already_recorded'].sort(),
      );
      expect(await readKvChain(app, alice)).toHaveLength(1);
    }
  });
});

it('stores nothing of a patch if a part of it cannot be stored', async () => {
  const alice = anAvatar('atomic');
  await writeKv(app, alice, { a: 1 });
  const { body } = await kvPayload(app, alice, { a: 2 });
  const request = {
    ...{ avatar: alice.key.compressed, platform: 'self', identity: alice.key.compressed, patch: { a: 2 } },
    ...{ uuid: body.uuid, created_at: body.created_at, signature: alice.sign(body.sign_payload) },
  };
  const submit = () => app.app.get(KvService).submit(request, new Date());
  const database = app.app.get(DataSource);

  await database.query(`alter table domain_event add constraint broken check (payload->>'uuid' <> '${body.uuid}')`);
  await expect(submit()).rejects.toThrow('broken');
  const [content, { length }] = [await contentOf(alice), await readKvChain(app, alice)];
  await database.query('alter table domain_event drop constraint broken');

  expect(content).toEqual({ a: 1 });
  expect(length).toBe(1);
  await expect(submit()).resolves.toMatchObject({ avatar: alice.key });
  expect(await contentOf(alice)).toEqual({ a: 2 });
});

it('refuses a payload whose time is over, and one from too far ahead', async () => {
  const alice = anAvatar('late');
  const { body } = await kvPayload(app, alice, { a: 1 });
  const request = {
    ...{ avatar: alice.key.compressed, platform: 'self', identity: alice.key.compressed, patch: { a: 1 } },
    ...{ uuid: body.uuid, created_at: body.created_at, signature: alice.sign(body.sign_payload) },
  };
  const submitAt = (seconds: number) =>
    app.app.get(KvService).submit(request, new Date((body.created_at + seconds) * 1000));

  await expect(submitAt(app.environment.PAYLOAD_TTL_SECONDS + 1)).rejects.toMatchObject({ code: 'payload_expired' });
  await expect(submitAt(-301)).rejects.toMatchObject({ code: 'payload_expired' });
  await expect(submitAt(app.environment.PAYLOAD_TTL_SECONDS)).resolves.toMatchObject({ avatar: alice.key });
});

describe('a deployment that asks for a proof first', () => {
  const wallet = aWallet('policy');
  const alice = anAvatar('policy');
  const target = { platform: 'ethereum', identity: wallet.address };
  let strict: RunningApp;

  beforeAll(async () => {
    strict = await startApp({ env: { KV_WRITE_POLICY: 'bound' } });
  });
  afterAll(() => strict.close());

  it('lets everybody write under the own key', async () => {
    expect((await writeKv(strict, alice, { a: 1 })).status).toBe(201);
  });

  it('refuses what is not bound, lets it pass once it is, and refuses again after the delete', async () => {
    const before = await kvPayload(strict, alice, { a: 1 }, target);
    await linkWallet(strict, alice, wallet);
    const bound = await writeKv(strict, alice, { a: 1 }, target);
    const pending = await kvPayload(strict, alice, { a: 2 }, target);
    await linkWallet(strict, alice, wallet, { action: 'delete' });
    const submit = await submitKv(strict, alice, pending.body, { a: 2 }, target);
    const after = await kvPayload(strict, alice, { a: 2 }, target);

    expect(refused(before, 'not_bound')).toContain(wallet.address);
    expect(bound.status).toBe(201);
    expect(bound.body.proofs[0]).toMatchObject({ platform: 'ethereum', content: { a: 1 }, is_bound: true });
    refused(submit, 'not_bound');
    refused(after, 'not_bound');
    expect((await readKvChain(strict, alice)).map((item) => item.platform)).toEqual(['self', 'ethereum']);
  });

  it('takes neither the proof of another Avatar nor one that has become invalid', async () => {
    const mallory = anAvatar('policy mallory');
    await linkWallet(strict, alice, wallet);
    const pending = await kvPayload(strict, alice, { a: 3 }, target);

    refused(await kvPayload(strict, mallory, { a: 1 }, target), 'not_bound');
    await strict.app.get(DataSource).query("update proof set is_valid = false, invalid_reason = 'gone'");
    refused(await kvPayload(strict, alice, { a: 3 }, target), 'not_bound');
    refused(await submitKv(strict, alice, pending.body, { a: 3 }, target), 'not_bound');
  });
});

/** An entry whose content has exactly `bytes` bytes, without the patches that made it. */
async function seedEntry(avatar: TestAvatar, platform: string, identity: string, bytes: number): Promise<void> {
  await app.app
    .get(DataSource)
    .query('insert into kv_entry (avatar, platform, identity, content) values ($1, $2, $3, $4)', [
      avatar.key.compressed,
      platform,
      identity,
      sized(bytes),
    ]);
}
