import { InvalidRequestError } from '@signet/look';
import type { IdentityName } from './identity-name.js';

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
  /** Recovery keys are in force: at once, or after the delay. */
  'key.committed': KeyNews;
  /** A commit or a succession was recorded that takes effect later. `successor` is null for a commit. */
  'key.pending': KeyNews & { successor: string | null };
  /** A key has stopped all writes of the Avatar until `due_at`. */
  'key.frozen': KeyNews;
  /** A freeze has ended: by `key.thaw`, or by itself, which `action` and `uuid` then name. */
  'key.thawed': KeyNews;
  /** Another Avatar has succeeded this one, for good. */
  'key.succeeded': KeyNews & { successor: string };
  /** The pending key event with the uuid `event` is void. */
  'key.vetoed': KeyNews & { event: string };
  /** The key of an app, `key`, may sign content for the Avatar. */
  'key.added': KeyNews & { key: string };
  /** The key of an app, `key`, may sign nothing any more. */
  'key.revoked': KeyNews & { key: string };
}

/** The Avatar an event is about, compressed hex with `0x`. */
export interface AvatarEvent {
  avatar: string;
}

export interface KeyNews extends AvatarEvent {
  uuid: string;
  action: string;
  /** `main`, the name of a recovery key, or the key of an app that revokes itself. */
  signer: string;
  /** UNIX seconds, a number as in all of the key events. */
  due_at: number;
  /** Whether the writes of the Avatar are stopped now. */
  is_frozen: boolean;
}

export interface BindingEvent extends AvatarEvent, IdentityName {}

/** What any event is about: events of keys are about an Avatar alone. */
export type EventSubject = AvatarEvent & Partial<BindingEvent>;

export type DomainEventName = keyof DomainEvents;

/** The names, for validation of filters. The type makes sure that none is forgotten. */
export const DOMAIN_EVENT_NAMES = Object.keys({
  'proof.bound': true,
  'proof.revoked': true,
  'proof.invalidated': true,
  'proof.restored': true,
  'kv.patched': true,
  'link.archived': true,
  'key.committed': true,
  'key.pending': true,
  'key.frozen': true,
  'key.thawed': true,
  'key.succeeded': true,
  'key.vetoed': true,
  'key.added': true,
  'key.revoked': true,
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
