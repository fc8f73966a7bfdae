import { canonicalJson } from '../crypto/canonical-json.js';
import type { AvatarKey } from '../domain/avatar-key.js';
import { unixSecondsText } from '../domain/unix-time.js';
import type { LinkAction } from './chain-link.entity.js';

/** The fields that an Avatar signs for one link. */
export interface LinkFields {
  action: LinkAction;
  avatar: AvatarKey;
  platform: string;
  /** Canonical identity. */
  identity: string;
  uuid: string;
  createdAt: Date;
  /** Base64 signature of the Avatar's previous link, or null for the first. */
  previous: string | null;
}

/**
 * The text that is signed (docs/design/decisions.md 3), canonical JSON:
 * `{"action":"create","avatar":"0x02…","created_at":"1718000000","identity":"alice","platform":"github","prev":null,"uuid":"…"}`.
 * `avatar` is in it because a wallet's signature over a text without it could be moved to another Avatar by whoever
 * sees it.
 */
export function buildLinkPayload(fields: LinkFields): string {
  return canonicalJson({
    action: fields.action,
    avatar: fields.avatar.compressed,
    created_at: unixSecondsText(fields.createdAt),
    identity: fields.identity,
    platform: fields.platform,
    prev: fields.previous,
    uuid: fields.uuid,
  });
}
