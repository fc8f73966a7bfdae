/**
 * A second opinion on the rules of key events, made from the table of docs/keys.md alone: nothing is carried along from
 * event to event, and each question is answered by looking through all that was accepted.
 */
import type { KeyFact } from '@signet/verify/key-events';

const [HOUR, DAY] = [3_600, 86_400];

/** An event that is not about a key of an app. */
type RecoveryFact = Exclude<KeyFact, { action: 'key.add' | 'key.revoke' }>;

interface Entry {
  event: KeyFact;
  due: number;
  /** When it lost its force before its time; Infinity where it did not. */
  stopped: number;
  /** Whether main key and highest key signed together. */
  both: boolean;
  /** Whether it counts in the limits. */
  counts: boolean;
}

export class KeyModel {
  private readonly entries: Entry[] = [];
  /** When which key was stopped. */
  private readonly stops: { key: string; at: number }[] = [];

  /** All times at which something may change. */
  get deadlines(): number[] {
    const ends = this.entries.flatMap(({ event }) => (event.action === 'key.add' ? [event.fields.expires_at] : []));
    return [...this.entries.map(({ due }) => due), ...this.stops.map(({ at }) => at + 30 * DAY), ...ends];
  }

  /** The recovery keys in force at a time, highest first. */
  keysAt(at: number): string[] {
    return this.commitAt(at)?.fields.recovery ?? [];
  }

  private commitAt(at: number) {
    const done = this.of('key.commit').filter(({ due, stopped }) => due <= at && due < stopped);
    const last = done.reduce<Entry | null>((best, one) => (best && best.due > one.due ? best : one), null);
    return last && (last.event as KeyFact & { action: 'key.commit' });
  }

  /** The uuid of the event of an action that waits for its time. */
  pendingAt(action: 'key.commit' | 'key.succeed', at: number): string | null {
    return this.waiting(action, at)?.event.uuid ?? null;
  }

  private waiting(action: string, at: number): Entry | undefined {
    return this.of(action).find(({ due, stopped }) => at < due && at < stopped);
  }

  private freezeAt(at: number): Entry | undefined {
    return this.of('key.freeze').findLast(({ due, stopped }) => at < due && at < stopped);
  }

  isFrozenAt(at: number): boolean {
    return !this.successorAt(at) && Boolean(this.freezeAt(at) ?? this.waiting('key.succeed', at));
  }

  successorAt(at: number): string | null {
    const done = this.of('key.succeed').find(({ due, stopped }) => due <= at && due < stopped);
    return done ? (done.event.fields as { successor: string }).successor : null;
  }

  /** The keys of apps that may sign at a time, with what the newest event that added them says. */
  appKeysAt(at: number): { key: string; scopes: string[]; expires_at: number }[] {
    if (this.successorAt(at)) return [];
    const names = new Set(this.adds.map(({ key }) => key));
    return [...names]
      .filter((name) => !this.wasRevoked(name))
      .map((name) => this.adds.findLast(({ key }) => key === name)!)
      .filter(({ expires_at: end }) => at < end);
  }

  private get adds() {
    return this.entries.flatMap(({ event }) => (event.action === 'key.add' ? [event.fields] : []));
  }

  private wasRevoked(name: string): boolean {
    return this.entries.some(({ event }) => event.action === 'key.revoke' && event.fields.key === name);
  }

  private isAppEventAllowed(event: KeyFact & { action: 'key.add' | 'key.revoke' }): boolean {
    const { recorded_at: at, signer, cosigner } = event;
    const { key } = event.fields;
    if (this.successorAt(at) !== null || this.wasRevoked(key)) return false;
    if (event.action === 'key.revoke') {
      const isAdded = this.adds.some((fields) => fields.key === key);
      return isAdded && cosigner === null && ['main', key, ...this.keysAt(at)].includes(signer);
    }
    const { expires_at: end } = event.fields;
    const others = this.appKeysAt(at).filter((other) => other.key !== key);
    const isOwn = signer === 'main' && cosigner === key;
    return (
      isOwn && others.length < 32 && this.isRoomFor(event) && !this.isFrozenAt(at) && end > at && end - at <= 730 * DAY
    );
  }

  private of(action: string): Entry[] {
    return this.entries.filter(({ event }) => event.action === action);
  }

  /** How many keys are above this one. */
  private above(key: string, at: number): number {
    const keys = this.keysAt(at);
    if (key === 'main') return keys.length;
    return keys.includes(key) ? keys.indexOf(key) : Math.max(keys.length - 1, 0);
  }

  /** Whether an event begins something; one that ends what another began counts for no limit. */
  private counts({ action }: KeyFact): boolean {
    return ['key.commit', 'key.freeze', 'key.succeed', 'key.add'].includes(action);
  }

