import type { EventType } from '../client/events.js';
import type { Schemas } from '../schemas.js';

type WebhookBody =
  | Schemas['ProofBoundWebhook']
  | Schemas['ProofRevokedWebhook']
  | Schemas['ProofInvalidatedWebhook']
  | Schemas['ProofRestoredWebhook']
  | Schemas['KvPatchedWebhook']
  | Schemas['LinkArchivedWebhook']
  | Schemas['KeyCommittedWebhook']
  | Schemas['KeyPendingWebhook']
  | Schemas['KeyFrozenWebhook']
  | Schemas['KeyThawedWebhook']
  | Schemas['KeySucceededWebhook']
  | Schemas['KeyVetoedWebhook']
  | Schemas['KeyAddedWebhook']
  | Schemas['KeyRevokedWebhook'];

/**
 * What happened, as a webhook says it: a union by `type`, whose `data` is typed. `id` stays the same in every attempt,
 * `timestamp` is when it was recorded (ISO 8601), and `data.position` its place in the one sequence of all events.
 */
export type EventFact<Type extends EventType = EventType> = Extract<WebhookBody, { type: Type }> & { id: string };

/** What the console sends to try a receiver; nothing has happened. */
export interface TestFact {
  id: string;
  type: 'webhook.test';
  timestamp: string;
  data: { subscription: string };
}

/** What a genuine webhook says. A server of a later version may send other types: leave them alone. */
export type WebhookFact = EventFact | TestFact;

const EVENT_TYPES: readonly EventType[] = [
  'proof.bound',
  'proof.revoked',
  'proof.invalidated',
  'proof.restored',
  'kv.patched',
  'link.archived',
  'key.committed',
  'key.pending',
  'key.frozen',
  'key.thawed',
  'key.succeeded',
  'key.vetoed',
  'key.added',
  'key.revoked',
];

/** Whether a fact is an event of a type that this version knows. */
export function isEvent(fact: WebhookFact): fact is EventFact {
  return EVENT_TYPES.some((type) => type === fact.type);
}

/** The fact in the body of a webhook, in the form of Standard Webhooks or of CloudEvents; null for anything else. */
export function factIn(id: string, body: string): WebhookFact | null {
  const parsed = objectIn(body);
  if (typeof parsed?.['type'] !== 'string' || typeof parsed['data'] !== 'object' || !parsed['data']) return null;
  const { type: written, timestamp, time, data } = parsed;
  // The type of a CloudEvent has a prefix that the operator chooses.
  const type = EVENT_TYPES.find((known) => known === written || written.endsWith(`.${known}`)) ?? written;
  const at = timestamp ?? time;
  return typeof at === 'string' ? ({ id, type, timestamp: at, data } as WebhookFact) : null;
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
