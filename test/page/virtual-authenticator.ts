import type { CDPSession, Page } from 'playwright-core';

/** A credential as the browser's debugger hands it out. */
export interface StoredCredential {
  credentialId: string;
  isResidentCredential: boolean;
  rpId: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}

/** A sensor of fingerprints in a browser, which answers for a person at once. */
export interface VirtualAuthenticator {
  credentials(): Promise<StoredCredential[]>;
  add(credential: StoredCredential): Promise<void>;
  /** Whether the person is who she was: an authenticator that does not know her says no. */
  setVerified(isVerified: boolean): Promise<void>;
  /** Whether somebody touches the sensor; else the question stays open until its time is over. */
  setPresent(isPresent: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** Gives a page a fingerprint sensor of the device; `hasPrf`: it answers a secret for each credential. */
export async function addAuthenticator(page: Page, { hasPrf = true } = {}): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
  return {
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials as StoredCredential[];
    },
    async add(credential) {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    async setVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async setPresent(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    async remove() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
