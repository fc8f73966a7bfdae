import type { Server } from 'node:http';

/** File descriptors that are not for clients: the database and its replicas, platforms, webhooks, files. */
const RESERVED = 256;
/** Where next to nothing is allowed, clients and the rest share it. */
const LEAST_SHARE = 0.5;

/**
 * How many connections a process may accept that may have `openFiles` files open. Whoever accepts until nothing is left
 * can neither ask its database nor log, and Node itself throws where it should not.
 */
export function connectionsFor(openFiles: number): number {
  return Math.max(openFiles - RESERVED, Math.floor(openFiles * LEAST_SHARE));
}

/** Lets `server` refuse connections beyond that at once; `onRefusal` hears of each. */
export function boundConnections(server: Server, onRefusal: () => void): void {
  const limit = connectionsFor(openFilesLimit());
  if (limit === Infinity) return;
  server.maxConnections = limit;
  server.on('drop', onRefusal);
}

/**
 * Node raises its own limit to the highest that is allowed; where nothing is limited, or nothing known, there is no
 * limit.
 */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}
