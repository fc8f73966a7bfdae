/** What keys of Nostr sign in the page. It brings the curve, so it is loaded when such a key is bound. */
import { type NostrProvider, type NostrSigner, nostrWallet, SignetError, signatureOfNostrEvent } from '@signet/sdk';
import { nostrTemplate } from '@signet/verify/internal/signatures';

/** The key of an extension, which asks the person whether this page may see it. */
export async function keyOfExtension(extension: NostrProvider): Promise<{ identity: string; wallet: NostrSigner }> {
  const wallet = nostrWallet(extension);
  return { identity: await wallet.npub(), wallet };
}

/** The event that another program has to sign, as JSON. */
export function eventToSign(text: string): string {
  return JSON.stringify(nostrTemplate(text));
}

/** The signature in what such a program gave, the event or its sig; null for another event or key. */
export function signatureIn(pasted: string, text: string): string | null {
  try {
    return signatureOfNostrEvent(pasted, text);
  } catch (error) {
    if (error instanceof SignetError) return null;
    throw error;
  }
}
