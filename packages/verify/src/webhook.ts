/**
 * Signatures of webhooks: Standard Webhooks, "Signature scheme", symmetric, version 1.
 * https://github.com/standard-webhooks/standard-webhooks
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeBase64, encodeBase64, utf8 } from './text/encoding.js';
import { isObject } from './text/signed-text.js';
import {
  checked,
  failed,
  notCheckable,
  ok,
  type Step,
  verificationOf,
  type Verification,
  withoutThrowing,
} from './steps.js';

const PREFIX = 'whsec_';
/** Bounds of the specification. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
/** How far the clocks of sender and receiver may be apart, as the reference libraries have it. */
const TOLERANCE_SECONDS = 300;
const UNIX_SECONDS = /^\d{1,12}$/;

/** What is signed, and sent with its signature. */
export interface WebhookMessage {
  /** `webhook-id`: the same in every attempt. */
  id: string;
  /** `webhook-timestamp`: UNIX seconds of this attempt, in decimal. */
  timestamp: string;
  /** The exact text of the body. */
  body: string;
}

/** What is known beside the request. */
export interface WebhookContext {
  /** UNIX seconds of the receiver's clock. */
  now: number;
  /** 300 when absent; `null` for requests that were kept: then their age is not checked. */
  toleranceSeconds?: number | null;
}

/** The secret for these bytes (24 to 64, random): `whsec_` and their Base64. */
export function webhookSecret(bytes: Uint8Array): string {
  return PREFIX + encodeBase64(bytes);
}

/** Whether the text is `whsec_` and the Base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  return secretBytes(text) !== null;
}

/**
 * The value of `webhook-signature`, with one signature for each secret: a receiver accepts the message if any of them
 * is right.
 * @throws TypeError for a secret that is malformed
 */
export function webhookSignature(message: WebhookMessage, secrets: string[]): string {
  return secrets.map((secret) => `v1,${signatureOf(message, secret)}`).join(' ');
}

/**
 * Checks a webhook as a receiver does; header names are compared in any letter case. Steps: `headers`, `time`,
 * `signature`; `body` alone where the body is no text. Never throws, whatever it is given.
 */
export function verifyWebhook(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  context: WebhookContext,
): Verification {
  return withoutThrowing(() => checkWebhook(secret, headers, body, context), {});
}

function checkWebhook(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  { now, toleranceSeconds = TOLERANCE_SECONDS }: WebhookContext,
): Verification {
  const find = (name: string) => {
    const value = Object.entries(isObject(headers) ? headers : {}).find(([other]) => other.toLowerCase() === name)?.[1];
    return typeof value === 'string' ? value : '';
  };
  const [id, timestamp, signatures] = [find('webhook-id'), find('webhook-timestamp'), find('webhook-signature')];
  if (!id || !UNIX_SECONDS.test(timestamp) || !signatures) {
    return verificationOf([
      failed('headers', 'One of webhook-id, webhook-timestamp (UNIX seconds) and webhook-signature is missing.'),
    ]);
  }
  if (typeof body !== 'string') {
    return verificationOf([failed('body', 'The body is not a text; give it as it was received, not as parsed JSON.')]);
  }
  return verificationOf([
    ok('headers', 'The headers of a webhook are there.'),
    checkAge(now - Number(timestamp), toleranceSeconds),
    checkSignature({ id, timestamp, body }, signatures, secret),
  ]);
}

function checkAge(age: number, tolerance: number | null): Step {
  if (tolerance === null) return notCheckable('time', 'The age of the request was not to be checked.');
  const seconds = Math.ceil(Math.abs(age));
  const when = age > 0 ? `sent ${seconds} seconds ago` : `dated ${seconds} seconds ahead`;
  return checked(
    'time',
    Math.abs(age) <= tolerance,
    'It was sent just now.',
    `It was ${when} by the clock here; at most ${tolerance} are allowed.`,
  );
}

function checkSignature(message: WebhookMessage, signatures: string, secret: string): Step {
  if (typeof secret !== 'string' || !isWebhookSecret(secret))
    return failed('signature', 'The secret is not one: expected whsec_ and Base64.');
  const expected = `v1,${signatureOf(message, secret)}`;
  return checked(
    'signature',
    signatures.split(' ').some((given) => isSameText(given, expected)),
    'It was signed with this secret.',
    'It was not signed with this secret.',
  );
}

/** Takes a time that depends on the lengths only: a signature must not be guessed character by character. */
function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

function signatureOf({ id, timestamp, body }: WebhookMessage, secret: string): string {
  const key = secretBytes(secret);
  if (!key) throw new TypeError('A webhook secret is whsec_ and the Base64 of 24 to 64 bytes.');
  return encodeBase64(hmac(sha256, key, utf8(`${id}.${timestamp}.${body}`)));
}

function secretBytes(text: string): Uint8Array | null {
  const bytes = text.startsWith(PREFIX) ? decodeBase64(text.slice(PREFIX.length)) : null;
  return bytes && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES ? bytes : null;
}
