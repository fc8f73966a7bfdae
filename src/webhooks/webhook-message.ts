import { randomBytes } from 'node:crypto';
import { webhookSecret, webhookSignature } from '@signet/verify';
import { unixSecondsText } from '../domain/unix-time.js';

/**
 * Standard Webhooks, "Signature scheme": symmetric, version 1. https://github.com/standard-webhooks/standard-webhooks
 */
const SECRET_BYTES = 32;

/** The parts of a message that are signed, and sent with the signature. */
export interface WebhookMessage {
  /** Id of the event; equal in every attempt. */
  id: string;
  /** Time of this attempt. */
  sentAt: Date;
  /** The exact text of the body. */
  body: string;
}

/** A new secret: `whsec_<base64 of 32 random bytes>`. */
export function newWebhookSecret(): string {
  return webhookSecret(randomBytes(SECRET_BYTES));
}

/** The three headers, with one signature for each secret: a receiver accepts the message if any of them is right. */
export function webhookHeaders({ id, sentAt, body }: WebhookMessage, secrets: string[]): Record<string, string> {
  const timestamp = unixSecondsText(sentAt);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': webhookSignature({ id, timestamp, body }, secrets),
  };
}

/**
 * The body of a webhook (Standard Webhooks, "Payload structure"). Webhooks overtake each other, so `data` has the
 * position in the stream: a receiver drops an event that is older than its newest of the same binding.
 */
export function webhookBody(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
