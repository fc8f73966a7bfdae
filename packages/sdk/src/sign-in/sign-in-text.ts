/**
 * The text of a sign-in: ERC-4361 (Sign-In with Ethereum), version 1, as wallets know it, which warn where another site
 * shows it than the one that it names. Lines and members that the standard leaves open are not used.
 */
import { toChecksumAddress } from '@signet/verify';
import { isHost } from './host.js';

/** What a sign-in says. */
export interface SignInFields {
  /** The host that asks, with its port if it has one: `app.example`. */
  domain: string;
  /** The Ethereum address of the key, lowercase. */
  address: string;
  /** One line for the person; `''` where there is none. */
  statement: string;
  /** The page that asks, an http or https URL on `domain`. */
  uri: string;
  /** At least eight letters and digits that the server gave out for this sign-in alone. */
  nonce: string;
  /** UNIX seconds. */
  issuedAt: number;
}

/** Longer than any text that `writeSignIn` makes of what people write. */
const MAX_TEXT_CHARACTERS = 4_000;
const NONCE = /^[a-zA-Z0-9]{8,128}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** The text to sign. */
export function writeSignIn({ domain, address, statement, uri, nonce, issuedAt }: SignInFields): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    toChecksumAddress(address),
    '',
    ...(statement === '' ? [] : [statement]),
    '',
    `URI: ${uri}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt * 1000).toISOString()}`,
  ].join('\n');
}

/** What a text says; null for one that `writeSignIn` does not write, down to the letter. */
export function readSignIn(text: string): SignInFields | null {
  if (typeof text !== 'string' || text.length > MAX_TEXT_CHARACTERS) return null;
  const lines = text.split('\n');
  const [head = '', address = ''] = lines;
  const domain = head.replace(/ wants you to sign in with your Ethereum account:$/, '');
  const statement = lines.length === 10 ? (lines[3] ?? '') : '';
  const [uri = '', , , nonce = '', time = ''] = lines.slice(-5).map((line) => line.replace(/^[A-Za-z ]+: /, ''));
  const issuedAt = Date.parse(time) / 1000;
  if (!isHost(domain) || !ADDRESS.test(address) || !NONCE.test(nonce) || !Number.isSafeInteger(issuedAt)) return null;
  const fields = { domain, address: address.toLowerCase(), statement, uri, nonce, issuedAt };
  return writeSignIn(fields) === text ? fields : null;
}
