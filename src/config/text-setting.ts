import { readFileSync } from 'node:fs';

/** Bytes of a file that a setting names; a policy of a hundred witnesses has about 20 KiB. */
const MAX_BYTES = 256 * 1024;

/**
 * The text of a setting that holds it itself, or the path of a file that does.
 * @param isText whether the setting is the text and no path; by default, whether it has several words or lines
 * @throws Error with one sentence that names the setting and the path
 */
export function textOfSetting(name: string, value: string, isText = /[ \t\n]/.test(value.trim())): string {
  if (isText) return value;
  let text: string;
  try {
    text = readFileSync(value.trim(), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`${name}: the file ${value} cannot be read (${code})`, { cause: error });
  }
  if (text.length > MAX_BYTES) throw new Error(`${name}: the file ${value} is larger than ${MAX_BYTES} bytes`);
  return text;
}
