/**
 * Which keys this browser is told of: the ids of its subscriptions, which are needed to end them. Kept where the
 * service worker reads it too, which has to move them when the browser is given another address. Each has an entry of
 * its own, so that no window writes over what another one has kept.
 */

const CACHE = 'signet-push';
const PREFIX = '/kept/';

/** A subscription as it was made. */
export interface KeptPush {
  id: string;
  /** The browser may be given another address later. */
  endpoint: string;
  language: string;
  /** Where the service is that tells. */
  server: string;
}

/** All of them, by Avatar. */
export async function keptPushes(): Promise<Record<string, KeptPush>> {
  const all: Record<string, KeptPush> = {};
  for (const avatar of await avatars()) {
    const kept = await keptPush(avatar);
    if (kept) all[avatar] = kept;
  }
  return all;
}

export async function keptPush(avatar: string): Promise<KeptPush | null> {
  try {
    const kept = await caches.match(PREFIX + avatar, { cacheName: CACHE });
    return kept ? ((await kept.json()) as KeptPush) : null;
  } catch {
    // Nothing is kept outside of a secure page, which has no push either, or where a browser forbids it.
    return null;
  }
}

export async function keepPush(avatar: string, kept: KeptPush): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(PREFIX + avatar, new Response(JSON.stringify(kept)));
  } catch {
    // Where a browser keeps nothing, the subscription ends when the person forbids notifications.
  }
}

/** @returns whether this browser is still told of another key */
export async function forgetPush(avatar: string): Promise<boolean> {
  try {
    await (await caches.open(CACHE)).delete(PREFIX + avatar);
  } catch {
    return false;
  }
  return (await avatars()).length > 0;
}

async function avatars(): Promise<string[]> {
  try {
    const kept = await (await caches.open(CACHE)).keys();
    return kept.map(({ url }) => new URL(url).pathname.slice(PREFIX.length));
  } catch {
    return [];
  }
}
