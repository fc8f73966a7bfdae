import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of this service, such as `0.2.0`. */
export const SERVICE_VERSION = findVersion(import.meta.dirname);

/** `Signet/<version> (+<contact>)`; the contact lets the operators of other servers complain to somebody. */
export function userAgentOf(contact: string | undefined): string {
  // Header values are ASCII here; a comment's parentheses and backslashes would end it early.
  const readable = (contact ?? '').replace(/[^\x20-\x7e]|[()\\]/g, '').trim();
  return `Signet/${SERVICE_VERSION} (+${readable || 'signet'})`;
}

/** The sources and the built files lie at different depths below package.json. */
function findVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return dirname(folder) === folder ? '0' : findVersion(dirname(folder));
}
