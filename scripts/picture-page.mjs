/**
 * Takes the picture of the page in the README, docs/images/page.png, from a server and platforms of the demo's own: a
 * key with a few bindings, as Chromium shows it. To be run again when the page looks different. Needs a Chromium
 * (CHROMIUM_PATH, by default /usr/bin/chromium).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient, fromPrivateKey } from '@signet/sdk';
import { chromium } from 'playwright-core';
import { startOwnServer } from './demo/own-server.mjs';
import { startPlatforms } from './demo/stand-in-platforms.mjs';

/** @import { StandInPlatforms } from './demo/stand-in-platforms.mjs' */

const PICTURE = fileURLToPath(new URL('../docs/images/page.png', import.meta.url));
const SIZE = { width: 900, height: 640 };
const LINKS = 4;

/**
 * Binds accounts and a wallet to a key, so that the page has bindings to show.
 * @param {string} baseUrl
 * @param {StandInPlatforms} platforms
 * @returns the key
 */
async function fill(baseUrl, platforms) {
  const client = createClient({ baseUrl });
  const alice = fromPrivateKey(new Uint8Array(32).fill(7));
  await client.bind({ platform: 'ethereum', identity: alice.address, signer: alice });
  for (const platform of ['dns', 'activitypub', 'github']) {
    const { identity, location } = platforms.describe(platform);
    const draft = await client.draft({ platform, identity, signer: alice });
    platforms.publish(platform, draft.text(), alice.avatar);
    await draft.submit({ location });
  }
  const { patches } = JSON.parse(readFileSync(new URL('../web/public/example.json', import.meta.url), 'utf8'));
  const { picture } = patches[0].patch.profile;
  const profile = { name: 'Alice', about: 'Builds bridges between accounts.', picture };
  await client.kv.patch({ platform: 'self', identity: alice.avatar, signer: alice, patch: { profile } });
  return alice.avatar;
}

/** @param {string} url */
async function take(url) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE, locale: 'en', colorScheme: 'light' });
    await page.goto(url);
    // A link is in the log a moment after it was recorded.
    await page.getByRole('heading', { name: 'Alice', exact: true }).waitFor();
    await page.getByText(`${LINKS} of ${LINKS} found in the public log`).waitFor();
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
}

const platforms = await startPlatforms({ answersPublish: true });
const server = await startOwnServer(platforms.env, platforms.transport, platforms.baseUrl);
try {
  await take(`${server.baseUrl}/a/${await fill(server.baseUrl, platforms)}`);
  console.log(`${PICTURE} is as the page is now.`);
} finally {
  await server.close();
  await platforms.close();
}
