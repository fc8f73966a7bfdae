import { readFileSync } from 'node:fs';

/** Bytes of a file that a setting names; a policy of a hundred witnesses has about 20 KiB. */
const MAX_BYTES = 256 * 1024;

/**
 * The text of a setting that holds it itself, or the path of a file that does.
 * @param isText whether the setting is the text and no path; by default, whether it has several words or lines
 * @throws Error with one sentence that names the setting and the path
 */
export function textOfSetting(name: string, value: string, isText = /[ \t\n]/.test(value.trim())): string {
  return isText ? value : textOfFile(name, value.trim(), MAX_BYTES);
}

/** The text of a file. @throws Error with one sentence that names the setting and the path, and nothing of the file */
export function textOfFile(name: string, file: string, maxBytes: number): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`${name}: the file ${file} cannot be read (${code})`, { cause: error });
  }
  if (text.length > maxBytes) throw new Error(`${name}: the file ${file} is larger than ${maxBytes} bytes`);
  return text;
}
