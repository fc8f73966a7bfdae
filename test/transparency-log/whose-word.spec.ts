import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ClientOptions, createClient, type VerificationError, WrongUsageError } from '@signet/sdk';
import { LogMonitor, type MonitorEvent } from '@signet/sdk/log';
import { linkPayload } from '@signet/verify';
import { runHere } from '../../packages/cli/test/terminal.js';
import { type RunningApp, startApp } from '../support/app.js';
import { anAvatar, aWallet, type TestAvatar } from '../support/avatar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { linkWallet } from '../support/scenario.js';
import { headOfRecords } from './log-client.js';
import { tamper } from './tampering.js';

const alice = anAvatar('alice');
const wallet = aWallet('alice');
/** Keys of the operator, who claims the wallet and the account of others. */
const mallory = anAvatar('mallory');
const trudy = anAvatar('trudy');
const CLAIMED = { platform: 'ethereum', identity: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' };
const ACCOUNT = { platform: 'github', identity: 'torvalds' };
const EXTRA = { wallet_signature: Buffer.alloc(65, 7).toString('base64'), chain_id: '1', block_number: '19000000' };

let home: string;
let database: TestDatabase;
let server: RunningApp;

/** Turns the only link of an Avatar into one that its key signed, and that no wallet and no account agreed to. */
async function claim(avatar: TestAvatar, { platform, identity }: typeof CLAIMED, extra: object): Promise<void> {
  const { body } = await server.get(`/v1/proofchain?public_key=${avatar.key.compressed}`);
  const { uuid, created_at } = body.proof_chain[0];
  const fields = { action: 'create', avatar: avatar.key.compressed, platform, identity, prev: null, uuid, created_at };
  const text = linkPayload(fields);
  const named = `platform = '${platform}', identity = '${identity}'`;
  await tamper(
    database.url,
    `update chain_link set ${named}, extra = '${JSON.stringify(extra)}', signature = '${avatar.sign(text)}',
       signature_payload = '${text}' where uuid = '${uuid}'`,
    `update proof set ${named} where avatar = '${avatar.key.compressed}'`,
  );
}

/** The server over the changed database, whose log holds all three links. */
beforeAll(async () => {
  database = await createTestDatabase();
  home = await mkdtemp(path.join(tmpdir(), 'signet-test-'));
  const env = { DATA_DIR: await mkdtemp(path.join(tmpdir(), 'signet-test-')) };
  server = await startApp({ databaseUrl: database.url, env: { ...env, LOG: 'off' } });
  await linkWallet(server, alice, wallet);
  await linkWallet(server, mallory, aWallet('mallory'));
  await linkWallet(server, trudy, aWallet('trudy'));
  await claim(mallory, CLAIMED, EXTRA);
  await claim(trudy, ACCOUNT, {});
  await server.close();
  server = await startApp({ databaseUrl: database.url, env });
  await headOfRecords(server, 3);
});
afterAll(async () => {
  await server?.close();
  await database?.drop();
});

const failure = (promise: Promise<unknown>): Promise<VerificationError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: VerificationError) => error,
  );

