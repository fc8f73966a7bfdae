import type { WebReply } from '../../web/fetcher.js';

/** The media type of messages in wire format (RFC 8484). */
export const WIRE_FORMAT = 'application/dns-message';

/** A submit waits for a proof: the questions of one, to one resolver after the other, take at most so much. */
export const MAX_CHAIN_REQUESTS = 40;
export const MAX_CHAIN_MS = 4_000;

/** Whether a reply states that it is a message in wire format. */
export function isWireFormat({ headers }: WebReply): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === WIRE_FORMAT;
}
