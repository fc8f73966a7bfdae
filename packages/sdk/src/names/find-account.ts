/** The account behind a name that can change hands: loaded when such a name is asked for. */
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import type { NamedAccount } from '../answers.js';
import { InvalidRequestError, nullWhereNotFound, SignetError } from '../errors.js';
import type { Transport } from '../transport.js';

/** An account has two names and a time. */
const MAX_ACCOUNT_BYTES = 64 * 1024;
/** A private key of Nostr, which a person may take for the name of the key. */
const PRIVATE_KEY = /nsec1/i;

/**
 * `GET /v1/platforms/<platform>/account`; null where the name leads to no account that bears it.
 * @throws SignetError (`invalid_answer`) for an answer that can be no account of this name; InvalidRequestError
 *   (`invalid_identity`) for a private key, which is sent to nobody
 */
export async function findAccount(
  transport: Transport,
  platform: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<NamedAccount | null> {
  if (platform === 'nostr' && PRIVATE_KEY.test(name)) throw refused('This is a private key: show it to nobody.');
  const path = `/v1/platforms/${encodeURIComponent(platform)}/account`;
  const call = { path, query: { name }, maxBytes: MAX_ACCOUNT_BYTES, signal };
  const account = await transport.call<NamedAccount>(call).catch(nullWhereNotFound);
  if (!account || isAccountOf(account, platform, name)) return account;
  throw new SignetError(`What the server answers is no account on ${platform}.`, { code: 'invalid_answer' });
}

/** Whether it may be: that a name leads to an account is the server's word, and an identity is itself. */
function isAccountOf({ platform, identity, name, checked_at: at }: NamedAccount, asked: string, text: string): boolean {
  if (platform !== asked || [identity, name, at].some((member: unknown) => typeof member !== 'string')) return false;
  const canonical = findCanonicalName(platform, text) ?? findCanonicalName(platform, identity);
  return identity === canonical || !Object.hasOwn(NAME_PATTERNS, platform);
}

/** The identity of the account. @throws InvalidRequestError (`invalid_identity`) where the name leads to none */
export async function findIdentity(
  transport: Transport,
  platform: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const account = await findAccount(transport, platform, name, signal);
  if (account) return account.identity;
  throw refused(`${JSON.stringify(name)} leads to no account on ${platform} that bears this name.`);
}

function refused(message: string): InvalidRequestError {
  return new InvalidRequestError(message, { status: 400, code: 'invalid_identity' });
}
