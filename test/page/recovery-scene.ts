import { type Client, createClient, fromPrivateKey, type Signer } from '@signet/sdk';
import { recoveryNamesOf } from '@signet/verify/key-events';
import type { Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { startPlatforms, type StandInPlatforms } from '../../scripts/demo/stand-in-platforms.mjs';
import { type RunningApp, startApp } from '../support/app.js';
import { leadingTo } from '../support/platform-addresses.js';
import { shownWords } from './shown.js';

/** The words of the first account of Hardhat and Anvil, which their documents name, and the key of that account. */
export const WORDS = 'test test test test test test test test test test test junk';
export const WORDS_AVATAR = '0x038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75';
const WORDS_PRIVATE_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** As a recovery key. */
export const WORDS_NAME = recoveryNamesOf(WORDS_AVATAR).hash;

/** The key of these words. */
export function wordsSigner(): Signer {
  return fromPrivateKey(Buffer.from(WORDS_PRIVATE_KEY, 'hex'));
}

/** What a browser says where the page asks for the log of a server that keeps none. */
export const NO_LOG = /404 \(Not Found\) \(\S+\/v1\/log\)/;

export const PASSPHRASE = 'correct horse battery';
const DAY_MS = 86_400_000;

/** A person of these tests; the key is as hex too, for a wallet in the page. */
export type Person = Signer & { address: string; hex: string };

/** A person whose key is made of one byte. */
export function aPerson(byte: number): Person {
  const bytes = new Uint8Array(32).fill(byte);
  return { ...fromPrivateKey(bytes), hex: Buffer.from(bytes).toString('hex') };
}

/** The real service without a log, whose entries hold the times of key events, so that time can pass for them. */
export interface RecoveryScene {
  running: RunningApp;
  baseUrl: string;
  client: Client;
  platforms: StandInPlatforms;
  /** Binds the account of the stand-in for a platform. */
  bind(signer: Signer, platform: string): Promise<void>;
  /** Makes all key events of an Avatar older. */
  passDays(avatar: string, days: number): Promise<void>;
  close(): Promise<void>;
}

export async function startRecoveryScene(env: Record<string, string> = {}): Promise<RecoveryScene> {
  const platforms = await startPlatforms({ answersPublish: true });
  const running = await startApp({
    transport: platforms.transport,
    env: { ...platforms.env, ...leadingTo(platforms.baseUrl), LOG: 'off', REVALIDATION: 'off', ...env },
  });
  const client = createClient({ baseUrl: running.baseUrl });
  const source = running.app.get(DataSource);
  return {
    ...{ running, baseUrl: running.baseUrl, client, platforms },
    bind: async (signer, platform) => {
      const { identity, location } = platforms.describe(platform);
      const draft = await client.draft({ platform, identity, signer });
      platforms.publish(platform, draft.text(), signer.avatar);
      await draft.submit({ location });
    },
    passDays: async (avatar, days) => {
      const ago = `interval '${(days * DAY_MS) / 1000} seconds'`;
      const older = (table: string, columns: string[]) =>
        source.query(
          `update ${table} set ${columns.map((name) => `${name} = ${name} - ${ago}`).join(', ')} where avatar = $1`,
          [avatar],
        );
      await older('key_event', ['recorded_at', 'due_at']);
      await older('avatar_hold', ['frozen_until', 'succeeded_from']);
    },
    close: async () => {
      await running.close();
      await platforms.close();
    },
  };
}

/** Presses a button by its name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

/** Types words where they are asked for, and uses them. */
export async function useWords(page: Page, words = WORDS): Promise<void> {
  await page.locator('textarea[name=words]').fill(words);
  await press(page, 'Use this key');
}

/** Makes the key of 12 words that a form offers, as a person does. */
export async function makeKey(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await press(page, 'Make a key');
  await page.locator('.words li').nth(11).waitFor();
  const words = await shownWords(page);
  await press(page, 'I have written them down');
  await typeAskedWords(page, words);
  for (const field of await page.locator('input[type=password]').all()) await field.fill(passphrase);
  await press(page, 'Keep and use this key');
}

/** Types the words that are asked for again. */
export async function typeAskedWords(page: Page, words: string[]): Promise<void> {
  for (const label of await page.locator('.asked-words label').all()) {
    await label.locator('input').fill(words[Number(/\d+/.exec(await label.innerText())![0]) - 1]!);
  }
}
