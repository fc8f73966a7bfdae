import { type Client, createClient, fromPrivateKey, type Signer } from '@signet/sdk';
import { startPlatforms, type StandInPlatforms } from '../../scripts/demo/stand-in-platforms.mjs';
import { type RunningApp, startApp } from '../support/app.js';
import { until } from '../support/until.js';
import { leadingTo } from '../support/platform-addresses.js';

/** The real service, with stand-ins of the platforms and two people who have bound things. */
export interface Scene {
  running: RunningApp;
  baseUrl: string;
  client: Client;
  platforms: StandInPlatforms;
  /** Holds a GitHub account, a Fediverse account, her own wallet, and has written content and revoked a domain. */
  alice: Signer & { address: string };
  /** Has proved the same GitHub account. */
  bob: Signer & { address: string };
  /** Binds the account of the stand-in. */
  bind(signer: Signer, platform: string): Promise<void>;
  /** Closes what is still open. */
  close(): Promise<void>;
}

/** What both have signed: links and patches. */
const LOGGED = 8;
/** Account of the stand-in for GitHub. */
export const GITHUB = 'alice-demo';

/** Starts the service and makes the bindings; `env` adds settings. */
export async function startScene(env: Record<string, string> = {}): Promise<Scene> {
  const platforms = await startPlatforms({ answersPublish: true });
  const running = await startApp({
    transport: platforms.transport,
    env: { ...platforms.env, ...leadingTo(platforms.baseUrl), ...env },
  });
  const client = createClient({ baseUrl: running.baseUrl });
  const bind = async (signer: Signer, platform: string) => {
    const { identity, location } = platforms.describe(platform);
    const draft = await client.draft({ platform, identity, signer });
    platforms.publish(platform, draft.text(), signer.avatar);
    await draft.submit({ location });
  };
  const [alice, bob] = [7, 9].map((byte) => fromPrivateKey(new Uint8Array(32).fill(byte))) as [
    Scene['alice'],
    Scene['bob'],
  ];
  await bind(bob, 'github');
  for (const platform of ['github', 'dns', 'activitypub']) await bind(alice, platform);
  await client.bind({ platform: 'ethereum', identity: alice.address, signer: alice });
  await client.unbind({ platform: 'dns', identity: platforms.describe('dns').identity, signer: alice });
  const self = { platform: 'self', identity: alice.avatar, signer: alice };
  await client.kv.patch({ ...self, patch: { name: 'Alice', links: ['https://example.com'] } });
  await client.kv.patch({ ...self, patch: { about: 'Writes about seals.' } });
  // A link is in the log a moment after it was recorded.
  await until(async () => (await running.get('/v1/log')).body.size >= LOGGED);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await running.close();
    await platforms.close();
  };
  return { running, baseUrl: running.baseUrl, client, platforms, alice, bob, bind, close };
}
