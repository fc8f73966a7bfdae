import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource, type EntityManager } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { type ErasedName, eraseEvents, eraseParkedEvents } from '../events/erase-events.js';
import { EventWakeUp } from '../events/event-wake-up.js';
import { erasePushes } from '../push/erase-pushes.js';
import { eraseDeliveries, FIRST_DELIVERY } from '../webhooks/erase-deliveries.js';

/** What an erasure has left to do: a row of `erasure_rest`. */
interface Rest extends ErasedName {
  id: string;
  eventsAfter: number;
  eventIds: string[];
}

/** How many events, and deliveries of webhooks, had texts that are gone now. */
export interface ErasedRest {
  events: number;
  deliveries: number;
}

const TICK_MS = 60_000;

const NEXT = `select id, uuid, avatar, platform, identity, is_last as "isLast", events_after as "eventsAfter",
    event_ids as "eventIds" from erasure_rest order by id limit 1`;

/** Notes, in the transaction of an erasure, what is to be done behind its commit. */
export async function addRest(manager: EntityManager, name: ErasedName): Promise<void> {
  const { uuid, avatar, platform, identity, isLast } = name;
  const sql = 'insert into erasure_rest (uuid, avatar, platform, identity, is_last) values ($1, $2, $3, $4, $5)';
  await manager.query(sql, [uuid, avatar, platform, identity, isLast]);
}

/**
 * Erases what events and deliveries have of erased texts, some thousand rows at a time, so that nobody waits for it.
 * Whoever is cut off goes on where it was; two who do it at once do no harm.
 * @returns null if there was nothing to do
 */
export async function finishErasures(source: DataSource): Promise<ErasedRest | null> {
  const done = { events: 0, deliveries: 0 };
  let found = false;
  for (;;) {
    const [rest] = (await source.query(NEXT)) as Rest[];
    if (!rest) return found ? done : null;
    found = true;
    const { events, deliveries } = await finish(source, rest);
    done.events += events;
    done.deliveries += deliveries;
  }
}

async function finish(source: DataSource, rest: Rest): Promise<ErasedRest> {
  const eventIds = new Set(rest.eventIds);
  for (let after: number | null = rest.eventsAfter; after !== null;) {
    // The texts and what is known of them by one transaction: deliveries are found by the ids of events.
    const position: number = after;
    after = await source.transaction('READ COMMITTED', async (manager) => {
      const { ids, last } = await eraseEvents(manager, rest, position);
      for (const id of ids) eventIds.add(id);
      const sql = 'update erasure_rest set events_after = $2, event_ids = $3 where id = $1';
      await manager.query(sql, [rest.id, last ?? position, [...eventIds]]);
      return last;
    });
  }
  await eraseParkedEvents(source, rest);
  await erasePushes(source, rest, [...eventIds]);
  let deliveries = 0;
  for (let after: string | null = FIRST_DELIVERY; after !== null;) {
    const { erased, last } = await eraseDeliveries(source, rest.uuid, [...eventIds], after);
    deliveries += erased;
    after = last;
  }
  await source.query('delete from erasure_rest where id = $1', [rest.id]);
  return { events: eventIds.size, deliveries };
}

/** A server goes on with what a command had not finished when it ended. */
@Injectable()
export class ErasureRests {
  private readonly logger = new Logger('ErasureRests');
  private readonly runs = new SingleFlight();

  constructor(
    private readonly dataSource: DataSource,
    private readonly wakeUp: EventWakeUp,
  ) {}

  /** Never throws: the next tick tries again. */
  @Interval(TICK_MS)
  tick(): Promise<void> {
    return this.runs.join(async () => {
      try {
        const done = await finishErasures(this.dataSource);
        if (!done) return;
        // The embedded database notifies nobody.
        this.wakeUp.textsErased.next();
        this.logger.log(`Erased the texts of ${done.events} events and ${done.deliveries} deliveries.`);
      } catch (error) {
        this.logger.warn(`The rest of an erasure could not be done: ${(error as Error).message}`);
      }
    });
  }
}
