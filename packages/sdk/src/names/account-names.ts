/** Names that can change hands, such as handles on Bluesky: asked for by those names, accounts are found first. */
import type { NamedAccount } from '../answers.js';
import { InvalidRequestError, nullWhereNotFound } from '../errors.js';
import type { Transport } from '../transport.js';

/** Platforms whose identities are not the names that people know, and a sign of such an identity in a text. */
const STAYING_NAMES: Record<string, RegExp> = { bluesky: /did(?::|%3a)/i };

/** Whether what is written names an account by a name that can change hands. */
export function isPassingName(platform: string, written: string): boolean {
  const sign = Object.hasOwn(STAYING_NAMES, platform) ? STAYING_NAMES[platform] : undefined;
  return sign !== undefined && written.trim() !== '' && !sign.test(written);
}

/** `GET /v1/platforms/<platform>/account`; null where the name leads to no account that bears it. */
export function findAccount(
  transport: Transport,
  platform: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<NamedAccount | null> {
  const path = `/v1/platforms/${encodeURIComponent(platform)}/account`;
  return transport.call<NamedAccount>({ path, query: { name }, signal }).catch(nullWhereNotFound);
}

/**
 * The identity that what is written stands for at the moment: by the word of the server, where it is a name that can
 * change hands; everything else is returned as it is.
 * @throws InvalidRequestError (`invalid_identity`) where such a name leads to no account
 */
export async function stayingIdentity(
  transport: Transport,
  platform: string,
  written: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (!isPassingName(platform, written)) return written;
  const account = await findAccount(transport, platform, written, signal);
  if (account) return account.identity;
  const message = `${JSON.stringify(written)} leads to no account on ${platform} that bears this name.`;
  throw new InvalidRequestError(message, { status: 400, code: 'invalid_identity' });
}
