import { DatabaseClient, type DatabaseClientConfig } from './database-client.js';

/**
 * A connection of the pool. Its user learns of its end by the statement that fails, and the pool listens while it is
 * idle; but between being handed out and being used there is a moment without a listener, and Node ends a process for
 * an error event without one.
 */
export class PooledClient extends DatabaseClient {
  constructor(config?: DatabaseClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}
