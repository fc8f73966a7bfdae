import type { EntitySubscriberInterface, QueryRunner } from 'typeorm';

/**
 * Remembers which queues got a job in a transaction, and wakes their workers once it is committed: before, they would
 * find nothing. The event comes from TypeORM for every transaction, so whoever sends a job need not think of it.
 */
export class WakeAfterCommit implements EntitySubscriberInterface {
  private readonly sent = new WeakMap<QueryRunner, Set<string>>();

  constructor(private readonly wake: (queue: string) => void) {}

  note(runner: QueryRunner, queue: string): void {
    this.sent.set(runner, (this.sent.get(runner) ?? new Set()).add(queue));
  }

  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    // The end of a savepoint is announced in the same way, and says nothing yet.
    if (queryRunner.isTransactionActive) return;
    for (const queue of this.sent.get(queryRunner) ?? []) this.wake(queue);
    this.sent.delete(queryRunner);
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) this.sent.delete(queryRunner);
  }
}
