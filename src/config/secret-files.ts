import { readFileSync } from 'node:fs';
import { secretSettings } from './setting-kinds.js';

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
    const problem =
      given[name] === undefined
        ? readInto(values, name, file)
        : `${name} and ${name}_FILE are both set; keep one of them`;
    if (problem !== undefined) problems.push(problem);
  }
  return { values, problems };
}

function readInto(values: Record<string, string | undefined>, name: string, file: string): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    return `${name}_FILE: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
  }
  if (content.length > MAX_BYTES) return `${name}_FILE: the file ${file} is larger than ${MAX_BYTES} bytes`;
  const secret = content.trim();
  if (secret === '') return `${name}_FILE: the file ${file} is empty`;
  values[name] = secret;
  return undefined;
}
