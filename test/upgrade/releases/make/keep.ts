import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import pg from 'pg';
import { type RecordedStatement, releaseFolder } from '../release-data.js';
import type { SentStatement } from './statement-listener.js';

/** Compresses as well as brotli can, with a window over everything, and writes it into the folder of the release. */
export function keepFile(version: string, name: string, bytes: Buffer | string): void {
  const folder = releaseFolder(version);
  mkdirSync(folder, { recursive: true });
  const compressed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
  writeFileSync(path.join(folder, `${name}.br`), compressed);
  console.log(`${name}.br: ${Math.ceil(compressed.length / 1024)} KiB`);
}

/**
 * The database as SQL that any client can send as one text: no COPY, no commands of psql, and no settings that
 * PostgreSQL 15 does not know. Nothing else is taken out: values may have empty lines, such as signed notes.
 */
export function dumpOf(url: string): string {
  const options = ['--inserts', '--rows-per-insert=200', '--no-owner', '--no-privileges', '--no-comments'];
  const text = execFileSync('pg_dump', [...options, url], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return text.replaceAll(/^(\\(un)?restrict .*|SET transaction_timeout = .*)\n/gm, '');
}

/** The folder as a tar archive; whoever made it must be gone. */
export function archiveOf(folder: string): Buffer {
  // A socket, a lock and the like are of the process that is gone.
  if (!existsSync(folder)) throw new Error(`${folder} is not there.`);
  return execFileSync('tar', ['-c', '--numeric-owner', '--sort=name', '-C', folder, '.'], { maxBuffer: 1 << 29 });
}

/** Adds the types of parameters, as the schema at `url` has them. */
export async function withTypes(url: string, sent: SentStatement[]): Promise<RecordedStatement[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const statements: RecordedStatement[] = [];
    for (const { text, values, isPrepared } of sent) {
      const types = isPrepared ? await typesOf(client, text) : undefined;
      statements.push({ text, ...(types && { types }), ...(values && { values }) });
    }
    return statements;
  } finally {
    await client.end();
  }
}

async function typesOf(client: pg.Client, text: string): Promise<string[] | undefined> {
  try {
    await client.query(`prepare recorded as ${text}`);
  } catch {
    return undefined; // `begin` and its like, which cannot be prepared by a statement
  }
  const { rows } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'recorded'`,
  );
  await client.query('deallocate recorded');
  return rows[0]!.types;
}
