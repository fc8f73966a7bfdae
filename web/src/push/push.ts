/**
 * Web Push in this browser: it subscribes at its push service for the key of this server (RFC 8292), and the server
 * keeps where to send, and which Avatar it is about. What arrives is shown by the service worker.
 */
import { currentLanguage } from '../i18n/i18n.js';
import { API_URL } from '../shell/service.js';
import { forgetPush, keptPush } from './kept-push.js';
import { isThere, moveAll, remove, send, serverKey, subscribedFor } from './subscription.js';

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
  const own = await subscribed();
  await send(avatar, own, { language: currentLanguage(), server: API_URL });
  await moveAll(own);
}

/**
 * Looks after what was subscribed before: the browser may have another address by now or none, the server another key,
 * the person another language.
 * @returns whether this browser is still told of the Avatar
 * @throws as `follow`
 */
export async function renew(avatar: string): Promise<boolean> {
  const kept = await keptPush(avatar);
  if (!kept) return false;
  const own = Notification.permission === 'granted' ? await subscribed() : null;
  const isMoved = own?.endpoint !== kept.endpoint;
  if (!own || (!isMoved && !(await isThere(kept)))) {
    await unfollow(avatar);
    return false;
  }
  await moveAll(own);
  const language = currentLanguage();
  if (kept.language !== language) await send(avatar, own, { ...kept, language });
  return true;
}

/** Ends it, at the server and, with the last Avatar, in the browser. @throws Error with what the server says */
export async function unfollow(avatar: string): Promise<void> {
  const kept = await keptPush(avatar);
  if (kept) await remove(kept);
  if (await forgetPush(avatar)) return;
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

/** The subscription of this browser for the key that the server has now. @throws PushError; Error as the server says */
async function subscribed(): Promise<PushSubscription> {
  const key = await serverKey(API_URL);
  const { pushManager } = await worker();
  try {
    return await subscribedFor(pushManager, key);
  } catch (error) {
    throw new PushError((error as Error).name === 'NotAllowedError' ? 'denied' : 'no_service');
  }
}
