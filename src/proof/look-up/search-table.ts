/*
 * The table of searches: what ambiguous lookups need of each binding, with the index of pieces over it. It is filled
 * behind the commits (`SearchUpkeep`), in the order of links.
 */

/** The index of pieces over `proof_search`. */
export const SEARCH_INDEX = 'proof_search_pieces';

/** The index of pieces of 0.2.0, over `proof`; absent from a database that was made by a newer version. */
export const FORMER_SEARCH_INDEX = 'proof_identity_pieces';

/** Link ids of a range, as a power of two; 15 in the database's function `identity_pieces` too. */
export const RANGE_BITS = 15;

/** The newest link whose binding is in the table. */
export const LAST_ADDED = '(select coalesce(max(link_id), 0) from proof_search)';

/** Whether a row of `proof` (alias `p`) is not in the table yet, to which bindings are added in the order of links. */
export const IS_WAITING = `p.link_id > ${LAST_ADDED}`;
