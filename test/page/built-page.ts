import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts the page. */
export const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** Files of the built page, as text. */
export function builtFile(name: string): string {
  return readFileSync(path.join(BUILT, name), 'utf8');
}
