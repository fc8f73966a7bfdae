import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { EventSource } from 'undici';
import { describeUnless, itUnless, type Lack } from '../../packages/verify/test/support/unless.js';
import { startPlatforms } from '../../scripts/demo/stand-in-platforms.mjs';
import { type RunningApp, startApp } from '../support/app.js';
import { linkPayload, verifyWallet } from '@signet/verify';
import { aNostrKey, anAvatar, aSolanaWallet, aWallet } from '../support/avatar.js';
import { lackOf, lackOfAny } from '../support/lacks.js';
import { leadingTo } from '../support/platform-addresses.js';
import { linkWallet } from '../support/scenario.js';
import { startStandIn } from '../../packages/look/test/support/stand-in-server.js';
import { isLongRun } from '../support/tier.js';
import { until } from '../support/until.js';
import { BLOCKS, blockNamed, PAGES } from './guide-blocks.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Inside the repository, so that scripts of the guides find its packages. */
const CACHE = path.join(ROOT, '.cache');
const ADMIN_TOKEN = 'playground-admin-token-0000';

const vector = JSON.parse(blockNamed('vector')) as Record<string, string>;

let folder: string;
let world: Awaited<ReturnType<typeof startPlatforms>>;
let app: RunningApp;

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(path.join(CACHE, 'guide-'));
  for (const { language, name, text } of BLOCKS) {
    if (['js', 'python', 'go'].includes(language)) writeFileSync(path.join(folder, name), text);
  }
  world = await startPlatforms({ answersPublish: true });
  const env = { ...leadingTo(world.baseUrl), ...world.env, ADMIN_TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' };
  app = await startApp({ env, transport: world.transport });
});
afterAll(async () => {
  await app?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the command prints. @throws Error with its error output if it ends with another code than 0 */
async function run(command: string, words: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, words, { cwd: folder, env: { ...process.env, ...env } });
  return stdout.trim();
}

const loaded = <T>(name: string): Promise<T> => import(path.join(folder, name)) as Promise<T>;

describe('the guides', () => {
  it('have only blocks that these tests know how to run', () => {
    const unknown = BLOCKS.filter(
      ({ language, name }) =>
        !['sh', 'json', 'text', 'console', 'tsx'].includes(language) &&
        !(['js', 'python', 'go'].includes(language) && name !== ''),
    );

    expect(BLOCKS.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  describeUnless(lackOfAny(['bash', 'curl', 'jq']), 'have commands', () => {
    it.each(PAGES)('on %s that work one after the other', async (page) => {
      const commands = BLOCKS.filter((block) => block.page === page && block.language === 'sh').map(({ text }) => text);
      const script = path.join(folder, `${page}.sh`);
      writeFileSync(script, `set -euo pipefail\n${commands.join('\n')}`);

      const env = { SIGNET: app.baseUrl, PLATFORMS: world.baseUrl, ADMIN_TOKEN };
      await expect(run('bash', [script], env)).resolves.toEqual(expect.any(String));
    });
  });

  it('show JSON that is JSON', () => {
    for (const { text } of BLOCKS.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
  });
});

describe('the vector of the guide', () => {
  it('fits together, after the published vectors and another library', () => {
    const published = JSON.parse(readFileSync(path.join(ROOT, 'test/vectors/personal-sign.json'), 'utf8')) as {
      records: { id: string; hash: string; signature: string; signature_hex: string; public_key: string }[];
    };
    const record = published.records.find(({ id }) => id === 'hello-world')!;
    const length = Buffer.byteLength(vector['text']!);

    expect(privateKeyToAccount(vector['private_key'] as `0x${string}`).address.toLowerCase()).toBe(vector['address']);
    expect(vector['signed_bytes']).toBe(
      `0x${Buffer.from(`\x19Ethereum Signed Message:\n${length}${vector['text']}`, 'latin1').toString('hex')}`,
    );
    expect(hashMessage(vector['text']!)).toBe(vector['hash']);
    expect(vector).toMatchObject({
      hash: record.hash,
      signature: record.signature_hex,
      signature_base64: record.signature,
      public_key: record.public_key,
    });
  });

  const signers: [name: string, command: string, words: string[], lack: () => Lack][] = [
    ['viem', process.execPath, ['sign.mjs'], () => null],
    ['ethers', process.execPath, ['sign-ethers.mjs'], () => null],
  ];
  if (isLongRun) {
    const library = 'github.com/decred/dcrd/dcrec/secp256k1/v4';
    signers.push(['Python', 'python3', ['sign.py'], () => lackOf('python3', ['-c', 'import eth_account'])]);
    signers.push(['Go', 'go', ['run', 'sign.go'], () => lackOf('go', ['list', library])]);
  }
  for (const [name, command, words, lack] of signers) {
    itUnless(lack(), `is what the signer for ${name} gives`, async () => {
      expect(await run(command, [...words, vector['private_key']!, vector['text']!])).toBe(vector['signature_base64']);
    });
  }

  it('is not what Phantom gives, which signs the bytes themselves', async () => {
    const wallet = aSolanaWallet();
    const provider = {
      signMessage: (bytes: Uint8Array) =>
        Promise.resolve({ signature: Buffer.from(wallet.sign(Buffer.from(bytes).toString()), 'base64') }),
    };
    const { signWithPhantom } = await loaded<{
      signWithPhantom(wallet: typeof provider, text: string): Promise<string>;
    }>('phantom.mjs');

    expect(await signWithPhantom(provider, 'hello world')).toBe(wallet.sign('hello world'));
  });

  it('is that of an event on Nostr', async () => {
    const key = aNostrKey();
    const text = linkPayload({
      ...{ action: 'create', avatar: anAvatar().key.compressed, platform: 'nostr', identity: key.npub, prev: null },
      ...{ created_at: '1718000000', uuid: '6f1c0f3e-0000-4000-8000-000000000000' },
    });
    const provider = {
      signEvent: (event: { content: string }) => Promise.resolve(key.event(event.content, event)),
    };
    const { signWithNostr } = await loaded<{
      signWithNostr(extension: typeof provider, payload: object): Promise<string>;
    }>('nostr.mjs');

    const wallet_signature = await signWithNostr(provider, { sign_payload: text, created_at: '1718000000' });
    const claim = { platform: 'nostr', identity: key.npub, text, extra: { wallet_signature } };
    expect(verifyWallet(claim).state).toBe('ok');
  });
});

describe('a wallet as Avatar', () => {
  it('gives its public key away by one signature', async () => {
    const account = privateKeyToAccount(vector['private_key'] as `0x${string}`);
    const { avatarOf } = await loaded<{
      avatarOf(sign: (message: string) => Promise<string>, origin: string): Promise<string>;
    }>('wallet-as-avatar.mjs');

    const avatar = await avatarOf((message) => account.signMessage({ message }), 'https://dapp.example');

    expect(avatar).toBe(vector['public_key']);
  });

  it('can be made from new words, too', async () => {
    const { words, publicKey, privateKey } = JSON.parse(await run(process.execPath, ['new-avatar.mjs'])) as Record<
      string,
      string
    >;

    expect(words!.split(' ')).toHaveLength(12);
    expect(publicKey).toMatch(/^0x0[23][0-9a-f]{64}$/);
    expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe('the reader of the stream', () => {
  it('opens it again where EventSource gives up, and misses nothing', async () => {
    const refusing = await startStandIn(() => ({ status: 502, body: 'bad gateway' }));
    const { follow } = await loaded<{
      follow(url: string, types: string[], onEvent: (event: { uuid: string }) => void, options: object): () => void;
    }>('follow.mjs');
    const opened: string[] = [];
    const sources: EventSource[] = [];
    // The second time it is a proxy that answers.
    class FlakyEventSource extends EventSource {
      constructor(address: URL) {
        super(opened.length === 1 ? `${refusing.baseUrl}/v1/events` : address);
        opened.push(address.search);
        sources.push(this);
      }
    }
    const seen: string[] = [];
    const stop = follow(`${app.baseUrl}/v1/events`, ['proof.bound'], ({ uuid }) => seen.push(uuid), {
      EventSource: FlakyEventSource,
      pauseMs: 50,
    });
    try {
      await until(() => sources[0]?.readyState === 1);
      await linkWallet(app, anAvatar('reader'), aWallet('reader one'));
      await until(() => seen.length === 1);

      sources[0]!.close();
      sources[0]!.dispatchEvent(new Event('error'));
      await linkWallet(app, anAvatar('reader'), aWallet('reader two'));
      await until(() => seen.length === 2);

      expect(opened.length).toBeGreaterThanOrEqual(3);
      expect(opened[2]).toMatch(/^\?after=\d+$/);
      expect(new Set(seen).size).toBe(2);
    } finally {
      stop();
      await refusing.close();
    }
  });
});
