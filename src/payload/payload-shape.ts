/** A version 4 uuid as the seal writes it: lowercase hex in groups of 8, 4, 4, 4 and 12. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** UNIX seconds in decimal, without leading zeros, up to the year 33658. */
export const UNIX_TEXT_PATTERN = /^(?:0|[1-9]\d{0,11})$/;
