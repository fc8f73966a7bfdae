import type { Server } from 'node:http';
import { openFilesLimit } from '../../config/open-files-limit.js';

/** File descriptors that are not for clients: the database and its replicas, platforms, webhooks, files. */
const RESERVED = 256;
/** The share of clients where the limit of open files is very low. */
const LEAST_SHARE = 0.5;

/**
 * How many connections a process with a limit of `openFiles` open files may accept. A process that accepts until no
 * file is left can neither reach its database nor log, and Node itself throws where it should not.
 */
export function connectionsFor(openFiles: number): number {
  return Math.max(openFiles - RESERVED, Math.floor(openFiles * LEAST_SHARE));
}

/** Makes `server` refuse connections beyond `connectionsFor` at once; `onRefusal` is called for each. */
export function boundConnections(server: Server, onRefusal: () => void): void {
  const limit = connectionsFor(openFilesLimit());
  if (limit === Infinity) return;
  server.maxConnections = limit;
  server.on('drop', onRefusal);
}
