import { secretSettings } from './setting-kinds.js';
import { textOfFile } from './text-setting.js';

/** Bytes of a file that holds a secret; the largest is the key file of an Arweave wallet, about 3 KiB. */
const MAX_BYTES = 64 * 1024;

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
      values[name] = textOfFile(`${name}_FILE`, file, MAX_BYTES).trim();
      if (values[name] === '') throw new Error(`${name}_FILE: the file ${file} is empty`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return { values, problems };
}
