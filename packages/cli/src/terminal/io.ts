/** What a run of the command has to do with: streams and variables, so that tests can give others. */
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
 * @throws UsageError if it is not UTF-8; the reason of the signal
 */
export async function readAll({ stdin, signal }: Io): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin as AsyncIterable<Buffer | string>) {
    signal.throwIfAborted();
    parts.push(Buffer.from(part));
  }
  return utf8Text(Buffer.concat(parts), 'The input');
}

/** The text that bytes hold. @throws UsageError if they are not UTF-8, instead of a text with other characters in it */
export function utf8Text(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not a text in UTF-8.`);
  }
}
