import { linkPayload, type SignedChain } from '@signet/verify';
import { unixSecondsText } from '../domain/unix-time.js';
import type { NewLink } from './proof-chain.service.js';

/** The fields that an Avatar signs for one link; a chain for a contract wallet. */
export type LinkFields = Pick<
  NewLink,
  'action' | 'avatar' | 'platform' | 'identity' | 'uuid' | 'createdAt' | 'previous'
> & { chain?: SignedChain | undefined };

/** The text that is signed: see `linkPayload` of the rules. */
export function buildLinkPayload(fields: LinkFields): string {
  const { action, avatar, chain, createdAt, identity, platform, previous, uuid } = fields;
  const created_at = unixSecondsText(createdAt);
  const signed = { action, avatar: avatar.compressed, ...chain, created_at, identity, platform, uuid };
  return linkPayload({ ...signed, prev: previous });
}
