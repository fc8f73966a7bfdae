import type { Span } from '@opentelemetry/api';
import type { DataSource, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import type { AfterQueryEvent } from 'typeorm/subscriber/event/QueryEvent.js';
import type { Spans } from './spans.js';

const SYSTEM = { 'db.system.name': 'postgresql' };

/**
 * Makes a span for each transaction and each statement that belongs to a traced request. Texts of statements hold
 * placeholders for all values of a request. Lookups that bypass TypeORM (`readRows`) have no span of their own.
 * @returns a function that stops it
 */
export function traceDatabase(dataSource: DataSource, spans: Spans): () => void {
  const subscriber = new DatabaseSpans(spans);
  dataSource.subscribers.push(subscriber);
  return () => {
    dataSource.subscribers.splice(dataSource.subscribers.indexOf(subscriber), 1);
  };
}

class DatabaseSpans implements EntitySubscriberInterface {
  private readonly transactions = new WeakMap<QueryRunner, Span>();

  constructor(private readonly spans: Spans) {}

  afterTransactionStart({ queryRunner }: { queryRunner: QueryRunner }): void {
    // TypeORM announces a savepoint inside a transaction in the same way.
    if (!this.spans.isTracing || this.transactions.has(queryRunner)) return;
    this.transactions.set(queryRunner, this.spans.startClient('transaction', SYSTEM));
  }

  afterTransactionCommit({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) this.end(queryRunner, null);
  }

  afterTransactionRollback({ queryRunner }: { queryRunner: QueryRunner }): void {
    if (!queryRunner.isTransactionActive) this.end(queryRunner, 'rolled back');
  }

  afterQuery({ query, executionTime, success }: AfterQueryEvent): void {
    if (!this.spans.isTracing) return;
    const verb = /^\s*(\w+)/.exec(query)?.[1]?.toUpperCase() ?? 'SQL';
    const attributes = { ...SYSTEM, 'db.operation.name': verb, 'db.query.text': query.trim().replace(/\s+/g, ' ') };
    const span = this.spans.startClient(verb, attributes, new Date(Date.now() - (executionTime ?? 0)));
    this.spans.end(span, success ? null : 'failed');
  }

  private end(queryRunner: QueryRunner, failure: string | null): void {
    const span = this.transactions.get(queryRunner);
    if (span) this.spans.end(span, failure);
    this.transactions.delete(queryRunner);
  }
}