  /** A thousand in all and thirty a day, less twenty and two for each place above. */
  private isRoomFor(event: KeyFact): boolean {
    if (!this.counts(event)) return true;
    const { action, signer, cosigner, recorded_at: at } = event;
    const byBoth = action !== 'key.add' && cosigner !== null;
    const above = byBoth ? 0 : signer === 'main' ? 6 : this.above(signer, at) + 1;
    const before = this.entries.filter(({ counts }) => counts);
    const today = before.filter(({ event: other }) => at - other.recorded_at < DAY);
    return before.length < 1000 - 20 * above && today.length < 30 - 2 * above;
  }

  private wasStopped(key: string, at: number): boolean {
    return this.stops.some((stop) => stop.key === key && stop.at <= at && at < stop.at + 30 * DAY);
  }

  /** Adds the event if the table allows it. */
  add(event: KeyFact): boolean {
    const at = event.recorded_at;
    if (event.action === 'key.add' || event.action === 'key.revoke') {
      if (!this.isAppEventAllowed(event)) return false;
      this.entries.push({ event, due: at, stopped: Infinity, both: false, counts: event.action === 'key.add' });
      return true;
    }
    if (!this.isAllowed(event)) return false;
    const both = event.cosigner !== null;
    const place = both ? -1 : this.above(event.signer, at);
    const isFirst = event.action === 'key.commit' && event.links === 0 && this.keysAt(at).length === 0;
    const delay = (this.commitAt(at)?.fields.delay_hours ?? 72) * HOUR;
    const due =
      event.action === 'key.freeze'
        ? at + (event.signer === 'main' ? 7 : 30) * DAY
        : (event.action === 'key.commit' || event.action === 'key.succeed') && !both && !isFirst
          ? at + delay
          : at;
    const counts = this.counts(event);
    this.stopOthers(event, place, isFirst || both);
    this.entries.push({ event, due, stopped: Infinity, both, counts });
    return true;
  }

  private stopOthers(event: RecoveryFact, place: number, isAtOnce: boolean): void {
    const at = event.recorded_at;
    const waiting = this.entries.filter(
      ({ event: { action }, due, stopped }) =>
        (action === 'key.commit' || action === 'key.succeed') && at < due && at < stopped,
    );
    const frozen = this.freezeAt(at);
    if (event.action === 'key.thaw') {
      frozen!.stopped = at;
      const { signer } = frozen!.event;
      if (place < this.above(signer, at) || event.signer === 'main') this.stops.push({ key: signer, at });
      return;
    }
    if (event.action === 'key.veto') {
      const vetoed = waiting.find(({ event: { uuid } }) => uuid === event.fields.event)!;
      vetoed.stopped = at;
      this.stops.push({ key: vetoed.event.signer, at });
      return;
    }
    if (event.action === 'key.commit' && !isAtOnce) return;
    const lower = waiting.filter(({ event: { signer } }) => this.above(signer, at) > place);
    const replaced = waiting.filter(
      ({ event: { action } }) => action === 'key.commit' && event.action === 'key.commit',
    );
    for (const one of [...lower, ...replaced]) one.stopped = at;
    if (event.action === 'key.freeze' && frozen) frozen.stopped = at;
  }

  private isAllowed(event: RecoveryFact): boolean {
    const at = event.recorded_at;
    const { action, signer, cosigner } = event;
    const keys = this.keysAt(at);
    if (this.successorAt(at) !== null) return false;
    if (signer !== 'main' && !keys.includes(signer)) return false;
    const both = cosigner !== null;
    if (both && !(signer === 'main' && cosigner === keys[0] && ['key.commit', 'key.succeed'].includes(action)))
      return false;
    if (!this.isRoomFor(event)) return false;
    const place = both ? -1 : this.above(signer, at);
    const frozen = this.freezeAt(at);
    const succession = this.waiting('key.succeed', at);
    const commit = this.waiting('key.commit', at);
    const placeOf = (entry: Entry) => this.above(entry.event.signer, at);
    const isOutranked = [frozen, succession].some((entry) => entry && placeOf(entry) < place);
    switch (action) {
      case 'key.commit':
        return signer === 'main' && !isOutranked && (both || !commit);
      case 'key.succeed':
        return !isOutranked && (both || !this.wasStopped(signer, at)) && (!succession || placeOf(succession) > place);
      case 'key.freeze': {
        const last = this.of('key.freeze').findLast(({ event: other }) => other.signer === 'main');
        const isTooSoon = signer === 'main' && last !== undefined && at < last.due + 30 * DAY;
        return !isOutranked && !isTooSoon && !this.wasStopped(signer, at) && (!frozen || placeOf(frozen) > place);
      }
      case 'key.thaw':
        return frozen !== undefined && place <= placeOf(frozen);
      case 'key.veto': {
        const target = [commit, succession].find((entry) => entry?.event.uuid === event.fields.event);
        return target !== undefined && (placeOf(target) > place || (keys.length === 0 && signer === 'main'));
      }
    }
  }
}
