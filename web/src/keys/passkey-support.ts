/** Whether this browser can make a key by fingerprint: asked beforehand, and by what it answers, never by its name. */

/** `here`: this device has a fingerprint, face or screen lock for it. `elsewhere`: a security key or a phone may. */
export type PasskeySupport = 'here' | 'elsewhere' | 'none';

/** The extension of WebAuthn that gives a passkey its secret, as browsers name it. */
const PRF = 'extension:prf';
/** An address of numbers is no `rpId`; an IPv6 address has a colon. */
const NUMBERS = /^[\d.]+$|:/;

/** What this browser says of passkeys with PRF. A browser that says nothing of PRF may still have it. */
export async function passkeySupport(): Promise<PasskeySupport> {
  if (!isSecureContext || !('PublicKeyCredential' in globalThis)) return 'none';
  if (self !== top || NUMBERS.test(location.hostname)) return 'none';
  try {
    const capabilities = await PublicKeyCredential.getClientCapabilities?.();
    if ((capabilities as Record<string, boolean> | undefined)?.[PRF] === false) return 'none';
    const isHere = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
    return isHere ? 'here' : 'elsewhere';
  } catch {
    return 'none';
  }
}
