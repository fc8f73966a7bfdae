/**
 * Web Push in this browser: it subscribes at its push service for the key of this server (RFC 8292), and the server
 * keeps where to send, and which Avatar it is about. What arrives is shown by the service worker.
 */
import { currentLanguage } from '../i18n/i18n.js';
import { API_URL } from '../shell/service.js';
import { forgetPush, keepPush, keptPush } from './kept-push.js';

/**
 * `install`: iOS shows notifications of installed pages alone; `unsupported`: the browser has no push; `denied`: the
 * person or the browser forbids notifications; `no_service`: the browser did not reach its push service.
 */
export type PushProblem = 'denied' | 'install' | 'no_service' | 'unsupported';

export class PushError extends Error {
  constructor(readonly code: PushProblem) {
    super(code);
  }
}

/** Milliseconds for which a service worker that is not there yet is waited for; private windows have none. */
const WORKER_MS = 10_000;

/**
 * Lets this browser be told of an Avatar.
 * @param asked what the person answers to the question whether notifications may be shown
 * @throws PushError; Error with what the server says
 */
export async function follow(avatar: string, asked: Promise<NotificationPermission>): Promise<void> {
  assertPossible();
  if ((await asked) !== 'granted') throw new PushError('denied');
  const { public_key: key } = await call<{ public_key: string }>('/v1/push');
  await send(avatar, await subscribed(bytesOf(key)));
}

/**
 * Looks after what was subscribed before: the browser may have another address by now, or the person another language.
 * @returns whether this browser is still told of the Avatar
 */
export async function renew(avatar: string): Promise<boolean> {
  const kept = keptPush(avatar);
  if (!kept) return false;
  const own = await (await worker()).pushManager.getSubscription();
  const isThere = own !== null && Notification.permission === 'granted' && (await exists(kept.id));
  if (!isThere) {
    await unfollow(avatar);
    return false;
  }
  if (own.endpoint !== kept.endpoint) await remove(kept.id);
  if (own.endpoint !== kept.endpoint || kept.language !== currentLanguage()) await send(avatar, own);
  return true;
}

/** Ends it, at the server and, with the last Avatar, in the browser. */
export async function unfollow(avatar: string): Promise<void> {
  const kept = keptPush(avatar);
  if (kept) await remove(kept.id);
  if (forgetPush(avatar)) return;
  await (await (await worker()).pushManager.getSubscription())?.unsubscribe();
}

function assertPossible(): void {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return;
  // Safari alone has this member, on iPhone and iPad.
  const isInstalled = (navigator as { standalone?: boolean }).standalone;
  throw new PushError(isInstalled === false ? 'install' : 'unsupported');
}

/** The service worker of the page, once it can show what arrives. @throws PushError */
async function worker(): Promise<ServiceWorkerRegistration> {
  const never = new Promise<never>((_, fail) => setTimeout(() => fail(new PushError('unsupported')), WORKER_MS));
  return Promise.race([navigator.serviceWorker.ready, never]);
}

/** The subscription of this browser for the key of the server, the present one or a new one. @throws PushError */
async function subscribed(key: Uint8Array<ArrayBuffer>): Promise<PushSubscription> {
  const { pushManager } = await worker();
  const present = await pushManager.getSubscription();
  if (present && isFor(present, key)) return present;
  await present?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    throw new PushError((error as Error).name === 'NotAllowedError' ? 'denied' : 'no_service');
  }
}

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return own.length === key.length && own.every((byte, place) => byte === key[place]);
}

async function send(avatar: string, own: PushSubscription): Promise<void> {
  const { endpoint, keys } = own.toJSON();
  const language = currentLanguage();
  const body = JSON.stringify({ avatar, endpoint, keys, language });
  const { id } = await call<{ id: string }>('/v1/push/subscriptions', { method: 'POST', body });
  keepPush(avatar, { id, endpoint: own.endpoint, language });
}

async function exists(id: string): Promise<boolean> {
  const { status } = await fetch(`${API_URL}/v1/push/subscriptions/${id}`);
  return status !== 404;
}

/** One that is gone already is as good. */
async function remove(id: string): Promise<void> {
  await fetch(`${API_URL}/v1/push/subscriptions/${id}`, { method: 'DELETE' });
}

/** @throws Error with the sentence of the server */
async function call<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(API_URL + path, { ...init, headers: { 'Content-Type': 'application/json' } });
  const body = (await answer.json()) as Answer & { message?: string };
  if (!answer.ok) throw new Error(body.message ?? answer.statusText);
  return body;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
