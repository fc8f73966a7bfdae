/**
 * Something in the schema that this version does not use any more, and the version before does. It stays until no
 * server of that one can run beside ours: servers of two neighbouring minor versions share a database during an upgrade
 * and when it is taken back. test/upgrade/releases/schema.spec.ts holds that the list names everything that no code
 * uses.
 */
export interface Droppable {
  kind: 'schema' | 'column' | 'index';
  /** `schema`, `table.column`, or the name of an index. */
  name: string;
  /** The last version that reads or writes it. */
  usedUntil: string;
  /** The first version whose migrations may drop it: two minor versions later. */
  droppedIn: string;
  why: string;
}

/** Oldest first. A change that stops using a table, a column or an index adds it here; the named version drops it. */
export const DROPPABLE: Droppable[] = [
  {
    kind: 'schema',
    name: 'pgboss',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'jobs were rows of pg-boss; deliveries and batches have leases of their own. An operator may drop it earlier, once no server of 0.1.0 runs.',
  },
  {
    kind: 'column',
    name: 'archive_batch.reminded_at',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'when a job was sent for a batch that had lost its own',
  },
  {
    kind: 'index',
    name: 'proof_identity_trigrams',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'ambiguous searches ask the index proof_identity_pieces. An operator may drop it earlier, once no server of 0.1.0 runs.',
  },
  {
    kind: 'index',
    name: 'proof_identity_grams',
    usedUntil: '0.1.0',
    droppedIn: '0.3.0',
    why: 'ambiguous searches ask it only until proof_identity_pieces is built. An operator may drop it earlier, once that one is there and no server of 0.1.0 runs.',
  },
];
