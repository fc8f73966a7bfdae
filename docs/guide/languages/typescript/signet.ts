/**
 * Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
 *
 *     npm install viem && npx openapi-typescript http://localhost:3000/openapi.json -o api.d.ts
 *     SIGNET=http://localhost:3000 npx tsx signet.ts
 *
 * AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
 * default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hexToBytes, type Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { components } from './api.js';

type Schemas = components['schemas'];

const { SIGNET = 'http://localhost:3000', CURSOR = 'cursor' } = process.env;
const TRIES = 3;

/** What the server answered: `code` is for programs, the message for people. */
class Refused extends Error {
  readonly code: string;

  constructor({ message, code }: Schemas['ErrorBody']) {
    super(`${message} (${code})`);
    this.code = code;
  }
}

/** Posts `body`, or reads where there is none. */
async function call<Answer>(path: string, body?: object): Promise<Answer> {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(SIGNET + path, init).catch((error: Error) => {
    throw new Error(`${SIGNET} cannot be reached: ${String(error.cause ?? error)}`);
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Answer;
  throw new Refused(answer as Schemas['ErrorBody']);
}

/** personal_sign over the text as it came, in Base64. */
async function sign(account: PrivateKeyAccount, message: string): Promise<string> {
  return Buffer.from(hexToBytes(await account.signMessage({ message }))).toString('base64');
}

/** Another program may write for the same Avatar: then what was signed does not follow its chain any more. */
async function againWhenStale<Result>(step: () => Promise<Result>): Promise<Result> {
  for (let tries = TRIES; ; tries -= 1) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'stale_chain' || tries === 1) throw error;
    }
  }
}

async function bind(key: string, avatar: PrivateKeyAccount, wallet: PrivateKeyAccount): Promise<void> {
  const link = { action: 'create' as const, platform: 'ethereum', identity: wallet.address, public_key: key };
  const payload = await call<Schemas['PayloadResponse']>('/v1/proof/payload', link);
  const { uuid, created_at, sign_payload: text } = payload;
  const extra = { signature: await sign(avatar, text), wallet_signature: await sign(wallet, text) };
  await call('/v1/proof', { ...link, uuid, created_at, extra } satisfies Schemas['SubmitRequest']);
}

async function write(key: string, avatar: PrivateKeyAccount, patch: Record<string, unknown>): Promise<void> {
  const { service_name: platform } = await call<Schemas['Platforms']>('/v1/platforms');
  const entry = { avatar: key, platform, identity: key, patch };
  const { uuid, created_at, sign_payload: text } = await call<Schemas['KvPayloadResponse']>('/v1/kv/payload', entry);
  const signature = await sign(avatar, text);
  await call('/v1/kv', { ...entry, uuid, created_at, signature } satisfies Schemas['KvSubmitRequest']);
}

/** Every link that was recorded since the last call, once. */
async function* follow(): AsyncGenerator<Schemas['FeedLink']> {
  let cursor = existsSync(CURSOR) ? Number(readFileSync(CURSOR, 'utf8')) : 0;
  for (;;) {
    const path = `/v1/proofchain/changes?last_id=${cursor}&count=100`;
    const { links } = await call<Schemas['ChangesResponse']>(path);
    yield* links;
    const newest = links.at(-1);
    if (!newest) return;
    cursor = newest.id;
    writeFileSync(CURSOR, String(cursor));
  }
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _ of items) number += 1;
  return number;
}

/** 33 bytes: whether y is odd, and x. */
function compressed({ publicKey }: PrivateKeyAccount): string {
  const isOdd = Number.parseInt(publicKey.at(-1)!, 16) % 2 === 1;
  return `0x${isOdd ? '03' : '02'}${publicKey.slice(4, 68)}`;
}

function accountOf(name: string): PrivateKeyAccount {
  const secret = process.env[name] ?? generatePrivateKey();
  if (!/^0x[0-9a-f]{64}$/i.test(secret)) throw new Error(`${name} is not a private key of 32 bytes in hex behind 0x.`);
  return privateKeyToAccount(secret as Hex);
}

async function main(): Promise<void> {
  const avatar = accountOf('AVATAR_SECRET');
  const wallet = accountOf('WALLET_SECRET');
  const key = process.env['AVATAR'] ?? compressed(avatar);

  await againWhenStale(() => bind(key, avatar, wallet));
  const query = `platform=ethereum&exact=true&identity=${wallet.address}`;
  const { ids } = await call<Schemas['FindProofsResponse']>(`/v1/proof?${query}`);
  console.log(`${wallet.address.toLowerCase()} belongs to ${ids[0]?.avatar}`);

  await againWhenStale(() => write(key, avatar, { name: 'Alice', language: 'TypeScript' }));
  const { proofs } = await call<Schemas['KvResponse']>(`/v1/kv?avatar=${key}`);
  console.log(`content ${JSON.stringify(proofs[0]?.content)}`);

  console.log(`links ${await count(follow())}, then ${await count(follow())}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Refused ? `The server refused: ${error.message}` : (error as Error).message);
  process.exitCode = 1;
}
