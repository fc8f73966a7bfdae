import type { Charge } from '../http/server/served-as.js';

/** The charge of the state of keys: it follows from up to 2,000 key events, whose replay is the work of three reads. */
export function chargeOfState(): Charge {
  return { name: 'reads', points: 3 };
}
