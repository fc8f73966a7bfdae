import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { NotFoundError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { deadLetterQueue, type JobQueue, queueOfDeadLetters } from './job-queue.js';
import { JobQueues } from './job-queues.js';

/** A job that failed for good. */
export interface DeadLetter {
  id: string;
  /** The queue it came from. */
  queue: string;
  data: object;
  /** What went wrong the last time; a message, never a stack. */
  error: string;
  failedAt: Date;
}

interface Row {
  total: string;
  id: string | null;
  name: string;
  data: object;
  error: string;
  created_on: Date;
}

/** Always answers at least one row, so that the total is known on a page past the end too. */
const LIST = `
  with matching as (select * from pgboss.job where name = any($1::text[]) and state = 'created')
  select counted.total, page.id, page.name, page.data, page.created_on,
    coalesce(page.output ->> 'message', page.data ->> 'error', '') as error
  from (select count(*) as total from matching) as counted
  left join (select * from matching order by created_on desc, id limit $2 offset $3) as page on true
  order by page.created_on desc, page.id`;

/** Rows moved in one transaction. */
const BATCH = 500;

/** What an operator does with jobs that failed for good. */
@Injectable()
export class DeadLetters {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: JobQueues,
  ) {}

  /** The newest first; of one queue or of all. A queue that does not exist has none. */
  async list(queue: string | undefined, page: number): Promise<Page<DeadLetter>> {
    const rows: Row[] = await this.dataSource.query(LIST, [this.names(queue), PER_PAGE, offsetOf(page)]);
    const items = rows.flatMap((row) => (row.id === null ? [] : [toDeadLetter({ ...row, id: row.id })]));
    return { items, total: Number(rows[0]!.total), current: page };
  }

  /** Puts dead letters back into their queue, all or those of one queue; how many. */
  async replayAll(queue?: string): Promise<number> {
    let moved = 0;
    for (;;) {
      const batch = await this.dataSource.transaction((manager) => this.move(manager, this.names(queue), null));
      moved += batch;
      if (batch < BATCH) return moved;
    }
  }

  /** @throws NotFoundError (`dead_letter_not_found`) */
  async replay(id: string): Promise<void> {
    const moved = isUUID(id) ? await this.dataSource.transaction((manager) => this.move(manager, this.names(), id)) : 0;
    if (moved === 0) throw notFound(id);
  }

  /** Forgets a dead letter. @throws NotFoundError (`dead_letter_not_found`) */
  async drop(id: string): Promise<void> {
    const dropped = isUUID(id) ? await this.take(this.dataSource.manager, this.names(), id) : [];
    if (dropped.length === 0) throw notFound(id);
  }

  /** Forgets dead letters of `queue` in the transaction of `manager`; those that are gone already do not matter. */
  async discard(manager: EntityManager, queue: JobQueue<object>, ids: string[]): Promise<void> {
    await manager.query('delete from pgboss.job where name = $1 and id = any($2::uuid[])', [
      deadLetterQueue(queue.name),
      ids,
    ]);
  }

  private names(queue?: string): string[] {
    return this.queues.names.filter((name) => queue === undefined || name === queue).map(deadLetterQueue);
  }

  private async move(manager: EntityManager, names: string[], id: string | null): Promise<number> {
    const letters = await this.take(manager, names, id);
    for (const { name, data } of letters) await this.queues.resend(manager, queueOfDeadLetters(name), data);
    return letters.length;
  }

  /** Removes the oldest dead letters and answers them; another operator's are left alone. */
  private async take(
    manager: EntityManager,
    names: string[],
    id: string | null,
  ): Promise<{ name: string; data: object }[]> {
    const [taken] = (await manager.query(
      `delete from pgboss.job where (name, id) in (
         select name, id from pgboss.job where name = any($1::text[]) and state = 'created' and ($2::uuid is null or id = $2)
         order by created_on limit ${BATCH} for update skip locked)
       returning name, data`,
      [names, id],
    )) as [{ name: string; data: object }[], number];
    return taken;
  }
}

function toDeadLetter(row: Row & { id: string }): DeadLetter {
  return {
    id: row.id,
    queue: queueOfDeadLetters(row.name),
    data: row.data,
    error: row.error,
    failedAt: row.created_on,
  };
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`There is no dead letter ${id}.`, 'dead_letter_not_found');
}
