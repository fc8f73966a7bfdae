import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** A certificate authority that lives as long as the test process; nothing is read from or written to disk. */
export interface TestAuthority {
  /** PEM of the root, for `WebTransport.certificateAuthority`. */
  root: string;
  /** A certificate for `names`, valid from yesterday until `expires` (default: tomorrow). */
  issue(names: string[], expires?: Date): Promise<Certificate>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3600 * 1000;
const YESTERDAY = () => new Date(Date.now() - DAY_MS);
const TOMORROW = () => new Date(Date.now() + DAY_MS);

/** Serial numbers are unique per authority and otherwise meaningless. */
let serial = 1;

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Makes a new certificate authority; most tests share the one of `testAuthority`. */
export async function createAuthority(): Promise<TestAuthority> {
  const rootKeys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Authority of the tests',
    notBefore: YESTERDAY(),
    notAfter: new Date(Date.now() + 30 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys: rootKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });

  return {
    root: root.toString('pem'),
    issue: async (names, expires = TOMORROW()) => {
      const keys = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: (++serial).toString(16).padStart(8, '0'),
        issuer: root.subject,
        subject: 'CN=stand-in',
        notBefore: new Date(Math.min(YESTERDAY().getTime(), expires.getTime() - DAY_MS)),
        notAfter: expires,
        signingAlgorithm: ALGORITHM,
        publicKey: keys.publicKey,
        signingKey: rootKeys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((name): x509.JsonGeneralName => ({ type: /^[\d.]+$/.test(name) ? 'ip' : 'dns', value: name })),
          ),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        ],
      });
      const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
      return {
        certificate: certificate.toString('pem'),
        key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
      };
    },
  };
}

let shared: Promise<TestAuthority> | undefined;

/** The authority that all stand-ins of this process use unless told otherwise. */
export function testAuthority(): Promise<TestAuthority> {
  shared ??= createAuthority();
  return shared;
}
