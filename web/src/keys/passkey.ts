/**
 * Keys by fingerprint: a passkey with the PRF extension (WebAuthn Level 3, section 10.1.4) answers 32 secret bytes,
 * and the key is made of them anew each time (`keyOfPasskey`). They are here while something is signed, and overwritten
 * behind it; they are neither stored nor sent. The passkey belongs to the host of this page (`rpId`).
 */
import { addressOfKey, type Hex } from '@signet/verify';
import { keyOfPasskey, PASSKEY_PRF_INPUT, signPersonal } from '@signet/verify/sign';
import { fromPrivateKey, type Signer } from '@signet/sdk';
import { PasskeyError } from './passkey-error.js';
import { keepPasskey } from './kept-passkeys.js';

/** Time for a person to find the sensor or the other device; the longest that WebAuthn recommends is ten minutes. */
const TIMEOUT_MS = 180_000;
/** The bit of authenticator data (byte 32) that says that the person was verified, not only present. */
const USER_VERIFIED = 0b100;
/** Of COSE, in the order of the specification: ES256, EdDSA, RS256. No signature of a passkey is used here. */
const ALGORITHMS = [-7, -8, -257];
/** A person who says no and a time that is over look alike, by design of WebAuthn. */
const NO_ANSWER = ['NotAllowedError', 'AbortError', 'TimeoutError'];

type Extensions = AuthenticationExtensionsClientInputs;

/** New bytes for each call, because a browser may take them over. Never an empty `prf`: Windows Hello refuses it. */
function prfExtension(): Extensions {
  return { prf: { eval: { first: new TextEncoder().encode(PASSKEY_PRF_INPUT) } } };
}

/**
 * Makes a passkey, and the key of it. Asks the person once, or twice where the device answers the secret of a passkey
 * only later.
 * @throws PasskeyError
 */
export async function makePasskey(): Promise<Signer> {
  let made = await register(prfExtension());
  // A device that fails over the extension may make a passkey without it, and answer for it all the same.
  if (made instanceof Error) made = await register({});
  if (made instanceof Error) throw new PasskeyError('no_prf', made);
  const id = made.rawId;
  const { prf } = made.getClientExtensionResults();
  if (prf?.results?.first) return signerOf(keyOf(prf), id);
  if (prf?.enabled === false) return forsake(id);
  return withKey(id, (key) => signerOf(key, id)).catch((error: unknown) =>
    error instanceof PasskeyError && error.code === 'no_prf' ? forsake(id) : Promise.reject(error as Error),
  );
}

/** The key of a passkey that the person has, on this device or one beside it. @throws PasskeyError */
export async function findPasskey(): Promise<Signer> {
  return withKey(null, (key, id) => signerOf(key, id));
}

/** A signer of a key whose passkey is known: nothing is asked before something is signed. */
export function signerOfPasskey(avatar: Hex, id: BufferSource): Signer {
  return {
    avatar,
    address: addressOfKey(avatar),
    sign: (text) =>
      withKey(id, (key) => {
        if (fromPrivateKey(key).avatar !== avatar) throw new PasskeyError('other_key');
        return signPersonal(text, key);
      }),
  };
}

/** The signer of a private key, which is overwritten; the public parts are kept for the next visit. */
function signerOf(key: Uint8Array, id: ArrayBuffer): Signer {
  try {
    const { avatar } = fromPrivateKey(key);
    keepPasskey(avatar, id);
    return signerOfPasskey(avatar, id);
  } finally {
    key.fill(0);
  }
}

/** A new passkey; an error where the device failed otherwise than by a no. @throws PasskeyError (`cancelled`) */
async function register(extensions: Extensions): Promise<PublicKeyCredential | Error> {
  const { host, hostname } = location;
  const day = new Date().toISOString().slice(0, 10);
  const user = { id: random(16), name: `Signet, ${day}`, displayName: `Signet, ${day}` };
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: { id: hostname, name: `Signet (${host})` },
    // Random: a passkey for the same user would overwrite the one before, and its key with it.
    user,
    challenge: random(32),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: TIMEOUT_MS,
    extensions,
  };
  try {
    return (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  } catch (error) {
    if (isNoAnswer(error)) throw new PasskeyError('cancelled', error);
    return error as Error;
  }
}

/** Asks a passkey for its key, and overwrites it behind `act`. @throws PasskeyError */
async function withKey<Outcome>(
  id: BufferSource | null,
  act: (key: Uint8Array, id: ArrayBuffer) => Outcome,
): Promise<Outcome> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    rpId: location.hostname,
    challenge: random(32),
    allowCredentials: id === null ? [] : [{ type: 'public-key', id }],
    userVerification: 'required',
    timeout: TIMEOUT_MS,
    extensions: prfExtension(),
  };
  let credential: PublicKeyCredential;
  try {
    credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  } catch (error) {
    throw new PasskeyError(isNoAnswer(error) ? 'cancelled' : 'failed', error);
  }
  const { authenticatorData } = credential.response as AuthenticatorAssertionResponse;
  const key = keyOf(credential.getClientExtensionResults().prf);
  try {
    // Without a verified person an authenticator answers for another secret, hence another key.
    const flags = new Uint8Array(authenticatorData)[32] ?? 0;
    if ((flags & USER_VERIFIED) === 0) throw new PasskeyError('no_prf');
    return act(key, credential.rawId);
  } finally {
    key.fill(0);
  }
}

/** The private key of an answer, whose secret is overwritten. @throws PasskeyError (`no_prf`) */
function keyOf(prf: AuthenticationExtensionsPRFOutputs | undefined): Uint8Array {
  const first = prf?.results?.first;
  if (!first) throw new PasskeyError('no_prf');
  const secret = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first);
  try {
    return keyOfPasskey(secret);
  } finally {
    secret.fill(0);
  }
}

/** Lets the keeper of a passkey without a secret remove it, where it can. @throws PasskeyError (`no_prf`) always */
async function forsake(id: ArrayBuffer): Promise<never> {
  const credentialId = base64url(id);
  const { PublicKeyCredential: credentials } = globalThis as unknown as { PublicKeyCredential: Signals };
  await credentials.signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(() => {});
  throw new PasskeyError('no_prf');
}

/** WebAuthn Level 3, section 5.1.10. */
interface Signals {
  signalUnknownCredential?: (options: { rpId: string; credentialId: string }) => Promise<void>;
}

function isNoAnswer(error: unknown): boolean {
  return NO_ANSWER.includes((error as Partial<Error> | null)?.name ?? '');
}

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function base64url(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
