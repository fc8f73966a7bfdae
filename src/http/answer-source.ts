/**
 * Where an object of an answer keeps what it was made from, for those who add members to it. JSON leaves a symbol out.
 */
export const SOURCE = Symbol('source');