describe('a wallet and an account that the operator claims for keys of his', () => {
  const client = (options: Partial<ClientOptions>) => createClient({ baseUrl: server.baseUrl, ...options });

  it.each([false, true])('rest on the server in every look-up of the SDK (demand.log: %s)', async (log) => {
    const { proofs } = client({ demand: { log } });
    const record = log ? 'log' : 'server';
    const shownOf = async (avatar: TestAvatar) => (await proofs.of(avatar.key.compressed))!.proofs[0]!.resting.identity;

    expect(await Promise.all([alice, mallory, trudy].map(shownOf))).toEqual(['wallet', 'server', 'server']);
    const [found] = await proofs.find(CLAIMED).toArray();
    expect(found!.proofs).toMatchObject([
      { ...CLAIMED, is_valid: true, resting: { key: 'signature', record, identity: 'server' } },
    ]);
    const many = await proofs.findMany([ACCOUNT.identity, wallet.address]);
    expect(many.map(({ groups }) => groups[0]!.proofs[0]!.resting.identity)).toEqual(['server', 'wallet']);
    const existing = { platform: 'ethereum', identity: wallet.address, avatar: alice.key.compressed };
    expect(await proofs.exists(existing)).toMatchObject({ is_valid: true, resting: { identity: 'wallet' } });
    expect(await proofs.exists({ ...CLAIMED, avatar: mallory.key.compressed })).toMatchObject({
      is_valid: true,
      resting: { key: 'signature', record, identity: 'server' },
    });
  });

  it('are refused with demand: { here }, by name', async () => {
    const { proofs } = client({ demand: { log: true, here: true } });

    const error = await failure(proofs.exists({ ...CLAIMED, avatar: mallory.key.compressed }));
    expect(error).toMatchObject({ name: 'VerificationError', code: 'not_shown_here' });
    expect(error.message).toBe(`Rests on the word of the server: ethereum "${CLAIMED.identity}".`);
    expect(error.steps).toMatchObject([{ name: 'wallet_signature', state: 'not_checkable' }]);
    const others = [proofs.find(ACCOUNT).toArray(), proofs.of(mallory.key.compressed), proofs.findMany(['torvalds'])];
    for (const other of others) expect((await failure(other)).code).toBe('not_shown_here');
    expect((await proofs.of(alice.key.compressed))!.proofs).toMatchObject([{ resting: { identity: 'wallet' } }]);
  });

  it('rest on the server for a client that trusts it, whatever the server writes there', async () => {
    const fetch = async (...given: Parameters<typeof globalThis.fetch>) => {
      const text = await (await globalThis.fetch(...given)).text();
      return new Response(text.replaceAll('"is_valid"', '"resting":{"identity":"wallet"},"is_valid"'), {
        headers: { 'content-type': 'application/json' },
      });
    };
    const trusting = createClient({ baseUrl: server.baseUrl, trustServer: true, fetch });
    const checking = createClient({ baseUrl: server.baseUrl, fetch });
    const name = { ...CLAIMED, avatar: mallory.key.compressed };
    const onTheServer = { key: 'server', record: 'server', whole: 'server', identity: 'server' };
    const signed = { ...onTheServer, key: 'signature' };

    expect((await trusting.proofs.of(name.avatar))!.proofs[0]!.resting).toMatchObject(onTheServer);
    expect((await trusting.proofs.exists(name))!.resting).toMatchObject(onTheServer);
    expect((await checking.proofs.of(name.avatar))!.proofs[0]!.resting).toMatchObject(signed);
    expect((await checking.proofs.exists(name))!.resting).toMatchObject(signed);
    expect(() => client({ trustServer: true, demand: { here: true } })).toThrow(WrongUsageError);
  });

  it('are told by the monitor without an alarm: the wallet, and not the account, of which that is known', async () => {
    const events: MonitorEvent[] = [];
    for await (const event of new LogMonitor({ baseUrl: server.baseUrl, once: true }).follow()) events.push(event);

    expect(events.filter(({ type }) => type === 'alarm')).toEqual([]);
    expect(events.filter(({ type }) => type === 'by_the_server')).toMatchObject([
      {
        record: CLAIMED,
        entry: { avatar: mallory.key.compressed },
        message: expect.stringContaining('Only the server'),
      },
    ]);
  });

  describe('on the command line', () => {
    const signet = (...words: string[]) => runHere(words, { HOME: home, SIGNET_SERVER: server.baseUrl });
    const claimed = ['exists', 'ethereum', CLAIMED.identity, mallory.key.compressed];

    it('rest on the server in lists, chains and files, and what a wallet signed on the wallet', async () => {
      expect((await signet('proofs', CLAIMED.identity)).text).toMatch(/RESTS ON[^]* valid +server /);
      expect((await signet('proofs', wallet.address)).text).toMatch(/ valid +wallet /);
      expect((await signet(...claimed)).text).toMatch(/rests on +server/);
      expect(JSON.parse((await signet(...claimed, '--json')).text)).toMatchObject({
        resting: { key: 'signature', identity: 'server' },
      });
      expect((await signet('chain', mallory.key.compressed, '--verify')).text).toMatch(/ok +server /);
      expect(JSON.parse((await signet('chain', alice.key.compressed, '--verify', '--json')).text).resting).toEqual({
        identity: 'wallet',
        rel: null,
      });
      const file = path.join(home, 'export.json');
      for (const [avatar, shown] of [
        [trudy, 'server'],
        [mallory, 'server'],
        [alice, 'wallet'],
      ] as const) {
        const { text } = await signet('export', avatar.key.compressed, '--json');
        await writeFile(file, text.split('\n')[0]!);
        expect(JSON.parse((await signet('verify', file, '--json')).text.split('\n')[0]!).bindings[0].resting).toEqual({
          identity: shown,
          rel: null,
        });
        expect((await signet('verify', file)).text).toMatch(new RegExp(` ${shown} +valid`));
      }
    });

    it('are refused with --shown-here, with 1', async () => {
      for (const words of [claimed, ['proofs', CLAIMED.identity], ['proofs', ACCOUNT.identity]]) {
        const refused = await signet(...words, '--shown-here');
        expect(refused.code).toBe(1);
        expect(refused.text).toContain('Rests on the word of the server');
        expect((await signet(...words)).code).toBe(0);
      }
      expect((await signet('proofs', wallet.address, '--shown-here')).code).toBe(0);
    });

    it.each([
      ['log', 'audit'],
      ['monitor', '--once'],
    ])('are told by signet %s', async (...words) => {
      const { code, text } = await signet(...words);

      expect(code).toBe(0);
      expect(text).toMatch(new RegExp(`server +create ethereum ${CLAIMED.identity} .*Only the server says`));
      expect(text).not.toContain('torvalds');
      const lines = (await signet(...words, '--json')).text
        .split('\n')
        .filter((line) => line.includes('by_the_server'));
      expect(lines.map((line) => JSON.parse(line).record.identity)).toEqual([CLAIMED.identity]);
    });
  });
});
