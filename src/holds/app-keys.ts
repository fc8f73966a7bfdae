import { type AppKeyRefusal, refusalOfWrite } from '@signet/verify/internal/key-events';
import { KEY_REFUSALS } from '@signet/verify/key-events';
import { ProofRejectedError } from '../domain/domain-errors.js';
import { unixSeconds } from '../domain/unix-time.js';
import type { IdentityName } from '../domain/identity-name.js';

/** The table of keys of apps: a row for each key that an Avatar has added, which follows from its key events. */
export const APP_KEYS_TABLE = 'app_key';

export interface AppKeyRow {
  /** Of the pages on which a passkey signs. */
  origin: string | null;
  scopes: string[];
  expiresAt: Date;
  /** The uuid of the event that revoked it. */
  revoked: string | null;
}

/** What decides about a write by a key of an app. */
export interface AppKeyState {
  /** Null for a key that the Avatar has not added. */
  key: AppKeyRow | null;
  /** By the clock of the database. */
  now: Date;
}

/** Selects a row for each pair of the Avatars `$1` and keys `$2`, in their order, as `toAppKeyState` reads it. */
export const APP_KEYS_SQL = `
  select key.origin, key.scopes, key.expires_at as "expiresAt", key.revoked, clock_timestamp() as now
  from unnest($1::text[], $2::text[]) with ordinality as item(avatar, name, number)
  left join ${APP_KEYS_TABLE} key on key.avatar = item.avatar and key.key = item.name
  order by item.number`;

export function toAppKeyState({ now, ...key }: AppKeyRow & { now: Date }): AppKeyState {
  return { key: key.expiresAt === null ? null : key, now };
}

/**
 * Why a key of an app may not write now (`key_unknown`, `key_revoked`, `key_expired`, `key_out_of_scope`), or null. The
 * time of the text counts, too: it may be that of a clock ahead.
 * @param createdAt of the text; null where there is none yet
 */
export function appKeyError(
  { key, now }: AppKeyState,
  { platform, identity }: IdentityName,
  createdAt: Date | null,
): ProofRejectedError | null {
  const at = Math.max(unixSeconds(now), createdAt ? unixSeconds(createdAt) : 0);
  const said = key ? { scopes: key.scopes, revoked: key.revoked, expires_at: unixSeconds(key.expiresAt) } : undefined;
  const refusal: AppKeyRefusal | null = refusalOfWrite(said, { platform, identity, at });
  return refusal && new ProofRejectedError(KEY_REFUSALS[refusal], refusal);
}
