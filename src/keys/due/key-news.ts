import { KeyReplay } from '@signet/verify/internal/key-events';
import type { KeyAction, KeyFact, KeyState } from '@signet/verify/key-events';
import type { DomainEventName, DomainEvents, KeyNews } from '../../domain/domain-events.js';
import { unixSeconds } from '../../domain/unix-time.js';
import type { NewEvent } from '../../events/event-store.js';
import type { StoredKeyEvent } from '../key-rows.js';

type KeyEventName = Extract<DomainEventName, `key.${string}`>;

export type Announcement = Omit<NewEvent<KeyEventName>, 'id'>;

export type AnnouncedKeyEvent = Pick<
  StoredKeyEvent,
  'avatar' | 'uuid' | 'action' | 'signer' | 'successor' | 'fields' | 'dueAt'
>;

const NAMES = {
  'key.commit': 'key.committed',
  'key.freeze': 'key.frozen',
  'key.thaw': 'key.thawed',
  'key.succeed': 'key.succeeded',
  'key.veto': 'key.vetoed',
  'key.add': 'key.added',
  'key.revoke': 'key.revoked',
} as const satisfies Record<KeyAction, KeyEventName>;

/**
 * What is announced of an event with its recording.
 * @param state that of the Avatar behind it
 */
export function newsOfRecorded(event: AnnouncedKeyEvent, state: KeyState): Announcement {
  const isPending = [state.pendingCommit, state.pendingSuccession].some((pending) => pending?.event === event.uuid);
  return newsOf(event, isPending ? 'key.pending' : NAMES[event.action], state);
}

/**
 * What is announced of events whose time has come, in the order in which they were due. An event that is void, or that
 * another one has replaced or ended before, is not announced: the event that did so was.
 * @param facts all of the Avatar, oldest first, as far as they are recorded
 */
export function newsOfDue(due: readonly AnnouncedKeyEvent[], facts: readonly KeyFact[]): Announcement[] {
  const replay = new KeyReplay();
  let replayed = 0;
  return due.flatMap((event) => {
    const at = unixSeconds(event.dueAt);
    for (; replayed < facts.length && facts[replayed]!.recorded_at < at; replayed += 1) replay.add(facts[replayed]!);
    const [before, behind] = [replay.at(at - 1), replay.at(at)];
    const isNow = (which: 'committed' | 'succession') => behind[which]?.event === event.uuid;
    if (event.action === 'key.commit') return isNow('committed') ? [newsOf(event, 'key.committed', behind)] : [];
    if (event.action === 'key.succeed') return isNow('succession') ? [newsOf(event, 'key.succeeded', behind)] : [];
    const hasEnded = before.freeze?.event === event.uuid && behind.succession === null;
    return hasEnded ? [newsOf(event, 'key.thawed', behind)] : [];
  });
}

function newsOf(event: AnnouncedKeyEvent, name: KeyEventName, state: KeyState): Announcement {
  const { avatar, uuid, action, signer, successor, fields, dueAt } = event;
  const news: KeyNews = { avatar, uuid, action, signer, due_at: unixSeconds(dueAt), is_frozen: state.isFrozen };
  const said = JSON.parse(fields) as { event: string; key: string };
  switch (name) {
    case 'key.pending':
    case 'key.succeeded':
      return { name, payload: { ...news, successor } as never };
    case 'key.vetoed':
      return { name, payload: { ...news, event: said.event } satisfies DomainEvents['key.vetoed'] };
    case 'key.added':
    case 'key.revoked':
      return { name, payload: { ...news, key: said.key } satisfies DomainEvents['key.added'] };
    default:
      return { name, payload: news };
  }
}
