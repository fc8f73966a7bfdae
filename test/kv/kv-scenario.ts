import type { Answer, RunningApp } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

/** Where a patch goes, and what a test wants changed. By default the Avatar writes under its own key. */
export interface WriteOptions {
  platform?: string;
  identity?: string;
  /** Spelling of the key. */
  avatarText?: string;
  /** Members of step 2 to replace; `undefined` leaves a member out. */
  submit?: Record<string, unknown>;
}

/** A patch as a value, or as the JSON text that goes over the wire. */
export type Patch = object | string;

/** A body whose member `patch` is exactly this text; so it may hold duplicate names, `1e400` or `__proto__`. */
export function bodyWith(members: Record<string, unknown>, patch: Patch): string {
  const text = typeof patch === 'string' ? patch : JSON.stringify(patch);
  return `${JSON.stringify(members).slice(0, -1)},"patch":${text}}`;
}

/** Step 1. */
export async function kvPayload(
  client: Client,
  avatar: TestAvatar,
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  return client.post('/v1/kv/payload', bodyWith(targetOf(avatar, options), patch));
}

/** Step 2 with the signature of `avatar` over what step 1 gave. */
export async function submitKv(
  client: Client,
  avatar: TestAvatar,
  payload: Answer['body'],
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  const { uuid, created_at, sign_payload } = payload;
  const members = { ...targetOf(avatar, options), uuid, created_at, signature: avatar.sign(sign_payload) };
  return client.post('/v1/kv', bodyWith({ ...members, ...options.submit }, patch));
}

/** Both steps; answers what step 2 answered, or step 1 if that refused. */
export async function writeKv(
  client: Client,
  avatar: TestAvatar,
  patch: Patch,
  options: WriteOptions = {},
): Promise<Answer> {
  const payload = await kvPayload(client, avatar, patch, options);
  return payload.status === 200 ? submitKv(client, avatar, payload.body, patch, options) : payload;
}

/** The whole chain, read page by page. */
export async function readKvChain(client: Client, avatar: TestAvatar): Promise<Answer['body'][]> {
  const items: Answer['body'][] = [];
  for (let page = 1; page !== 0;) {
    const { body } = await client.get(`/v1/kv/chain?avatar=${avatar.key.compressed}&page=${page}`);
    items.push(...body.kv_chain);
    page = body.pagination.next;
  }
  return items;
}

function targetOf(avatar: TestAvatar, { platform = 'self', identity, avatarText }: WriteOptions) {
  const { compressed, uncompressed } = avatar.key;
  return { avatar: avatarText ?? compressed, platform, identity: identity ?? uncompressed };
}
