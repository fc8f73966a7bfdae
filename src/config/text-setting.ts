import { readFileSync } from 'node:fs';
import { readTextFile } from '@signet/verify/files';
import { secretSettings } from './setting-kinds.js';

/** Bytes of a file that a setting names; a policy of a hundred witnesses has about 20 KiB. */
const MAX_TEXT_BYTES = 256 * 1024;
/** Bytes of a file that holds a secret; the largest is the key file of an Arweave wallet, about 3 KiB. */
const MAX_SECRET_BYTES = 64 * 1024;

/**
 * The text of a setting that holds it itself, or the path of a file that does.
 * @param isText whether the setting is the text and no path; by default, whether it has several words or lines
 * @throws Error with one sentence that names the setting and the path
 */
export function textOfSetting(name: string, value: string, isText = /[ \t\n]/.test(value.trim())): string {
  return isText ? value : textOfFile(name, value.trim(), MAX_TEXT_BYTES);
}

/** The text of a file. @throws Error with one sentence that names the setting and the path, and nothing of the file */
function textOfFile(name: string, file: string, maxBytes: number): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`${name}: the file ${file} cannot be read (${code})`, { cause: error });
  }
  if (bytes.length > maxBytes) throw new Error(`${name}: the file ${file} is larger than ${maxBytes} bytes`);
  try {
    return readTextFile(bytes);
  } catch (error) {
    throw new Error(`${name}: the file ${file} cannot be read. ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Puts the content of the file that `<NAME>_FILE` names in place of the secret `<NAME>`, without the line end that
 * editors add.
 * @returns the settings with all secrets, and one sentence for each file that cannot be used. It names the path, which
 * the operator wrote, and never what is in the file.
 */
export function withSecretFiles(given: Record<string, string | undefined>): {
  values: Record<string, string | undefined>;
  problems: string[];
} {
  const values = { ...given };
  const problems: string[] = [];
  for (const name of secretSettings()) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      if (given[name] !== undefined) throw new Error(`${name} and ${name}_FILE are both set; keep one of them`);
      values[name] = textOfFile(`${name}_FILE`, file, MAX_SECRET_BYTES).trim();
      if (values[name] === '') throw new Error(`${name}_FILE: the file ${file} is empty`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return { values, problems };
}
