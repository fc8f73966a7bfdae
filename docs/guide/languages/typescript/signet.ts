/**
 * Binds a wallet, looks it up, writes and reads content, and follows the feed of a Signet server.
 *
 *     npm install openapi-fetch viem && npx openapi-typescript http://localhost:3000/openapi.json -o api.d.ts
 *     SIGNET=http://localhost:3000 npx tsx signet.ts
 *
 * AVATAR_SECRET and WALLET_SECRET are private keys in hex (fresh ones by default), AVATAR the public key to act for (by
 * default that of AVATAR_SECRET), and CURSOR the file in which the place in the feed is kept.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import { hexToBytes, type Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { components, paths } from './api.js';

type ErrorBody = components['schemas']['ErrorBody'];

const { SIGNET = 'http://localhost:3000', CURSOR = 'cursor' } = process.env;
const TRIES = 3;

const api = createClient<paths>({
  baseUrl: SIGNET,
  querySerializer: { array: { style: 'form', explode: false } },
});

/** What the server answered: `code` is for programs, the message for people. */
class Refused extends Error {
  readonly code: string;

  constructor({ message, code }: ErrorBody) {
    super(`${message} (${code})`);
    this.code = code;
  }
}

/** What was answered; a refusal is thrown. */
async function answerOf<Data>(call: Promise<{ data?: Data; error?: ErrorBody }>): Promise<NonNullable<Data>> {
  const { data, error } = await call.catch((failure: Error) => {
    throw new Error(`${SIGNET} cannot be reached: ${String(failure.cause ?? failure)}`);
  });
  if (error) throw new Refused(error);
  return data!;
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
  const { uuid, created_at, sign_payload: text } = await answerOf(api.POST('/v1/proof/payload', { body: link }));
  const extra = { signature: await sign(avatar, text), wallet_signature: await sign(wallet, text) };
  await answerOf(api.POST('/v1/proof', { body: { ...link, uuid, created_at, extra } }));
}

async function write(key: string, avatar: PrivateKeyAccount, patch: Record<string, unknown>): Promise<void> {
  const { service_name: platform } = await answerOf(api.GET('/v1/platforms'));
  const entry = { avatar: key, platform, identity: key, patch };
  const { uuid, created_at, sign_payload: text } = await answerOf(api.POST('/v1/kv/payload', { body: entry }));
  const signature = await sign(avatar, text);
  await answerOf(api.POST('/v1/kv', { body: { ...entry, uuid, created_at, signature } }));
}

/** Every link that was recorded since the last call, once. */
async function* follow(): AsyncGenerator<components['schemas']['FeedLink']> {
  let cursor = existsSync(CURSOR) ? Number(readFileSync(CURSOR, 'utf8')) : 0;
  for (;;) {
    const query = { last_id: cursor, count: 100 };
    const { links } = await answerOf(api.GET('/v1/proofchain/changes', { params: { query } }));
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
  const binding = { platform: 'ethereum', identity: [wallet.address], exact: true };
  const { ids } = await answerOf(api.GET('/v1/proof', { params: { query: binding } }));
  console.log(`${wallet.address.toLowerCase()} belongs to ${ids[0]?.avatar}`);

  await againWhenStale(() => write(key, avatar, { name: 'Alice', language: 'TypeScript' }));
  const { proofs } = await answerOf(api.GET('/v1/kv', { params: { query: { avatar: key } } }));
  console.log(`content ${JSON.stringify(proofs[0]?.content)}`);

  console.log(`links ${await count(follow())}, then ${await count(follow())}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Refused ? `The server refused: ${error.message}` : (error as Error).message);
  process.exitCode = 1;
}
