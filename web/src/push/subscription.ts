/** The subscription of this browser at its push service, and what the server keeps of it: for page and worker. */
import { keepPush, type KeptPush, keptPushes } from './kept-push.js';

/** What the server is asked with. */
export interface Wanted {
  language: string;
  /** Where the service is. */
  server: string;
}

/** The key of a server for subscriptions. @throws Error with what the server says */
export async function serverKey(server: string): Promise<Uint8Array<ArrayBuffer>> {
  const { public_key: key } = (await asked(server, '')) as { public_key: string };
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The subscription for a key: the present one, or a new one in its place. @throws DOMException of the browser */
export async function subscribedFor(pushManager: PushManager, key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const present = await pushManager.getSubscription();
  if (present && isFor(present, key)) return present;
  await present?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, place) => byte === key[place]);
}

/** Lets the server tell this browser of an Avatar. @throws Error with what the server says */
export async function send(avatar: string, own: PushSubscription, { language, server }: Wanted): Promise<void> {
  const { endpoint, keys } = own.toJSON();
  const body = JSON.stringify({ avatar, endpoint, keys, language });
  const { id } = (await asked(server, '/subscriptions', { method: 'POST', body })) as { id: string };
  await keepPush(avatar, { id, endpoint: own.endpoint, language, server });
}

/** Lets the server tell the present address of all that it told another one. @throws Error with what the server says */
export async function moveAll(own: PushSubscription): Promise<void> {
  for (const [avatar, kept] of Object.entries(await keptPushes())) {
    if (kept.endpoint === own.endpoint) continue;
    await send(avatar, own, kept);
    await remove(kept);
  }
}

/** Whether the server still has one; what it does not answer is no end. */
export async function isThere({ server, id }: KeptPush): Promise<boolean> {
  return (await fetch(addressOf(server, `/subscriptions/${id}`))).status !== 404;
}

/** Ends one at the server; one that is gone already is as good. @throws Error with what the server says */
export async function remove({ server, id }: KeptPush): Promise<void> {
  const answer = await fetch(addressOf(server, `/subscriptions/${id}`), { method: 'DELETE' });
  if (!answer.ok && answer.status !== 404) throw await problemOf(answer);
}

async function asked(server: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(addressOf(server, path), { ...init, headers: { 'Content-Type': 'application/json' } });
  if (!answer.ok) throw await problemOf(answer);
  return answer.json();
}

/** The sentence of the server; something between may answer in another form. */
async function problemOf(answer: Response): Promise<Error> {
  const body = (await answer.json().catch(() => ({}))) as { message?: string };
  return new Error(body.message ?? `${answer.status} ${answer.statusText}`);
}

const addressOf = (server: string, path: string) => `${server}/v1/push${path}`;
