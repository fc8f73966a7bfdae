import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Answer } from '../../support/app.js';
import type { Account } from './accounts.js';

/** The folders of released versions, oldest first. */
export const RELEASES = Object.keys(
  JSON.parse(readFileSync(new URL('releases.json', import.meta.url), 'utf8')) as Record<string, string>,
);

/** A payload that the release issued and nobody submitted yet; keys are those of the names (test/support/avatar.ts). */
export type IssuedPayload = { avatar: string; payload: Answer['body'] } & (
  { kind: 'wallet'; wallet: string } | { kind: 'patch'; patch: object } | { kind: 'post'; number: number }
);

/** What the release answered to one GET. */
export interface RecordedAnswer {
  /** Below the base URL; with `admin`, below `/admin/v1`. */
  path: string;
  admin?: true;
  status: number;
  body: unknown;
}

/** A message of the event stream. */
export interface RecordedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** What was seen of a release from outside when its data was kept. */
export interface Recording {
  /** UNIX seconds. */
  recordedAt: number;
  answers: RecordedAnswer[];
  events: RecordedEvent[];
  /** What is published on the platforms. */
  accounts: Account[];
  issued: IssuedPayload[];
  /** By the name of the receiver: the answers to the creation of the subscriptions, with their secrets. */
  subscriptions: Record<string, Answer['body']>;
  /** Ids of links that the archive has taken and confirmed, and those that it has taken and not confirmed. */
  archive: { confirmed: string[]; taken: string[] };
}

export type ReleaseEngine = 'postgres' | 'embedded';

export function releaseFolder(version: string): string {
  return fileURLToPath(new URL(`${version}/`, import.meta.url));
}

export function readRecording(version: string, engine: ReleaseEngine): Recording {
  return readJson(version, `${engine}.json.br`) as Recording;
}

/** A statement of the release, as it reached PostgreSQL. */
export interface RecordedStatement {
  text: string;
  /** Types of its parameters, by the schema of the release; absent where it cannot be prepared. */
  types?: string[];
  /** The values of one use, in the text format of PostgreSQL. */
  values?: (string | null)[];
}

export function readStatements(version: string): RecordedStatement[] {
  return readJson(version, 'statements.json.br') as RecordedStatement[];
}

export function readCompressed(version: string, name: string): Buffer {
  return brotliDecompressSync(readFileSync(path.join(releaseFolder(version), name)));
}

function readJson(version: string, name: string): unknown {
  return JSON.parse(readCompressed(version, name).toString());
}
