/** What a run of the command has to do with: streams and variables, so that tests can give others. */
import { readFile } from 'node:fs/promises';
import { readTextFile, TextFileError } from '@signet/verify/files';
import { UsageError } from '../exit.js';

/** Where something is read from. */
type Input = NodeJS.ReadableStream & { isTTY?: boolean | undefined };
/** Where something is written to. */
export type Output = NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };

export interface Io {
  stdin: Input;
  /** Results. */
  stdout: Output;
  /** Questions, progress and errors. */
  stderr: Output;
  env: { [name: string]: string | undefined };
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/**
 * All of the input as text, for what comes through a pipe or a file.
 * @throws UsageError if it is no text; the reason of the signal
 */
export async function readAll({ stdin, signal }: Io): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin as AsyncIterable<Buffer | string>) {
    signal.throwIfAborted();
    parts.push(Buffer.from(part));
  }
  return textIn(Buffer.concat(parts), 'The input');
}

/**
 * The text that the bytes of a file hold, as `readTextFile` reads it. `name` is the subject of the sentence.
 * @throws UsageError if they are no text, instead of a text with other characters in it
 */
export function textIn(bytes: Uint8Array, name: string): string {
  try {
    return readTextFile(bytes);
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    throw new UsageError(`${name} cannot be read. ${error.message}`);
  }
}

/** The text of a file. @throws UsageError if it cannot be read, or is no text */
export async function textOf(name: string): Promise<string> {
  const bytes = await readFile(name).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${name} cannot be read (${error.code}).`);
  });
  return textIn(bytes, name);
}
