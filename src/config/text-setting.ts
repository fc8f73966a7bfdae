import { readFileSync } from 'node:fs';

/** Bytes of a file that a setting names; a policy of a hundred witnesses has about 20 KiB. */
const MAX_BYTES = 256 * 1024;

/**
 * A setting that is a text of several words or lines itself, or the path of a file that holds one.
 * @throws Error with one sentence that names the setting and the path
 */
export function textOfSetting(name: string, value: string): string {
  if (/[ \t\n]/.test(value.trim())) return value;
  let text: string;
  try {
    text = readFileSync(value, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`${name}: the file ${value} cannot be read (${code})`, { cause: error });
  }
  if (text.length > MAX_BYTES) throw new Error(`${name}: the file ${value} is larger than ${MAX_BYTES} bytes`);
  return text;
}
