/** Names that can change hands, such as handles on Bluesky and names of Nostr at domains: accounts are found first. */
import type { Transport } from '../transport.js';

/** Platforms whose identities are not the names that people know, and a sign of such an identity in a text. */
const STAYING_NAMES: Record<string, RegExp> = { bluesky: /did(?::|%3a)/i, nostr: /npub1/i };

/** Whether what is written names an account by a name that can change hands. */
export function isPassingName(platform: string, written: string): boolean {
  const sign = Object.hasOwn(STAYING_NAMES, platform) ? STAYING_NAMES[platform] : undefined;
  return sign !== undefined && written.trim() !== '' && !sign.test(written);
}

/**
 * The identity that what is written stands for at the moment: by the word of the server, where it is a name that can
 * change hands; everything else is returned as it is.
 * @throws InvalidRequestError (`invalid_identity`) where such a name leads to no account, and for a private key,
 *   which is sent to nobody
 */
export async function stayingIdentity(
  transport: Transport,
  platform: string,
  written: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (!isPassingName(platform, written)) return written;
  const { findIdentity } = await import('./find-account.js');
  return findIdentity(transport, platform, written, signal);
}

/** What names a binding, with the account in the place of a name that can change hands. @throws as `stayingIdentity` */
export async function stayingName<Name extends { platform: string; identity: string }>(
  transport: Transport,
  name: Name,
  signal: AbortSignal | undefined,
): Promise<Name> {
  return { ...name, identity: await stayingIdentity(transport, name.platform, name.identity, signal) };
}
