import { DiscoveryService } from '@nestjs/core';
import type { Counter } from 'prom-client';

/** Marks a provider that is a `GaugeSource`, a `CounterSource` or both. `operations` finds it and shows its numbers. */
export const Measured = DiscoveryService.createDecorator();

export type Sample = [labels: Record<string, string>, value: number];
/** What a gauge shows: a number, one for each set of its labels, or nothing. What is not known is nothing, not zero. */
export type Reading = number | Sample[] | null;
/** Gauges by name: what each shows, and its labels. */
export type Gauges = Record<string, readonly [help: string, ...labels: string[]]>;
export type Readings<Declared extends Gauges> = Record<keyof Declared, Reading>;

/** A provider with numbers of the whole deployment, which every server reads from the database. */
export interface GaugeSource<Declared extends Gauges = Gauges> {
  readonly gauges: Declared;
  /** Reads all of them now, by one statement after the other; throws the driver's errors. */
  readGauges(): Promise<Readings<Declared>>;
}

/** A provider that counts what this process does. Its counters are in no registry (`registers: []`). */
export interface CounterSource {
  readonly counters: Counter[];
}

/** Rows that a gauge counts at most: a backlog beyond this is an emergency at any exact size. */
export const MAX_COUNTED = 10_000;
/** What the help of a gauge says of `MAX_COUNTED`. */
export const UP_TO_LIMIT = `counted up to ${MAX_COUNTED}`;

/** One sample for each of the numbers, whose name is the value of `label`. */
export function samplesOf(label: string, numbers: Record<string, number>): Sample[] {
  return Object.entries(numbers).map(([name, number]) => [{ [label]: name }, number]);
}
