/**
 * What this browser is told by Web Push (src/push/push-message.ts of the service), where a press on it leads, and what
 * happens when the browser is given another address.
 */
import { keptPushes } from '../push/kept-push.js';
import { moveAll, serverKey, subscribedFor } from '../push/subscription.js';

/** What a message says, once the browser has decrypted it. */
interface Told {
  title: string;
  body: string;
  /** Of a message that was sent again it is equal, so that the second takes the place of the first. */
  tag: string;
  lang: string;
  /** Of this page. */
  path: string;
  /** UNIX milliseconds. */
  at: number;
}

/** The parts of a service worker's scope that are used, whose types the page's own do not have. */
interface Scope {
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Pressed) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: Lasting) => void): void;
  registration: { showNotification(title: string, options: object): Promise<void>; pushManager: PushManager };
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<OpenPage[]>;
    openWindow(address: string): Promise<unknown>;
  };
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Pushed extends Lasting {
  data: { json(): unknown } | null;
}
interface Pressed extends Lasting {
  notification: { close(): void; data: unknown };
}
interface OpenPage {
  url: string;
  focus(): Promise<unknown>;
}

const ICON = '/icon-192.png';

export function listenToPushes(): void {
  const scope = globalThis as unknown as Scope;
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, event)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(open(scope, event)));
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAnew(scope)));
}

/**
 * The browser has ended its subscription, or put another one in its place (Push API, 9.4): the server is told the
 * address that there is now. What fails here is made up for when the page of a key is opened.
 */
async function subscribeAnew({ registration: { pushManager } }: Scope): Promise<void> {
  const [kept] = Object.values(await keptPushes());
  if (kept) await moveAll(await subscribedFor(pushManager, await serverKey(kept.server)));
}

/** Browsers end the subscription of a page that shows nothing, so what cannot be read is shown without words. */
async function show({ registration }: Scope, { data }: Pushed): Promise<void> {
  const { title, body, tag, lang, path, at } = readTold(data);
  const options = { body, tag, lang, timestamp: at, data: path, icon: ICON, badge: ICON };
  await registration.showNotification(title, options);
}

function readTold(data: Pushed['data']): Told {
  const nothing: Told = { title: 'Signet', body: '', tag: 'signet', lang: '', path: '/', at: Date.now() };
  try {
    return { ...nothing, ...(data?.json() as Partial<Told> | undefined) };
  } catch {
    return nothing;
  }
}

/** Leads to a page that is open at this address, or opens one: always of this page, whatever a message says. */
async function open({ clients }: Scope, { notification }: Pressed): Promise<void> {
  notification.close();
  const path = typeof notification.data === 'string' ? notification.data : '/';
  const address = new URL(path, location.origin);
  if (address.origin !== location.origin) return;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find(({ url }) => new URL(url).pathname === address.pathname);
  await (shown ? shown.focus() : clients.openWindow(address.href));
}
