import type { EntityManager } from 'typeorm';

/** Injection token of `WitnessedClock`; absent where there is no log. */
export const WITNESSED_CLOCK = Symbol('WITNESSED_CLOCK');

/** The clocks of the witnesses of the log. */
export interface WitnessedClock {
  /** UNIX seconds of the newest cosignature, in the transaction of `manager`; null before the first. */
  newestCosignature(manager: EntityManager): Promise<number | null>;
}
