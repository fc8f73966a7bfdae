import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

/** What a browser gives, and how it reads what arrives: the other side of RFC 8291, by RFC 8188 and RFC 5869. */
export interface StandInBrowser {
  /** As `PushSubscription.toJSON` of a browser has them. */
  keys: { p256dh: string; auth: string };
  /** The text of a message. @throws if it was made for another browser, or changed */
  read(body: Buffer): string;
}

/** A new browser, or the one with these secrets. */
export function aBrowser(given: { auth?: Buffer; privateKey?: Buffer } = {}): StandInBrowser {
  const own = createECDH('prime256v1');
  if (given.privateKey) own.setPrivateKey(given.privateKey);
  else own.generateKeys();
  const auth = given.auth ?? randomBytes(16);
  return {
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read: (body) => {
      const salt = body.subarray(0, 16);
      const recordBytes = body.readUInt32BE(16);
      const sender = body.subarray(21, 21 + body[20]!);
      const sealed = body.subarray(21 + body[20]!);
      if (sealed.length > recordBytes) throw new Error('There is more than one record.');
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
      const material = derived(auth, own.computeSecret(sender), info, 32);
      const key = derived(salt, material, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derived(salt, material, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
      const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      const end = record.findLastIndex((byte) => byte !== 0);
      if (record[end] !== 2) throw new Error('The last record does not end as such.');
      return record.subarray(0, end).toString();
    },
  };
}

/** HKDF with SHA-256 for up to 32 bytes (RFC 5869). */
function derived(salt: Buffer, material: Buffer, info: Buffer, bytes: number): Buffer {
  const extracted = createHmac('sha256', salt).update(material).digest();
  const expanded = createHmac('sha256', extracted).update(Buffer.concat([info, Buffer.from([1])]));
  return expanded.digest().subarray(0, bytes);
}
