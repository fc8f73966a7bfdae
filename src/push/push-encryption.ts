import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/*
 * Message encryption for Web Push (RFC 8291), with the coding aes128gcm (RFC 8188). Our own, because libraries make
 * salt and key themselves, so that the vectors of the RFCs cannot be held against them.
 */

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
/** Bytes of a record, as the header states them: a message is one. RFC 8030, 7.2: 4096 bytes are always taken. */
const RECORD_BYTES = 4096;
/** Plain texts are padded to a multiple of so many bytes, so that the length of a name does not show. */
const PADDED_TO = 256;
/** Ends the text of the last record (RFC 8188, 2). */
const DELIMITER = 2;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + 65;

/** The bytes of a plain text that one message can carry. */
export const MOST_BYTES = Math.floor((RECORD_BYTES - HEADER_BYTES - TAG_BYTES) / PADDED_TO) * PADDED_TO - 1;

/** What a browser gives with its subscription. */
export interface PushKeys {
  /** Public key of the browser: 65 bytes, an uncompressed point on P-256. */
  p256dh: Uint8Array;
  /** Secret of the browser, 16 bytes. */
  auth: Uint8Array;
}

/** What is made anew for each message; tests give those of the RFC. */
export interface MessageSecrets {
  salt: Uint8Array;
  /** Key pair on P-256. */
  sender: ECDH;
  /** Bytes to which the plain text and its delimiter are padded. */
  paddedTo: number;
}

/**
 * The body of a request to a push service, of at most 4096 bytes.
 * @throws RangeError for more than `MOST_BYTES`; Error if `p256dh` is no point on P-256
 */
export function encryptPush(text: Uint8Array, { p256dh, auth }: PushKeys, secrets = newSecrets(text)): Buffer {
  if (text.length > MOST_BYTES) throw new RangeError(`A message of ${text.length} bytes does not fit into a push.`);
  const { salt, sender, paddedTo } = secrets;
  const own = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own]);
  const material = hkdf(sender.computeSecret(p256dh), auth, info, 32);
  const key = hkdf(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const record = Buffer.alloc(Math.max(paddedTo, text.length + 1));
  record.set(text);
  record[text.length] = DELIMITER;
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes[4] = own.length;
  return Buffer.concat([salt, sizes, own, sealed]);
}

function newSecrets({ length }: Uint8Array): MessageSecrets {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return { salt: randomBytes(SALT_BYTES), sender, paddedTo: Math.ceil((length + 1) / PADDED_TO) * PADDED_TO };
}

function hkdf(material: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, bytes));
}
