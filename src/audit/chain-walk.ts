/** A row of a chain: links and patches alike. */
export interface ChainPosition {
  /** Compressed key. */
  avatar: string;
  /** 1 for the first. */
  position: number;
}

/** What is done with the rows of a walk. Each method throws to end it. */
export interface ChainVisitor<Row extends ChainPosition> {
  /** `previous` is the row before in the same chain, or null for the first that there is. */
  visit(row: Row, previous: Row | null): void | Promise<void>;
  /** These chains were seen to their ends. */
  finish(avatars: string[]): Promise<void>;
}

/**
 * Goes through all chains, one after the other, each from its beginning. `read` answers the rows behind a position,
 * ordered by Avatar and position, some at a time and none at the end, so that no more than that is ever in memory.
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
