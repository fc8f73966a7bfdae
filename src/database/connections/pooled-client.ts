import { DatabaseClient, type DatabaseClientConfig } from './database-client.js';

/**
 * A connection of the pool. Whoever uses it hears of its end through the statement that fails, and the pool listens
 * while it is idle; but between being handed out and being used there is a moment in which nobody listens, and Node
 * ends a process for an error that nobody hears.
 */
export class PooledClient extends DatabaseClient {
  constructor(config?: DatabaseClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}
