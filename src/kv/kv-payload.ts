import { canonicalJson } from '../crypto/canonical-json.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { unixSeconds } from '../domain/unix-time.js';

/** The fields that an Avatar signs for one patch. */
export interface PatchFields {
  avatar: AvatarKey;
  platform: string;
  /** Canonical identity. */
  identity: string;
  patch: object;
  uuid: string;
  createdAt: Date;
  /** Base64 signature of the Avatar's previous patch, or null for the first. */
  previous: string | null;
}

/**
 * The text that is signed (docs/design/decisions.md 3), canonical JSON:
 * `{"action":"kv","avatar":"0x02…","created_at":1718000000,"identity":"alice","patch":{"name":"Alice"},"platform":"github","prev":null,"uuid":"…"}`.
 */
export function buildKvPayload(fields: PatchFields): string {
  return canonicalJson({
    action: 'kv',
    avatar: fields.avatar.compressed,
    created_at: unixSeconds(fields.createdAt),
    identity: fields.identity,
    patch: fields.patch,
    platform: fields.platform,
    prev: fields.previous,
    uuid: fields.uuid,
  });
}
