import {
  readOtherEntry,
  decodeBundle,
  tilePath,
  rootFromTiles,
  type ReadTiles,
  TILE_WIDTH,
  tileWidth,
  TreeFrontier,
} from '@signet/verify/internal/log';
import {
  type Checkpoint,
  type Policy,
  leafHash,
  logOnlyPolicy,
  type LogEntry,
  readCheckpoint,
  readEntry,
  readVerifierKey,
} from '@signet/verify/log';
import { readMapEntry } from '@signet/verify/internal/map';
import type { RunningApp } from '../support/app.js';
import { until } from '../support/until.js';

/** A server, as far as a reader of its log needs it. */
export type LogServer = Pick<RunningApp, 'baseUrl' | 'get'>;

/** An answer that is not JSON. */
export interface Raw {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
}

export async function getRaw(server: LogServer, path: string): Promise<Raw> {
  const response = await fetch(`${server.baseUrl}${path}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: Buffer.from(bytes).toString('utf8') };
}

/** The policy of a reader who believes the key that the server names. */
export async function policyOf(server: LogServer): Promise<Policy> {
  const { body } = await server.get('/v1/log');
  return logOnlyPolicy(readVerifierKey(body.verifier_key)!);
}

/** The published checkpoint, or null while there is none. */
export async function readHead(server: LogServer): Promise<Checkpoint | null> {
  const { status, text } = await getRaw(server, '/log/checkpoint');
  return status === 200 ? readCheckpoint(text) : null;
}

/**
 * Waits until the published tree has the entries of `records` links, patches and erasures or more, those of the map not
 * counted, and answers its checkpoint.
 */
export async function headOfRecords(server: LogServer, records: number): Promise<Checkpoint> {
  let head: Checkpoint | null = null;
  await until(async () => {
    head = await readHead(server);
    return head !== null && head.size >= records && recordsOf(await readEntries(server, head.size)).length >= records;
  });
  return head!;
}

/** How many links, patches and erasures are in the published tree. */
export async function countRecords(server: LogServer): Promise<number> {
  const head = await readHead(server);
  return head ? recordsOf(await readEntries(server, head.size)).length : 0;
}

/** The entries of links, patches and erasures. */
export function recordsOf<Entry extends { entry: { kind: string } }>(entries: Entry[]): Entry[] {
  return entries.filter(({ entry }) => entry.kind !== 'map');
}

/** The proof file of a link or a patch, once it is in the log. */
export async function proofOf(server: LogServer, query: string): Promise<string> {
  let answer: Raw | undefined;
  await until(async () => (answer = await getRaw(server, `/v1/log/proof?${query}`)).status === 200);
  return answer!.text;
}

/**
 * All entries of the tree of `size`, by bundles, as an auditor of any make reads them; those of the map are of the kind
 * `map`.
 */
export async function readEntries(server: LogServer, size: number): Promise<{ bytes: Uint8Array; entry: LogEntry }[]> {
  const entries = [];
  for (let number = 0; number * TILE_WIDTH < size; number++) {
    const width = tileWidth('entries', number, size);
    const { bytes } = await getRaw(server, `/log/${tilePath({ level: 'entries', number, width })}`);
    entries.push(...(decodeBundle(bytes) ?? []));
  }
  return entries.map((bytes) => ({
    bytes,
    entry: (readEntry(bytes) ?? readMapEntry(bytes) ?? readOtherEntry(bytes)) as LogEntry,
  }));
}

/** The root that the entries give. */
export function rootOf(entries: { bytes: Uint8Array }[]): Uint8Array {
  const tree = new TreeFrontier();
  for (const { bytes } of entries) tree.add(leafHash(bytes));
  return tree.root();
}

const readTilesOf =
  (server: LogServer): ReadTiles =>
  (tiles) =>
    Promise.all(tiles.map(async (tile) => (await getRaw(server, `/log/${tilePath(tile)}`)).bytes));

/** The root that the served tiles give. */
export function rootOfTiles(server: LogServer, size: number): Promise<Uint8Array> {
  return rootFromTiles(size, readTilesOf(server));
}
