import type { Charge } from '../http/server/served-as.js';

/** The charge of the state of keys: it follows from up to 2,000 key events, whose replay is the work of five reads. */
export function chargeOfState(): Charge {
  return { name: 'reads', points: 5 };
}

/** The charge of a key event that is submitted: it is judged by the state, which is the work of five payloads. */
export function chargeOfKeyEvent(): Charge {
  return { name: 'payloads', points: 5 };
}
