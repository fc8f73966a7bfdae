/**
 * Which keys this browser is told of: the ids of its subscriptions, which are needed to end them. Kept where the
 * service worker reads it too, which has to move them when the browser is given another address.
 */

const CACHE = 'signet-push';
const KEPT = '/kept';

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
  try {
    const kept = await caches.match(KEPT, { cacheName: CACHE });
    return kept ? ((await kept.json()) as Record<string, KeptPush>) : {};
  } catch {
    // Nothing is kept outside of a secure page, which has no push either, or where a browser forbids it.
    return {};
  }
}

export async function keptPush(avatar: string): Promise<KeptPush | null> {
  const all = await keptPushes();
  return Object.hasOwn(all, avatar) ? all[avatar]! : null;
}

export async function keepPush(avatar: string, kept: KeptPush): Promise<void> {
  await write({ ...(await keptPushes()), [avatar]: kept });
}

/** @returns whether this browser is still told of another key */
export async function forgetPush(avatar: string): Promise<boolean> {
  const others = Object.fromEntries(Object.entries(await keptPushes()).filter(([one]) => one !== avatar));
  await write(others);
  return Object.keys(others).length > 0;
}

async function write(all: Record<string, KeptPush>): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(KEPT, new Response(JSON.stringify(all)));
  } catch {
    // Where a browser keeps nothing, the subscription ends when the person forbids notifications.
  }
}
