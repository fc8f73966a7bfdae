import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header in which a proxy may name a request, and in which every answer names it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Letters, digits and `.`, `_`, `-`: nothing that could break a line of the log or a header. */
const WELL_FORMED = /^[\w.-]{8,128}$/;

/** The id that came with the request, if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
