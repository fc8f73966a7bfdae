import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CONFIG = fileURLToPath(new URL('../../src/config/settings/', import.meta.url));

/** The names of all settings, those without a default included, as the sources declare them. */
export function declaredSettings(): string[] {
  const files = readdirSync(CONFIG).filter((name) => name.endsWith('-settings.ts'));
  return files.flatMap((name) =>
    [...readFileSync(CONFIG + name, 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+)\??: /gm)].map((match) => match[1]!),
  );
}
