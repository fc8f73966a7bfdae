import type { ChainPosition } from '../ledger/audited-kind.js';

/** Handles the rows of a walk. Each method may throw to end the walk. */
export interface ChainVisitor<Row extends ChainPosition> {
  /** Called for each row; `previous` is the row before it in the same chain, or null for the first row. */
  visit(row: Row, previous: Row | null): void | Promise<void>;
  /** Called with the Avatars whose chains have been read to their ends. */
  finish(avatars: string[]): Promise<void>;
}

/**
 * Walks all chains, one after the other, each from its beginning. `read` returns a batch of the rows behind a position,
 * ordered by Avatar and position, and none at the end, so that only one batch is in memory at a time.
 */
export async function walkChains<Row extends ChainPosition>(
  read: (after: ChainPosition) => Promise<Row[]>,
  visitor: ChainVisitor<Row>,
): Promise<void> {
  let previous: Row | null = null;
  for (;;) {
    const rows: Row[] = await read(previous ?? { avatar: '', position: 0 });
    const ended: string[] = [];
    for (const row of rows) {
      const isNext: boolean = previous?.avatar === row.avatar;
      if (previous && !isNext) ended.push(previous.avatar);
      await visitor.visit(row, isNext ? previous : null);
      previous = row;
    }
    if (rows.length === 0 && previous) ended.push(previous.avatar);
    if (ended.length > 0) await visitor.finish(ended);
    if (rows.length === 0) return;
  }
}
