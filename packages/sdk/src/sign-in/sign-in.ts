/** Sign in with Signet: a key signs a text with a nonce, and a server learns which Avatar, and so who, it is. */
import { addressOfKey, decodeBase64, type Hex, recoverPersonalSigner } from '@signet/verify';
import { CLOCK_SPREAD_SECONDS } from '@signet/verify/internal';
import { quoted, wrong } from '../checks.js';
import { demandMethods, demandNumbers, givenTo } from '../writes/given-to.js';
import type { Client } from '../client/client.js';
import { SignetError, WrongUsageError } from '../errors.js';
import type { Person } from '../person/person.js';
import { signOnce } from '../signers/from-wallet.js';
import type { Wallet } from '../signers/wallets.js';
import { hostOf, isHost } from './host.js';
import type { NonceStore } from './nonces.js';
import { readSignIn, writeSignIn } from './sign-in-text.js';

/** What a page asks a wallet for. */
export interface SignInRequest {
  /** What signs: whatever `fromWallet` takes. */
  wallet: Wallet;
  /** As the server gave it out. */
  nonce: string;
  /** One line that the person reads in the wallet. */
  statement?: string | undefined;
  /** The page that asks; its own address in a browser when absent. */
  uri?: string | undefined;
}

/** What a page sends to its server. */
export interface SignedIn {
  /** What was signed (ERC-4361). */
  text: string;
  /** Base64 of 65 bytes. */
  signature: string;
}

/** How a server checks a sign-in. */
export interface SignInCheck {
  /** The host of the site, with its port if it has one, as its own configuration names it: `app.example`. */
  domain: string;
  /** Takes each nonce once. */
  nonces: Pick<NonceStore, 'take'>;
  /** How long ago the text may have been written, seconds; 600 when absent. */
  maxAgeSeconds?: number | undefined;
  /** Asked who the Avatar is; nobody is asked when absent. */
  client?: Pick<Client, 'resolve'> | undefined;
}

/** Who has signed in. */
export interface SignInResult {
  /** The key that signed: the Avatar, compressed. */
  avatar: Hex;
  /** The Ethereum address of the same key. */
  address: Hex;
  /** With `client`: the bindings and the profile of the Avatar. Null without, and where nothing is bound. */
  person: Person | null;
}

/** Why a sign-in is refused. */
export type SignInProblem = 'malformed' | 'other_site' | 'old' | 'signature' | 'nonce';

/** A sign-in is refused; nobody is signed in. Code `sign_in_refused`; `problem` says why. */
export class SignInError extends SignetError {
  override name = 'SignInError';

  constructor(
    message: string,
    readonly problem: SignInProblem,
  ) {
    super(message, 'sign_in_refused');
  }
}

const MAX_AGE_SECONDS = 600;

/**
 * Asks a wallet to sign in to this page, for `verifySignIn` on its server: once, also where its key is not known yet.
 * @throws WrongUsageError for a nonce or statement that no text can hold; what `fromWallet` and the wallet throw
 */
export async function signIn(request: SignInRequest): Promise<SignedIn> {
  const { wallet, nonce, statement = '', uri = here() } = givenTo('signIn', request);
  const domain = hostOf(uri);
  if (domain === null) throw wrong('uri', 'the address of the page', uri);
  const issuedAt = Math.floor(Date.now() / 1000);
  return signOnce(wallet, (address) => {
    const text = writeSignIn({ domain, address, statement, uri, nonce, issuedAt });
    if (readSignIn(text)) return text;
    throw new WrongUsageError(
      `A sign-in has a nonce of 8 to 128 letters and digits, and a statement of one line, not ${quoted({ nonce, statement })}.`,
    );
  });
}

/**
 * Checks a sign-in on the server: that the text is one, is for this site, was written now, is signed by the key that it
 * names, and has a nonce that was given out and not used yet, which is used by this.
 * @param signed what the page sent, whatever that is
 * @throws SignInError; WrongUsageError for options that are wrong; what `client.resolve` throws, where nobody is signed
 *   in either
 */
export async function verifySignIn(signed: SignedIn, check: SignInCheck): Promise<SignInResult> {
  const { domain, nonces, maxAgeSeconds = MAX_AGE_SECONDS, client } = readCheck(check);
  const { text, signature } = (signed ?? {}) as Partial<SignedIn>;
  const said = readSignIn(text as string);
  if (!said) throw new SignInError('This is not the text of a sign-in.', 'malformed');
  if (said.domain !== domain || hostOf(said.uri) !== domain) {
    throw new SignInError(`The sign-in is for ${said.domain}, and this is ${domain}.`, 'other_site');
  }
  const age = Date.now() / 1000 - said.issuedAt;
  if (age > maxAgeSeconds || age < -CLOCK_SPREAD_SECONDS) {
    throw new SignInError('The sign-in is too old, or its clock is wrong: sign in again.', 'old');
  }
  const bytes = typeof signature === 'string' ? decodeBase64(signature) : null;
  const avatar = bytes && recoverPersonalSigner(text!, bytes);
  if (!avatar || addressOfKey(avatar) !== said.address) {
    throw new SignInError(`The address ${said.address} did not sign this.`, 'signature');
  }
  if (!(await nonces.take(said.nonce))) {
    throw new SignInError('The nonce is not one of this server, is too old, or was used: sign in again.', 'nonce');
  }
  const person = (await client?.resolve(avatar)) ?? null;
  return { avatar, address: addressOfKey(avatar), person };
}

function readCheck(check: SignInCheck): SignInCheck {
  if (typeof check !== 'object' || check === null || !isHost(check.domain)) {
    const shown = quoted(check?.domain);
    throw new WrongUsageError(`domain has to be the host of the site, such as app.example, not ${shown}.`);
  }
  if (typeof check.nonces?.take !== 'function') {
    throw new WrongUsageError('nonces has to be a store that takes each nonce once, such as new MemoryNonceStore().');
  }
  demandNumbers({ maxAgeSeconds: check.maxAgeSeconds });
  demandMethods('client', check.client, ['resolve']);
  return check;
}

/** The address of the page, without what is behind it. */
function here(): string {
  const { location } = globalThis as { location?: { origin: string; pathname: string } };
  return location ? `${location.origin}${location.pathname}` : '';
}
