/** The text of a file that a person saved, which editors and shells write in several encodings. */
import { SignetError } from '../errors/errors.js';
import { parseObject } from '../text/signed-text.js';

/** The bytes of a file are not a text that is read here. The message says what they are; code `not_a_text`. */
export class TextFileError extends SignetError {
  override name = 'TextFileError';

  constructor(message: string) {
    super(message, 'not_a_text');
  }
}

/** What other files begin with, by its name. */
const OTHER_FILES: [number[], string][] = [
  [[0x1f, 0x8b], 'a file that gzip compressed'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0xff, 0xfe, 0, 0], 'a text in UTF-32'],
  [[0, 0, 0xfe, 0xff], 'a text in UTF-32'],
];

/**
 * The text of a file: UTF-8, or UTF-16 with a byte order mark, as PowerShell 5 and Notepad write it. The mark is left
 * out, and CR LF, the line end of Windows, becomes LF.
 * @throws TextFileError with one sentence that says what the bytes are instead: "It is not a text in UTF-8: …"
 */
export function readTextFile(bytes: Uint8Array): string {
  const other = OTHER_FILES.find(([start]) => start.every((byte, place) => bytes[place] === byte));
  if (other) throw new TextFileError(`It is ${other[1]}, and not a text in UTF-8.`);
  return withoutMark(decode(bytes)).replaceAll('\r\n', '\n');
}

/** A text without the byte order mark that some editors put in front (U+FEFF), which is no part of it. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** What a JSON file says, given as its text or as that: what is no JSON object is null in place of a text. */
export function jsonOf(file: unknown): unknown {
  return typeof file === 'string' ? parseObject(withoutMark(file)) : file;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes, 'It begins as UTF-16, and is cut off.');
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes, 'It begins as UTF-16, and is cut off.');
  if (bytes.length > 1 && (first === 0) !== (second === 0)) {
    throw new TextFileError('It is a text in UTF-16 without a byte order mark: save it as UTF-8.');
  }
  return decodeAs(
    'utf-8',
    bytes,
    'It is not a text in UTF-8: an editor or a shell has saved it in another encoding, such as Windows-1252. Save it as UTF-8.',
  );
}

function decodeAs(encoding: string, bytes: Uint8Array, problem: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TextFileError(problem);
  }
}
