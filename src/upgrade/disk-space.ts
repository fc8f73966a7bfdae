import { statfs } from 'node:fs/promises';
import net from 'node:net';
import { parseDatabaseUrl } from '../database/connections/database-address.js';
import type { OpenDatabase } from '../database/database.js';
import type { SqlSource } from '../database/sql-source.js';

export interface DiskSpace {
  folder: string;
  freeBytes: number;
}

/**
 * Returns the disk of the database if this process can see it: the disk of the embedded engine, or of a server on this
 * machine with a readable data folder. Otherwise returns null, because PostgreSQL does not report the space on its
 * disk.
 */
export async function diskOf(
  { directUrl, dataDir }: Pick<OpenDatabase, 'directUrl' | 'dataDir'>,
  source: SqlSource,
): Promise<DiskSpace | null> {
  try {
    const folder = dataDir ?? (await serverFolder(directUrl, source));
    if (folder === null) return null;
    const { bavail, bsize } = await statfs(folder);
    return { folder, freeBytes: bavail * bsize };
  } catch {
    // The role may not ask for the folder, or this user may not look at it.
    return null;
  }
}

async function serverFolder(url: string, source: SqlSource): Promise<string | null> {
  const isHere = parseDatabaseUrl(url).hosts.every(({ url: host }) => isThisMachine(host));
  if (!isHere) return null;
  const [row] = await source.query<[{ folder: string }]>("select current_setting('data_directory') as folder");
  return row.folder;
}

/**
 * Whether the host is this machine. A container on it has files of its own: the folder then does not exist here, or
 * belongs to another server.
 */
function isThisMachine(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  if (searchParams.get('host')?.startsWith('/')) return true;
  const name = hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (net.isIPv4(name) && name.startsWith('127.'));
}

/** Such as `3.2 GiB`; sizes below one GiB in MiB. */
export function sizeText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
