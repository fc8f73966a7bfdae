import { patchPayload } from '@signet/verify';
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

/** The text that is signed: see `patchPayload` of the rules. */
export function buildKvPayload({ avatar, createdAt, previous, ...fields }: PatchFields): string {
  return patchPayload({
    ...fields,
    avatar: avatar.compressed,
    created_at: unixSeconds(createdAt),
    prev: previous,
  });
}
