/** Names that can change hands, such as handles on Bluesky and names of Nostr at domains: accounts are found first. */
import type { NamedAccount } from '../answers.js';
import { InvalidRequestError, nullWhereNotFound } from '../errors.js';
import type { Transport } from '../transport.js';

/** Platforms whose identities are not the names that people know, and a sign of such an identity in a text. */
const STAYING_NAMES: Record<string, RegExp> = { bluesky: /did(?::|%3a)/i, nostr: /npub1/i };
/** A private key of Nostr, which a person may take for the name of the key. */
const PRIVATE_KEY = /nsec1/i;

/** Whether what is written names an account by a name that can change hands. */
export function isPassingName(platform: string, written: string): boolean {
  const sign = Object.hasOwn(STAYING_NAMES, platform) ? STAYING_NAMES[platform] : undefined;
  return sign !== undefined && written.trim() !== '' && !sign.test(written);
}

/**
 * `GET /v1/platforms/<platform>/account`; null where the name leads to no account that bears it.
 * @throws InvalidRequestError (`invalid_identity`) for a private key, which is sent to nobody
 */
export async function findAccount(
  transport: Transport,
  platform: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<NamedAccount | null> {
  refusePrivateKey(platform, name);
  const path = `/v1/platforms/${encodeURIComponent(platform)}/account`;
  return transport.call<NamedAccount>({ path, query: { name }, signal }).catch(nullWhereNotFound);
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
  refusePrivateKey(platform, written);
  if (!isPassingName(platform, written)) return written;
  const account = await findAccount(transport, platform, written, signal);
  if (account) return account.identity;
  throw refused(`${JSON.stringify(written)} leads to no account on ${platform} that bears this name.`);
}

function refusePrivateKey(platform: string, written: string): void {
  if (platform === 'nostr' && PRIVATE_KEY.test(written)) {
    throw refused('This is a private key: show it to nobody.');
  }
}

function refused(message: string): InvalidRequestError {
  return new InvalidRequestError(message, { status: 400, code: 'invalid_identity' });
}
