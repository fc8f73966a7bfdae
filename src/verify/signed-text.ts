import { canonicalJson } from '../crypto/canonical-json.js';
import { decodeBase64 } from '../crypto/encoding.js';
import { isPersonalSignature } from '../crypto/personal-sign.js';
import type { PlaceInChain } from './chain-walk.js';

/** A signed row of a chain: links and patches alike. */
export interface SignedRow extends PlaceInChain {
  id: number;
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  text: string;
}

/** What is stored cannot be right. */
export class AuditFinding extends Error {}

/** A link or patch is not as it was signed, or what follows from it is not there. The message names the place. */
export class BadRow extends AuditFinding {
  constructor(kind: 'Link' | 'Patch', { id, avatar, position }: SignedRow, what: string) {
    super(`${kind} ${id} (Avatar ${avatar}, position ${position}): ${what}.`);
  }
}

/**
 * Compares a row with what its Avatar signed, from the stored text alone, and with the row before it. `fields` are what
 * the text has to say, in the forms of docs/design/decisions.md 3, `prev` excepted.
 * @returns what is wrong, or null
 */
export function problemOfRow(
  row: SignedRow,
  previous: SignedRow | null,
  fields: Record<string, unknown>,
): string | null {
  const place = (previous?.position ?? 0) + 1;
  if (row.position !== place) return `the chain has nothing at position ${place}`;
  const expected = { ...fields, prev: previous?.signature ?? null };
  const signed = parseObject(row.text);
  if (!signed) return 'its signed text is no JSON object';
  for (const [name, value] of Object.entries(expected)) {
    if (canonicalJson(signed[name] ?? null) === canonicalJson(value)) continue;
    if (name === 'prev') return 'what was signed as prev is not the signature of the row before';
    return `${name} is ${show(value)} in its row, and ${show(signed[name])} was signed`;
  }
  if (canonicalJson(expected) !== row.text) return 'its signed text is not the canonical JSON of its fields';
  const signature = decodeBase64(row.signature);
  if (signature && isPersonalSignature(row.text, signature, row.avatar)) return null;
  return 'its signature is not one of its Avatar over its signed text';
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Short enough for one line; patches can be long. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
