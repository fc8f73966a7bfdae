import type { KeyStatement } from '@signet/verify/key-events';
import { recoveryNamesOf } from '@signet/verify/key-events';
import type { DataSource } from 'typeorm';
import type { Answer, RunningApp } from '../support/app.js';
import type { TestAvatar } from '../support/avatar.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

export const [HOUR, DAY] = [3_600, 86_400];

/** Who signs an event, and what of step 2 a test wants changed. */
export interface SayOptions {
  /** The Avatar when absent. */
  by?: TestAvatar;
  also?: TestAvatar;
  successor?: TestAvatar;
  submit?: Record<string, unknown>;
}

export const keyName = ({ key }: TestAvatar): string => recoveryNamesOf(key.compressed).hash;
export const addressName = ({ key }: TestAvatar): string => recoveryNamesOf(key.compressed).address;

/** Step 1. */
export async function keyPayload(client: Client, avatar: TestAvatar, action: string, fields: object = {}) {
  return client.post('/v1/keys/payload', { avatar: avatar.key.compressed, action, fields });
}

/** The body of step 2. */
export function signedKeyEvent(payload: Answer['body'], avatar: TestAvatar, action: string, options: SayOptions = {}) {
  const { uuid, created_at, fields, sign_payload: text } = payload;
  const { by = avatar, also, successor, submit } = options;
  return {
    ...{ avatar: avatar.key.compressed, action, fields, uuid, created_at, signature: by.sign(text) },
    ...(also && { cosignature: also.sign(text) }),
    ...(successor && { successor_signature: successor.sign(text) }),
    ...submit,
  };
}

/** Both steps; answers what step 2 answered, or step 1 if that refused. */
export async function say(
  client: Client,
  avatar: TestAvatar,
  { action, fields }: { action: KeyStatement['action']; fields?: object },
  options: SayOptions = {},
): Promise<Answer> {
  const payload = await keyPayload(client, avatar, action, fields);
  if (payload.status !== 200) return payload;
  return client.post('/v1/keys', signedKeyEvent(payload.body, avatar, action, options));
}

/** Names recovery keys, by the main key alone. */
export async function commit(client: Client, avatar: TestAvatar, recovery: TestAvatar[], options: SayOptions = {}) {
  return say(client, avatar, { action: 'key.commit', fields: { recovery: recovery.map(keyName) } }, options);
}

/** Names a successor by one key, and by that Avatar itself. */
export async function succeed(client: Client, avatar: TestAvatar, successor: TestAvatar, options: SayOptions = {}) {
  const fields = { successor: successor.key.compressed };
  return say(client, avatar, { action: 'key.succeed', fields }, { successor, ...options });
}

export async function stateOf(client: Client, avatar: TestAvatar): Promise<Answer['body']> {
  return (await client.get(`/v1/keys?avatar=${avatar.key.compressed}`)).body;
}

/** Makes all key events of an Avatar older, as if time had passed. Without a log, whose entries hold the times. */
export async function letPass(source: DataSource, { key }: TestAvatar, seconds: number): Promise<void> {
  const ago = `interval '${seconds} seconds'`;
  await source.query(
    `update key_event set recorded_at = recorded_at - ${ago}, due_at = due_at - ${ago} where avatar = '${key.compressed}'`,
  );
  await source.query(
    `update avatar_hold set frozen_until = frozen_until - ${ago}, succeeded_from = succeeded_from - ${ago},
       settled_until = settled_until - ${ago} where avatar = '${key.compressed}'`,
  );
  await source.query(`update key_deadline set due_at = due_at - ${ago} where avatar = '${key.compressed}'`);
}
