import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type GaugeSource, MAX_COUNTED, Measured, type Readings, UP_TO_LIMIT } from '../measures/measured.js';

const GAUGES = {
  signet_events_unnumbered: [`Events without a position in the stream, ${UP_TO_LIMIT}`],
  signet_events_parked: [`Events that a listener gave up, ${UP_TO_LIMIT}`],
  signet_event_position: ['Position of the newest event'],
  signet_event_handler_lag: ['Events that a listener has not had', 'handler'],
  signet_event_handler_failures: ['Failed tries of its next event', 'handler'],
} as const;

/** Each part reads the end of an index, a partial index that holds the backlog alone, or a small table. */
const EVENTS = `
  select (select count(*) from (select from domain_event where position is null limit ${MAX_COUNTED}) as waiting)::int as unnumbered,
    (select count(*) from (select from parked_event limit ${MAX_COUNTED}) as parked)::int as parked,
    (select coalesce(max(position), 0) from domain_event) as newest`;
const HANDLERS = 'select name as handler, position, failures from event_handler';

/** What waits between an event and its listeners. */
@Injectable()
@Measured()
export class EventGauges implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;

  constructor(private readonly dataSource: DataSource) {}

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const [counts] = await this.dataSource.query<[Record<'unnumbered' | 'parked' | 'newest', number>]>(EVENTS);
    const handlers = await this.dataSource.query<{ handler: string; position: number; failures: number }[]>(HANDLERS);
    return {
      signet_events_unnumbered: counts.unnumbered,
      signet_events_parked: counts.parked,
      signet_event_position: counts.newest,
      signet_event_handler_lag: handlers.map(({ handler, position }) => [
        { handler },
        Math.max(0, counts.newest - position),
      ]),
      signet_event_handler_failures: handlers.map(({ handler, failures }) => [{ handler }, failures]),
    };
  }
}
