import { InvalidRequestError } from '@signet/look';

/**
 * Every fact the service announces: dotted names, past tense, payloads of plain JSON (docs/design/decisions.md 8). A
 * payload carries ids and the fields by which applications filter, not entities: when it is delivered, an entity would
 * be out of date.
 */
export interface DomainEvents {
  /** A create link was accepted; also for an identity that the Avatar already held. Times are UNIX seconds as text. */
  'proof.bound': BindingEvent & { proof_location: string; link_id: number; uuid: string; created_at: string };
  /** A delete link was accepted. */
  'proof.revoked': BindingEvent & { link_id: number; uuid: string; created_at: string };
  /** A recheck turned a valid proof invalid. */
  'proof.invalidated': BindingEvent & { reason: string; checked_at: string };
  /** A recheck found an invalid proof valid again. */
  'proof.restored': BindingEvent & { checked_at: string };
  /** A key-value patch was applied. `created_at` is a number here, as everywhere in the key-value service. */
  'kv.patched': BindingEvent & { patch_id: number; uuid: string; created_at: number };
  /** The permanent-storage network confirmed a link. */
  'link.archived': BindingEvent & { link_id: number; uuid: string; archive_id: string };
}

/** The binding an event is about; `avatar` is compressed hex with `0x`. */
export interface BindingEvent {
  avatar: string;
  platform: string;
  identity: string;
}

/** One of the event names. */
export type DomainEventName = keyof DomainEvents;

/** The names, for validation of filters. The type makes sure that none is forgotten. */
export const DOMAIN_EVENT_NAMES = Object.keys({
  'proof.bound': true,
  'proof.revoked': true,
  'proof.invalidated': true,
  'proof.restored': true,
  'kv.patched': true,
  'link.archived': true,
} satisfies Record<DomainEventName, true>) as DomainEventName[];

/** The event type that a client has named. @throws InvalidRequestError (`unknown_event_type`) */
export function parseEventName(text: string): DomainEventName {
  const name = DOMAIN_EVENT_NAMES.find((known) => known === text);
  if (name) return name;
  throw new InvalidRequestError(
    `There is no event type ${JSON.stringify(text.slice(0, 64))}; there are ${DOMAIN_EVENT_NAMES.join(', ')}.`,
    'unknown_event_type',
  );
}
