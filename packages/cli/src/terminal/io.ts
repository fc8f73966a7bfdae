/** What a run of the command has to do with: streams and variables, so that tests can give others. */
import { readFile, stat } from 'node:fs/promises';
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
  /**
   * Leaves the end by Ctrl-C to the system: a check of a file leaves no turn in which a signal would be heard, and has
   * nothing to end. Absent where there is no process of its own.
   */
  endBySystem?: (() => void) | undefined;
}

/** Bytes of a file or of the standard input: some 80,000 links in an export, which take minutes to check. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * All of the input as text, for what comes through a pipe or a file.
 * @throws UsageError if it is no text, or has more than 64 MiB; the reason of the signal
 */
export async function readAll({ stdin, signal }: Io): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin as AsyncIterable<Buffer | string>) {
    signal.throwIfAborted();
    parts.push(Buffer.from(part));
    assertBounded((bytes += parts.at(-1)!.length), 'The input');
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

/** The text of a file. @throws UsageError if it cannot be read, is no text, or has more than 64 MiB */
export async function textOf(name: string): Promise<string> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new UsageError(`${name} cannot be read (${error.code}).`);
  };
  assertBounded((await stat(name).catch(unreadable)).size, name);
  return textIn(await readFile(name).catch(unreadable), name);
}

function assertBounded(bytes: number, name: string): void {
  if (bytes > MAX_INPUT_BYTES) throw new UsageError(`${name} has more than 64 MiB, which is more than is read.`);
}
