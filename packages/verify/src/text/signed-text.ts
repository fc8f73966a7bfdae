/** What signed records have in common: fields, a text that says the same, a signature over it, and a place. */
import { canonicalJson, exceedsDepth, hasCanonicalJson } from './canonical-json.js';
import type { Curves } from '../keys/curves.js';
import { decodeBase64 } from './encoding.js';
import { personalSignerBy } from '../signatures/personal-sign.js';
import { checked, failed, ok, show, type Step } from '../steps.js';

/** The signed text and its signature, as they come from a server. */
export interface SignedText {
  /** Base64. */
  signature: string;
  /** The exact text that was signed. */
  signature_payload: string;
}

/** Deeper values are refused before anything walks them: deep nesting overflows the stack. */
const MAX_DEPTH = 256;

/**
 * Whether a value is what JSON calls an object.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these members of an object that is not a text; undefined where all are. */
export function missingText<Name extends string>(item: object, names: readonly Name[]): Name | undefined {
  return names.find((name) => typeof (item as Record<string, unknown>)[name] !== 'string');
}

/** Why an item of a chain, which may be anything, lacks one of these texts, as a sentence; null where it has all. */
export function problemOfTexts(item: unknown, names: readonly string[]): string | null {
  if (typeof item !== 'object' || item === null) return 'It is not an object.';
  const missing = missingText(item, names);
  if (missing) return `It has no ${missing}.`;
  const { avatar = '' } = item as { avatar?: unknown };
  return typeof avatar === 'string' ? null : 'Its avatar is not a text.';
}

/** The step `uuid` of the next item of a chain that has had `uuids`, which its own joins. `kind` is a word for it. */
export function checkUuid(uuids: Set<string>, uuid: string, kind: string): Step {
  const isOwn = !uuids.has(uuid);
  uuids.add(uuid);
  return checked('uuid', isOwn, 'Its uuid is its own.', `Its uuid was used by an earlier ${kind} of this chain.`);
}

/**
 * The object that a JSON text holds, or null. A text that holds what has no canonical JSON (half a surrogate pair, a
 * number outside of the doubles), or that is nested too deep, is read as if it were not JSON: other programs would read
 * something else in it (RFC 7493).
 */
export function parseObject(text: unknown): Record<string, unknown> | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !exceedsDepth(value, MAX_DEPTH) && hasCanonicalJson(value) ? value : null;
  } catch {
    return null;
  }
}

/** The canonical JSON of a value that may be anything, or null where it has none. */
export function canonicalOrNull(value: unknown): string | null {
  if (exceedsDepth(value, MAX_DEPTH)) return null;
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

/**
 * Parses a JSON text and writes it again with `JSON.stringify`: members whose names are whole numbers come first, in
 * numerical order. Some clients sign this text instead of the canonical one that they were given
 * (docs/design/decisions.md 13).
 * @throws SyntaxError for what is not JSON.
 */
export function rewrittenJson(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

/** Whether a text is the canonical JSON of these fields, or what JavaScript rewrites that to. */
export function isTextOf(text: string, fields: Record<string, unknown>): boolean {
  const canonical = canonicalOrNull(fields);
  return canonical !== null && (text === canonical || text === rewrittenJson(canonical));
}

/**
 * Whether the text is the canonical JSON of exactly these fields (`prev` aside, which is compared with the place in the
 * chain), and whether the Avatar signed it.
 */
export function checkSignedText(
  item: SignedText,
  fields: Record<string, unknown>,
  avatar: string,
  curves: Curves,
): Step[] {
  return checkSaidText(item.signature_payload, fields, () => checkAvatarSigned(item, avatar, curves));
}

/** The steps of `checkSignedText`, with another check of the signature. */
export function checkSaidText(text: string, fields: Record<string, unknown>, checkSignature: () => Step): Step[] {
  const signed = parseObject(text);
  if (!signed) return [failed('fields', 'Its signed text is not a JSON object.')];
  return [
    checkFields(signed, fields),
    checked(
      'canonical_text',
      isTextOf(text, { ...fields, prev: signed['prev'] ?? null }),
      'Its signed text is the canonical JSON of its fields.',
      'Its signed text is not the canonical JSON of its fields.',
    ),
    checkSignature(),
  ];
}

function checkAvatarSigned({ signature, signature_payload: text }: SignedText, avatar: string, curves: Curves): Step {
  return checked(
    'signature',
    isSignedBy(text, signature, avatar, curves),
    'Its signature was made by the Avatar over its signed text.',
    'Its signature was not made by the Avatar over its signed text.',
  );
}

/** The step `fields`: whether the members that were signed have these values. */
export function checkFields(signed: Record<string, unknown>, fields: Record<string, unknown>): Step {
  for (const [name, value] of Object.entries(fields)) {
    const said = Object.hasOwn(signed, name) ? signed[name] : undefined;
    if (canonicalOrNull(said ?? null) === canonicalOrNull(value ?? null)) continue;
    return failed('fields', `Its ${name} is ${show(value)}, and ${show(said)} was signed.`);
  }
  return ok('fields', 'Its fields are those that were signed.');
}

function isSignedBy(text: string, signature: string, avatar: string, { secp256k1 }: Curves): boolean {
  const bytes = typeof signature === 'string' ? decodeBase64(signature) : null;
  return bytes !== null && personalSignerBy(text, bytes, secp256k1) === avatar;
}

/**
 * Whether the signed `prev` is the signature of the one before, `null` being no one before. `kind` is a word for the
 * sentence.
 */
export function checkPrevious(text: string, before: { signature: string } | null, kind: string): Step {
  const prev = parseObject(text)?.['prev'];
  if (before === null) {
    return checked(
      'prev',
      prev === null,
      `It is the first ${kind} of its Avatar.`,
      `Its prev names a ${kind} before the first one.`,
    );
  }
  return checked(
    'prev',
    prev === before.signature,
    `Its prev is the signature of the ${kind} before it.`,
    `Its prev is not the signature of the ${kind} before it.`,
  );
}
