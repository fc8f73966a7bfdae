import { createPrivateKey, sign } from 'node:crypto';
import type { RequestSigner, SignatureForm } from '../web/request-signer.js';

/** The key of a signer. */
export interface SigningKey {
  /** The address at which others find the public key. */
  keyId: string;
  /** RSA, PKCS #8 in PEM. */
  privateKey: string;
}

/**
 * What signs GETs, by RSA with SHA-256 (PKCS #1 1.5): `rsa-sha256` of draft-cavage-http-signatures-12 and
 * `rsa-v1_5-sha256` of RFC 9421.
 */
export function createRequestSigner({ keyId, privateKey }: SigningKey): RequestSigner {
  const key = createPrivateKey(privateKey);
  const signatureOf = (text: string) => sign('sha256', Buffer.from(text), key).toString('base64');
  const forms: Record<SignatureForm, (url: URL, now: Date) => Record<string, string>> = {
    cavage({ host, pathname }, now) {
      const date = now.toUTCString();
      const signature = signatureOf(`(request-target): get ${pathname}\nhost: ${host}\ndate: ${date}`);
      const named = { keyId, algorithm: 'rsa-sha256', headers: '(request-target) host date', signature };
      const parts = Object.entries(named).map(([name, value]) => `${name}="${value}"`);
      return { date, signature: parts.join(',') };
    },
    rfc9421({ href }, now) {
      const created = Math.floor(now.getTime() / 1000);
      const input = `("@method" "@target-uri");created=${created};keyid="${keyId}";alg="rsa-v1_5-sha256"`;
      const signature = signatureOf(`"@method": GET\n"@target-uri": ${href}\n"@signature-params": ${input}`);
      return { 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` };
    },
  };
  return {
    sign(address, form, now) {
      const url = new URL(address);
      if (url.search !== '' || url.hash !== '') throw new Error('Addresses with a query are not signed.');
      return forms[form](url, now);
    },
  };
}
