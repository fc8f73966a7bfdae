import { appKeyIn } from '@signet/verify/internal/key-events';
import type { AppKey, KeyState } from '@signet/verify/key-events';
import type { TableColumns } from '../database/table-columns.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { APP_KEYS_TABLE, type AppKeyRow } from '../holds/app-keys.js';
import { KEY_COLUMNS } from './key-rows.js';

interface StoredAppKey extends AppKeyRow {
  avatar: string;
  /** `<algorithm>:0x<hex>`. */
  key: string;
  /** The uuid of the event that added it last. */
  event: string;
}

export const APP_KEY_COLUMNS: TableColumns<StoredAppKey> = KEY_COLUMNS.pick('avatar').and<Omit<StoredAppKey, 'avatar'>>(
  { key: 'text', event: 'uuid', scopes: 'jsonb', origin: 'text', expiresAt: 'timestamptz', revoked: 'uuid' },
);

/** Writes the rows of keys. `source` has the columns of `APP_KEY_COLUMNS`. */
export function saveAppKeysSql(source: string): string {
  return `
  insert into ${APP_KEYS_TABLE} (${APP_KEY_COLUMNS.names}) select ${APP_KEY_COLUMNS.names} from ${source}
  on conflict (avatar, key) do update set event = excluded.event, scopes = excluded.scopes, origin = excluded.origin,
    expires_at = excluded.expires_at, revoked = excluded.revoked`;
}

/** The row of the key that an event names, in the state behind it; none for an event about no such key. */
export function appKeyRowsOf(avatar: string, state: KeyState, fields: object): StoredAppKey[] {
  const { key } = fields as { key?: string };
  const found = key === undefined ? undefined : appKeyIn(state, key);
  return found ? [rowOf(avatar, found)] : [];
}

function rowOf(avatar: string, { key, event, scopes, origin, expires_at: end, revoked }: AppKey): StoredAppKey {
  return { avatar, key, event, scopes, origin, expiresAt: fromUnixSeconds(end), revoked };
}

/** All keys of a state in a text, which that of the rows has to equal. */
export function appKeysText({ appKeys }: KeyState): string {
  const texts = Object.values(appKeys).map(({ key, event, scopes, origin, expires_at: end, revoked }) =>
    [key, event, ...scopes, origin, end, revoked].join(' '),
  );
  return texts.sort().join();
}

/** That text by the rows of the Avatar of `alias`, as an SQL expression. */
export function appKeysTextSql(alias: string): string {
  return `(
    select coalesce(string_agg(text, ',' order by text collate "C"), '') from (
      select concat_ws(' ', key.key, key.event,
        (select string_agg(scope, ' ' order by place) from jsonb_array_elements_text(key.scopes) with ordinality as s(scope, place)),
        coalesce(key.origin, ''), floor(extract(epoch from key.expires_at))::bigint, coalesce(key.revoked::text, '')) as text
      from ${APP_KEYS_TABLE} key where key.avatar = ${alias}.avatar
    ) as keys
  )`;
}
