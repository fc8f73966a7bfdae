import { decodeBase64, encodeBase64 } from '../crypto/encoding.js';
import { hmacSha256, randomBytes } from '../crypto/hashing.js';
import { unixSecondsText } from '../domain/unix-time.js';

/**
 * Standard Webhooks, "Signature scheme": symmetric, version 1. https://github.com/standard-webhooks/standard-webhooks
 */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Bounds of the specification. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** What is signed, and sent with its signature. */
export interface WebhookMessage {
  /** The same in every attempt. */
  id: string;
  /** Of this attempt. */
  sentAt: Date;
  /** The exact text of the body. */
  body: string;
}

/** A new secret: `whsec_<base64 of 32 random bytes>`. */
export function newWebhookSecret(): string {
  return PREFIX + encodeBase64(randomBytes(SECRET_BYTES));
}

/** Whether the text is `whsec_` and the Base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const bytes = text.startsWith(PREFIX) ? decodeBase64(text.slice(PREFIX.length)) : null;
  return bytes !== null && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES;
}

/** The three headers, with one signature for each secret: a receiver accepts the message if any of them is right. */
export function webhookHeaders({ id, sentAt, body }: WebhookMessage, secrets: string[]): Record<string, string> {
  const timestamp = unixSecondsText(sentAt);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(`${id}.${timestamp}.${body}`, secret)}`).join(' '),
  };
}

function signatureOf(text: string, secret: string): string {
  return encodeBase64(hmacSha256(decodeBase64(secret.slice(PREFIX.length))!, text));
}
