import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { countChanged } from '../database/changes.js';
import { NotFoundError } from '../domain/domain-errors.js';
import type { Page } from '../domain/page.js';
import { readListedPage } from '../http/listed-page.js';
import { unixSecondsSql } from '../database/time-sql.js';
import type { DeadLetterDto } from './dead-letter.dto.js';
import { JobQueues, REVIVED_AT_ONCE } from './job-queues.js';
import type { DeadRows, WorkTable } from './work-table.js';

type TableWithDead = WorkTable & { dead: DeadRows };

/** Lets an operator list, replay and drop work that failed for good. */
@Injectable()
export class DeadLetters {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
  ) {}

  /**
   * The newest first; of one queue or of all. A queue that does not exist has none.
   * @throws InvalidRequestError (`page_too_deep`)
   */
  async list(queue: string | undefined, page: number): Promise<Page<DeadLetterDto>> {
    const tables = this.tables(queue);
    if (tables.length === 0) return { items: [], total: 0, current: page };
    const columns = `id, queue, data, error, ${unixSecondsSql('letter.failed_at')} as failed_at`;
    const rows = `from (${tables.map(lettersOf).join(' union all ')}) as letter`;
    return readListedPage(this.dataSource, { columns, rows, order: 'letter.failed_at desc, id' }, page);
  }

  /** Turns dead letters into work again, all or those of one queue. Returns how many. */
  async replayAll(queue?: string): Promise<number> {
    return this.revive(this.tables(queue), null);
  }

  /** @throws NotFoundError (`dead_letter_not_found`) */
  async replay(id: string): Promise<void> {
    if (!isUUID(id) || (await this.revive(this.tables(), id)) === 0) throw notFound(id);
  }

  /** Forgets a dead letter; its row stays what it is. @throws NotFoundError (`dead_letter_not_found`) */
  async drop(id: string): Promise<void> {
    let dropped = 0;
    for (const { table } of isUUID(id) ? this.tables() : []) {
      const sql = `update ${table} set dead_letter_id = null where dead_letter_id = $1`;
      dropped += await countChanged(this.dataSource, sql, [id]);
    }
    if (dropped === 0) throw notFound(id);
  }

  private tables(queue?: string): TableWithDead[] {
    return this.queues.tables.filter(
      (table): table is TableWithDead => table.dead !== undefined && (queue === undefined || table.queue === queue),
    );
  }

  /** Revives all letters, or the one with this id, oldest first; skips rows that another operator replays meanwhile. */
  private async revive(tables: TableWithDead[], id: string | null): Promise<number> {
    let revived = 0;
    for (const { queue, table, dead } of tables) {
      const oldest = `id in (
        select id from ${table} where dead_letter_id is not null and ($1::uuid is null or dead_letter_id = $1)
        order by ${dead.failedAt} limit ${REVIVED_AT_ONCE} for update skip locked)`;
      revived += await this.queues.revive(queue, oldest, [id]);
    }
    return revived;
  }
}

function lettersOf({ queue, table, dead }: TableWithDead): string {
  return `select dead_letter_id as id, '${queue}' as queue, ${dead.data} as data, last_error as error, ${dead.failedAt} as failed_at
    from ${table} where dead_letter_id is not null`;
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`There is no dead letter ${id}.`, 'dead_letter_not_found');
}
