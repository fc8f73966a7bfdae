import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { OpenDatabase } from '../database/database.js';
import { clusterFolder } from '../database/embedded/embedded-folder.js';

/** In the folder of the embedded cluster, for one statement; the engine sees no other folder. */
const FILE = 'signet-move.copy';
/** Bytes of one message. */
const CHUNK_BYTES = 1 << 16;

/** The parts of a connection of `pg` that a statement uses which is not a query. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** A COPY statement, in the form in which `pg` takes statements of its own making (`Submittable`). */
class CopyStatement {
  readonly result: Promise<Buffer>;
  private readonly chunks: Buffer[] = [];
  private failure: Error | undefined;
  private settle!: { resolve(data: Buffer): void; reject(error: Error): void };

  /** @param rows what COPY FROM STDIN reads */
  constructor(
    private readonly text: string,
    private readonly rows: Buffer = Buffer.alloc(0),
  ) {
    this.result = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  submit(wire: Wire): void {
    wire.query(this.text);
  }

  /** The bytes are part of a buffer that is used again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }

  handleCopyInResponse(wire: Wire): void {
    for (let start = 0; start < this.rows.length; start += CHUNK_BYTES) {
      wire.sendCopyFromChunk(this.rows.subarray(start, start + CHUNK_BYTES));
    }
    wire.endCopyFrom();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.settle.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.settle.resolve(Buffer.concat(this.chunks));
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleRowDescription(): void {}
}

/** The rows of a query in the text form of COPY. @throws the driver's error */
export async function copyOut(client: pg.PoolClient, query: string): Promise<Buffer> {
  return run(client, new CopyStatement(`copy (${query}) to stdout`));
}

/**
 * Adds rows in the text form of COPY to a table.
 * @param target such as `kv_patch (id, avatar)`
 * @throws the driver's error
 */
export async function copyIn(
  client: pg.PoolClient,
  { dataDir }: Pick<OpenDatabase, 'dataDir'>,
  target: string,
  rows: Buffer,
): Promise<void> {
  if (dataDir === undefined) {
    await run(client, new CopyStatement(`copy ${target} from stdin`, rows));
    return;
  }
  // The embedded engine cannot wait for rows in the middle of a statement.
  const file = path.join(clusterFolder(dataDir), FILE);
  await writeFile(file, rows, { mode: 0o600 });
  try {
    const { rows: settings } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    );
    await client.query(`copy ${target} from '${settings[0]!.folder}/${FILE}'`);
  } finally {
    await rm(file, { force: true });
  }
}

function run(client: pg.PoolClient, statement: CopyStatement): Promise<Buffer> {
  client.query(statement as unknown as pg.Submittable);
  return statement.result;
}
