/** Names that their platform cannot have: nobody holds them, and nothing is asked about them. */
import { findCanonicalName, type Platform } from '@signet/sdk';
import { cleanPasted, holdsPrivateKey } from '@signet/verify/internal';
import type { ComponentChildren } from 'preact';
import { rich, t } from '../i18n/i18n.js';
import { platformName } from '../parts/names.js';
import type { Name } from '../look/holders.js';

/** What addresses of profiles have, and names do not: only a server reads those. */
const IN_ADDRESSES = /[/:]/;
/** Names of accounts are domain names, on Nostr with a name in front. */
const DOMAIN = /^(?:@|([a-z0-9._-]+)@)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i;

/** Whether it takes the form that the server names to tell whether this could be a name. */
export function isDoubtful({ platform, identity }: Name): boolean {
  return findCanonicalName(platform, identity) === null;
}

/** Whether a text is no identity, but can be the name of an account, which can change hands. */
export function isNameOfAccount({ platform, identity }: Name, guide: Platform | undefined): boolean {
  const [isName, user] = DOMAIN.exec(cleanPasted(identity)) ?? [];
  const isOfKind = isName !== undefined && (user === undefined || platform === 'nostr');
  return guide?.has_account_names === true && isOfKind && isDoubtful({ platform, identity });
}

/**
 * Why a text cannot be a name on a platform, as a sentence; null where it can be, or where that is not known here.
 * @param guide what the server says of the platform; undefined for one that it does not have
 */
export function problemOfName({ platform, identity }: Name, guide: Platform | undefined): ComponentChildren | null {
  const text = cleanPasted(identity);
  if (holdsPrivateKey(text)) return t('look.private_key');
  if (!guide || IN_ADDRESSES.test(text) || isNameOfAccount({ platform, identity }, guide)) return null;
  const name = findCanonicalName(platform, text) ?? text.replace(/^@/, '');
  // Of a platform that this version does not know, letter case may not count.
  if (new RegExp(guide.identity_pattern, 'iu').test(name)) return null;
  return rich('look.no_such_name', { platform: platformName(platform), example: <bdi>{guide.identity_example}</bdi> });
}
