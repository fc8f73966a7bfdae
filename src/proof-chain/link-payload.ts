import { linkPayload, type SignedChain } from '@signet/verify';
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
  /** Of a contract wallet. */
  chain?: SignedChain | undefined;
}

/** The text that is signed: see `linkPayload` of the rules. */
export function buildLinkPayload(fields: LinkFields): string {
  const { action, avatar, chain, createdAt, identity, platform, previous, uuid } = fields;
  const created_at = unixSecondsText(createdAt);
  const signed = { action, avatar: avatar.compressed, ...chain, created_at, identity, platform, uuid };
  return linkPayload({ ...signed, prev: previous });
}
