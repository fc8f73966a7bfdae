import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { DatabaseAddress } from './database-address.js';

/**
 * What is below a client, and not in the types of `pg`: it emits each message of the server before the statement hears
 * of it, and its bytes go through `stream`, plain or by TLS.
 */
export function connectionOf(client: pg.Client): EventEmitter & { stream: Socket } {
  return (client as unknown as { connection: EventEmitter & { stream: Socket } }).connection;
}

/** What the server reports of its settings, at the start and when they change. */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** The server is not one that may be used; it may be the primary soon, so waiting may help. */
export class StandbyError extends Error {
  /** cannot_connect_now, as of a server that is starting up. */
  readonly code = '57P03';
}

/**
 * What a server says of itself without being asked (PostgreSQL manual, "Asynchronous Operations"; both settings from
 * version 14 on). A pooler may keep it to itself.
 */
export class ServerState {
  private readonly settings = new Map<string, string>();

  constructor(client: pg.Client) {
    connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      this.settings.set(parameterName, parameterValue);
    });
  }

  get isStandby(): boolean {
    return this.settings.get('in_hot_standby') === 'on';
  }

  get isReadOnly(): boolean {
    return this.isStandby || this.settings.get('default_transaction_read_only') === 'on';
  }
}

/** @throws StandbyError */
export function assertAccepted(name: string, state: ServerState, accepts: DatabaseAddress['accepts']): void {
  if (accepts === 'any') return;
  if (state.isStandby) throw new StandbyError(`${name} is a standby`);
  if (accepts === 'read-write' && state.isReadOnly) throw new StandbyError(`${name} is read-only`);
}
