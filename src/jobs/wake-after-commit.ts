import type { EntitySubscriberInterface, QueryRunner } from 'typeorm';

/**
 * Remembers which queues got a job in a transaction, and wakes their workers once it is committed: before, they would
 * find nothing. TypeORM emits the event for every transaction, so code that adds a job does not wake workers itself.
 */
export class WakeAfterCommit implements EntitySubscriberInterface {
  private readonly sent = new WeakMap<QueryRunner, Set<string>>();

  constructor(private readonly wake: (queue: string) => void) {}

  note(runner: QueryRunner, queue: string): void {
    this.sent.set(runner, (this.sent.get(runner) ?? new Set()).add(queue));
  }

  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    // TypeORM announces the end of a savepoint in the same way, which is not the end of the transaction.
    if (queryRunner.isTransactionActive) return;
    for (const queue of this.sent.get(queryRunner) ?? []) this.wake(queue);
    this.sent.delete(queryRunner);
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) this.sent.delete(queryRunner);
  }
}
