import { verifyKeyChain } from '@signet/verify/key-events';
import { DataSource } from 'typeorm';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { writeKv } from '../kv/kv-scenario.js';
import { type Answer, type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkWallet } from '../support/scenario.js';
import {
  addressName,
  commit,
  DAY,
  HOUR,
  keyName,
  keyPayload,
  letPass,
  say,
  signedKeyEvent,
  stateOf,
  succeed,
} from './key-scenario.js';

/** What a thief and an owner do, over HTTP and with real signatures; docs/keys.md says what must come of it. */
describe('attacks on the keys of an Avatar', () => {
  let server: RunningApp;
  let source: DataSource;
  let count = 0;
  const [paper, phone, thief, next] = ['words on paper', 'a phone', 'a thief', 'the next key'].map((name) =>
    anAvatar(name),
  ) as [TestAvatar, TestAvatar, TestAvatar, TestAvatar];

  beforeAll(async () => {
    server = await startApp({ env: { LOG: 'off' } });
    source = server.app.get(DataSource);
  });
  afterAll(() => server?.close());
  afterEach(async () => {
    const { keys } = (await server.get('/v1/keys/changes?last_id=0&count=100')).body as { keys: { avatar: string }[] };
    for (const avatar of new Set(keys.map((event) => event.avatar))) {
      const chain = (await server.get(`/v1/keys/chain?avatar=${avatar}`)).body;
      expect(verifyKeyChain(chain.keys, { avatar })).toMatchObject({ ok: true });
    }
  });

  /** An Avatar of its own with a link, and these recovery keys in force. */
  const owner = async (...recovery: TestAvatar[]): Promise<TestAvatar> => {
    const avatar = anAvatar(`owner ${(count += 1)}`);
    if (recovery.length > 0) expect((await commit(server, avatar, recovery)).status).toBe(201);
    expect((await linkWallet(server, avatar, aWallet(`wallet ${count}`))).status).toBe(201);
    return avatar;
  };
  const codeOf = ({ status, body }: Answer) => (status === 400 ? body.code : status);
  const veto = (avatar: TestAvatar, { body }: Answer, by: TestAvatar) =>
    say(server, avatar, { action: 'key.veto', fields: { event: body.key_event.uuid } }, { by });

  it('a stranger is refused without the lock that the writes of all wait for', async () => {
    const alice = await owner(paper);

    const refused = await source.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.append]);
      return say(server, alice, { action: 'key.freeze', fields: {} }, { by: thief });
    });

    expect(codeOf(refused)).toBe('key_not_committed');
  });

  it('a thief of the main key cannot replace the recovery keys before their owner vetoes', async () => {
    const alice = await owner(paper);

    const theft = await commit(server, alice, [thief]);
    const before = await stateOf(server, alice);
    const vetoed = await veto(alice, theft, paper);
    await letPass(source, alice, 4 * DAY);

    expect(theft.body.key_event.due_at - theft.body.key_event.recorded_at).toBe(72 * HOUR);
    expect(before).toMatchObject({
      pending: [{ action: 'key.commit', signer: 'main', fields: { recovery: [keyName(thief)] } }],
    });
    expect(vetoed.status).toBe(201);
    expect(await stateOf(server, alice)).toMatchObject({ pending: [], committed: { recovery: [keyName(paper)] } });
    // The main key was stopped.
    expect(codeOf(await succeed(server, alice, thief))).toBe('key_rests');
  });

  it('a thief who succeeds to a key of their own only freezes, and is replaced by the owner', async () => {
    const alice = await owner(paper, phone);

    const theft = await succeed(server, alice, thief);
    const frozen = await writeKv(server, alice, { name: 'Eve' });
    const again = await succeed(server, alice, thief);
    const rescue = await succeed(server, alice, next, { by: phone });
    const late = await succeed(server, alice, thief);
    await letPass(source, alice, 72 * HOUR);

    expect([theft, again, rescue, late, frozen].map(codeOf)).toEqual([
      201,
      'already_pending',
      201,
      'already_pending',
      'avatar_frozen',
    ]);
    expect(await stateOf(server, alice)).toMatchObject({ succession: { successor: next.key.compressed } });
    expect(codeOf(await linkWallet(server, alice, aWallet('late')))).toBe('avatar_succeeded');
    expect(codeOf(await say(server, alice, { action: 'key.freeze' }, { by: paper }))).toBe('avatar_succeeded');
  });

  it('a thief of a low recovery key is vetoed by a higher one, and has to wait for 30 days', async () => {
    const alice = await owner(paper, phone);

    const theft = await succeed(server, alice, thief, { by: phone });
    const tooLow = await veto(alice, theft, alice);
    const vetoed = await veto(alice, theft, paper);
    const again = await succeed(server, alice, thief, { by: phone });
    await letPass(source, alice, 30 * DAY - 60);
    const early = await say(server, alice, { action: 'key.freeze' }, { by: phone });
    await letPass(source, alice, 61);
    const later = await say(server, alice, { action: 'key.freeze' }, { by: phone });

    expect([theft, tooLow, vetoed, again, early, later].map(codeOf)).toEqual([
      ...[201, 'key_too_low', 201, 'key_rests', 'key_rests', 201],
    ]);
  });

  it('the thief of the only recovery key wins after the delay, as the page says', async () => {
    const alice = await owner(paper);

    const theft = await succeed(server, alice, thief, { by: paper });
    const vetoed = await veto(alice, theft, alice);
    await letPass(source, alice, 72 * HOUR);

    expect([theft, vetoed].map(codeOf)).toEqual([201, 'key_too_low']);
    expect(await stateOf(server, alice)).toMatchObject({ succession: { successor: thief.key.compressed } });
  });

  it('where nothing is committed, thief and owner can only stop each other', async () => {
    const alice = await owner();

    const theft = await succeed(server, alice, thief);
    const vetoed = await veto(alice, theft, alice);
    const again = await succeed(server, alice, thief);
    const own = await commit(server, alice, [paper]);
    await letPass(source, alice, 72 * HOUR);

    expect([theft, vetoed, again, own].map(codeOf)).toEqual([201, 201, 'key_rests', 201]);
    expect(await stateOf(server, alice)).toMatchObject({ committed: { recovery: [keyName(paper)] }, pending: [] });
  });

  it('a veto is in time until the second before, and not at the second at which the event is due', async () => {
    const alice = await owner(paper);
    const theft = await succeed(server, alice, thief);

    await letPass(source, alice, 72 * HOUR - 30);
    const payload = await keyPayload(server, alice, 'key.veto', { event: theft.body.key_event.uuid });
    const body = signedKeyEvent(payload.body, alice, 'key.veto', { by: paper });
    await letPass(source, alice, 30);
    const late = await server.post('/v1/keys', body);

    expect(codeOf(late)).toBe('avatar_succeeded');
  });

  it('a nuisance freeze is ended by a higher key, and does not come again', async () => {
    const alice = await owner(paper, phone);

    const frozen = await say(server, alice, { action: 'key.freeze' });
    const held = await writeKv(server, alice, { name: 'Alice' });
    const thawed = await say(server, alice, { action: 'key.thaw' }, { by: phone });
    const written = await writeKv(server, alice, { name: 'Alice' });
    const again = await say(server, alice, { action: 'key.freeze' });

    expect([frozen, held, thawed, written, again].map(codeOf)).toEqual([201, 'avatar_frozen', 201, 201, 'key_rests']);
  });

  it('a freeze of the main key ends by itself after seven days, without a job', async () => {
    const alice = await owner(paper);
    await say(server, alice, { action: 'key.freeze' });

    await letPass(source, alice, 7 * DAY);

    expect(await stateOf(server, alice)).toMatchObject({ is_frozen: false, freeze: null });
    expect((await linkWallet(server, alice, aWallet('after a week'))).status).toBe(201);
  });

  it('signatures of others, for others and of others kinds are refused', async () => {
    const [alice, bob] = [await owner(paper), await owner(paper)];
    const stranger = await say(server, alice, { action: 'key.freeze' }, { by: thief });
    const payload = (await keyPayload(server, alice, 'key.freeze')).body;
    const signed = signedKeyEvent(payload, alice, 'key.freeze');
    const moved = await server.post('/v1/keys', { ...signed, avatar: bob.key.compressed });
    const another = await server.post('/v1/keys', { ...signed, action: 'key.thaw' });
    const taken = await server.post('/v1/keys', signed);
    const twice = await server.post('/v1/keys', signed);
    const unsigned = await succeed(server, alice, next, { successor: thief });
    const alone = await succeed(server, alice, next, { submit: { successor_signature: undefined } });
    const contract = await succeed(server, alice, next, { submit: { signature: `0x${'ab'.repeat(97)}` } });

    expect([stranger, moved, another, taken, twice, unsigned, alone, contract].map(codeOf)).toEqual([
      ...['key_not_committed', 'payload_mismatch', 'payload_mismatch', 201, 'already_recorded', 'invalid_signature'],
      ...['invalid_key_event', 'invalid_signature'],
    ]);
    expect(contract.body.message).toMatch(/contract wallets do not make/);
  });

  it('two events on one head are one event, and a stale payload', async () => {
    const alice = await owner(paper);
    const payloads = await Promise.all(['a', 'b', 'c'].map(() => keyPayload(server, alice, 'key.freeze')));
    const answers = await Promise.all(
      payloads.map(({ body }) => server.post('/v1/keys', signedKeyEvent(body, alice, 'key.freeze'))),
    );

    expect(answers.map(codeOf).sort()).toEqual([201, 'stale_chain', 'stale_chain']);
  });

  it('a commit names neither the main key itself nor anything that is no key', async () => {
    const alice = await owner();
    const say1 = (recovery: unknown[]) => keyPayload(server, alice, 'key.commit', { recovery });

    expect(codeOf(await commit(server, alice, [alice]))).toBe('own_recovery_key');
    const own = { action: 'key.commit' as const, fields: { recovery: [addressName(alice)] } };
    expect(codeOf(await say(server, alice, own))).toBe('own_recovery_key');
    expect(codeOf(await succeed(server, alice, alice))).toBe('own_successor');
    for (const wrong of [[], ['words'], [keyName(paper), keyName(paper)], [1, 2, 3, 4, 5, 6], [{ a: 1 }]]) {
      expect(codeOf(await say1(wrong))).toBe('invalid_key_event');
    }
  });

  it('a wallet can be a recovery key, named by its address', async () => {
    const alice = anAvatar('owner with a wallet');
    await say(server, alice, { action: 'key.commit', fields: { recovery: [addressName(paper)], delay_hours: 24 } });

    const frozen = await say(server, alice, { action: 'key.freeze' }, { by: paper });

    expect(frozen.body.key_event).toMatchObject({ signer: addressName(paper) });
  });

  it('successions make no loop, and at most sixteen are in a row', async () => {
    const row = Array.from({ length: 18 }, (_, place) => anAvatar(`in a row ${place}`));
    const codes = [];
    for (const [place, avatar] of row.slice(0, 17).entries()) {
      codes.push(codeOf(await succeed(server, avatar, row[place + 1]!)));
    }
    const [one, two, three] = ['loop 1', 'loop 2', 'loop 3'].map((name) => anAvatar(name)) as [
      TestAvatar,
      TestAvatar,
      TestAvatar,
    ];
    const loop = [
      await succeed(server, one, two),
      await succeed(server, two, three),
      await succeed(server, three, one),
      await succeed(server, anAvatar('loop 4'), three),
    ];

    expect(codes).toEqual([...Array(16).fill(201), 'too_many_successions']);
    expect(loop.map(codeOf)).toEqual([201, 201, 'succession_loop', 201]);
  });
});
