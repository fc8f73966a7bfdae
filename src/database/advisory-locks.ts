/**
 * The advisory locks of the service, all of them taken until the end of a transaction. Servers of different versions
 * run side by side during an update, so a number never changes. PostgreSQL keeps locks that are named by one number
 * (`bigint`) apart from those that are named by two (`integer`, `integer`), so `relay` and `KV_CHAIN_LOCKS` never meet.
 */
export const ADVISORY_LOCKS = {
  /**
   * Links get their ids under it. Ids are handed out before commit, so without it a slow transaction could commit id 7
   * after a reader of the feed has passed id 8, and that reader would never see link 7. Its holder sees, at READ
   * COMMITTED, all links that there are. It is held for two statements and one commit, and its holder never waits for a
   * transaction that wants it.
   */
  append: 7_367_101,
  /** Committed events get their positions under it. */
  relay: 7_367_102,
  /**
   * Entries are added to the transparency log, and its tree heads signed, under it. It is only tried for, never waited
   * for: a server that does not get it leaves the work to the server that has it.
   */
  log: 7_367_103,
  /**
   * Patches get their numbers in the feed under it, as ids are given under `append`: behind the locks of their chains,
   * for one statement and one commit. Servers of 0.1.0 do not know it and give no numbers.
   */
  patchNumbers: 7_367_104,
  /** New entries are merged into the indexes of searches under it, which is only tried for, as `log` is. */
  searchMerge: 7_367_105,
  /** Bindings are added to the table of searches under it, which is only tried for. */
  searchFill: 7_367_106,
  /** Documents for the archive are signed under it, because each names the one before it. */
  archiveSigning: 7_367_110,
  /** Statements of what was seen get their places in their feed under it, as links get their ids under `append`. */
  seenStatements: 7_367_120,
  /** Migrations run under it; "signet" in ASCII. */
  migration: 0x7369676e6574,
} as const;

/** First number of the locks of key-value chains; the second one is the hash of the Avatar. */
export const KV_CHAIN_LOCKS = 7_367_102;

/**
 * A statement that takes the locks of these key-value chains, so that each writer sees what the one before has
 * committed. All transactions take such locks in one order, so they cannot deadlock. Two Avatars whose hashes collide
 * merely wait for each other.
 * @param avatars compressed keys
 */
export function lockKvChainsSql(avatars: readonly string[]): string {
  // Hex digits: nothing in them needs an escape.
  return `select pg_advisory_xact_lock(${KV_CHAIN_LOCKS}, chain.hash) from (
    select distinct hashtext(avatar) as hash from unnest('{${avatars.join()}}'::text[]) as avatar order by hash
  ) as chain`;
}
