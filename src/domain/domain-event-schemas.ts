import type { DomainEventName } from './domain-events.js';

/** As much of JSON Schema (2020-12) as the description of events needs. */
export interface JsonSchema {
  title?: string;
  type?: string;
  format?: string;
  const?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const AVATAR = '0x028c3cda474361179d653c41a62f6bbb07265d535121e19aedf660da2924d0b1e3';

const text = (description: string, example: unknown = ''): JsonSchema => ({ type: 'string', description, example });
const integer = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  format: 'int64',
  description,
  example,
});

const BINDING = {
  avatar: text('The Avatar: its compressed public key, lowercase hex with `0x`.', AVATAR),
  platform: text('Platform value.', 'ethereum'),
  identity: text('Canonical identity on the platform.', '0xd5f630652d4a8a5f95cda3738ce9f43fa26e764f'),
};
const LINK_ID = integer('Id of the link, the cursor of `GET /v1/proofchain/changes`.', 17);
const UUID = text('UUID of the link or patch.', '909353ef-a9bb-4b4b-be79-a1e4eb82bd57');
const UNIX_TEXT = '1763699990';

/** The meaning of each type of event, and its members besides those of the binding; see `DomainEvents`. */
export const EVENT_DESCRIPTIONS: Record<DomainEventName, { summary: string; details: Record<string, JsonSchema> }> = {
  'proof.bound': {
    summary: 'A create link was recorded, for a new identity or for one that the Avatar already held.',
    details: {
      proof_location: text('Location of the public post; empty where the platform has none.'),
      link_id: LINK_ID,
      uuid: UUID,
      created_at: text('Creation time of the link, UNIX seconds.', UNIX_TEXT),
    },
  },
  'proof.revoked': {
    summary: 'A delete link was recorded: the Avatar took the binding back.',
    details: {
      link_id: LINK_ID,
      uuid: UUID,
      created_at: text('Creation time of the link, UNIX seconds.', UNIX_TEXT),
    },
  },
  'proof.invalidated': {
    summary: 'A recheck found a valid proof gone, twice, an hour apart.',
    details: {
      reason: text('What the platform said, one sentence.', 'gist not found'),
      checked_at: text('Time of the recheck, UNIX seconds.', UNIX_TEXT),
    },
  },
  'proof.restored': {
    summary: 'A recheck found an invalid proof valid again.',
    details: { checked_at: text('Time of the recheck, UNIX seconds.', UNIX_TEXT) },
  },
  'kv.patched': {
    summary: 'A key-value patch was applied.',
    details: {
      patch_id: integer('Id of the patch.', 5),
      uuid: UUID,
      created_at: integer('Creation time of the patch, UNIX seconds.', Number(UNIX_TEXT)),
    },
  },
  'link.archived': {
    summary: 'The permanent storage confirmed a link.',
    details: {
      link_id: LINK_ID,
      uuid: UUID,
      archive_id: text('Id of the document in the permanent storage.', 'bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U'),
    },
  },
};

/** `data` of an event of this type in `GET /v1/events`. */
export function streamEventSchema(name: DomainEventName): JsonSchema {
  return objectOf({
    id: text('Id of the event, for deduplication (UUID).', '7b4f54a3-6c0e-4b5b-8f0e-0a0c5b7f9d11'),
    type: { ...text('Type of the event.', name), const: name },
    position: integer('Position in one gapless sequence of all events; the id of the stream.', 42),
    recorded_at: text('When it was recorded, UNIX seconds.', UNIX_TEXT),
    ...BINDING,
    ...EVENT_DESCRIPTIONS[name].details,
  });
}

/** `data` of a webhook for an event of this type. */
export function webhookDataSchema(name: DomainEventName): JsonSchema {
  return objectOf({
    ...BINDING,
    ...EVENT_DESCRIPTIONS[name].details,
    position: integer('Position in the event stream: drop what is older than what you have of the binding.', 42),
  });
}

/**
 * Body of a webhook for an event of this type (Standard Webhooks, "Payload structure").
 * @param data the schema of `data`, or a reference to it
 */
export function webhookSchema(name: DomainEventName, data: JsonSchema = webhookDataSchema(name)): JsonSchema {
  return objectOf({
    type: { ...text('Type of the event.', name), const: name },
    timestamp: { ...text('When it was recorded.', '2025-11-21T04:39:50.000Z'), format: 'date-time' },
    data,
  });
}

function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
