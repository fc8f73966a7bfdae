/**
 * Domain names in the canonical form of RFC 4034 6.2: labels in lowercase, bytes as Latin-1, the leftmost first; the
 * root has none.
 */
export type DomainName = readonly string[];

/** RFC 1035 2.3.4. */
const MAX_LABEL_BYTES = 63;
const MAX_NAME_BYTES = 255;
const BYTES_AROUND = 2; // the length of the first label, and the root at the end

/** A name as people write it, in ASCII; a dot at its end is allowed. Null for what is no name. */
export function nameOf(text: string): DomainName | null {
  const labels = lowercase(text.replace(/\.$/, '')).split('.');
  const isName =
    text.length <= MAX_NAME_BYTES - BYTES_AROUND + 1 && labels.every((label) => /^[!-~]{1,63}$/.test(label));
  return isName ? labels : null;
}

/** A name as sentences show it, with a dot for the root; bytes that cannot be printed as `\DDD`. */
export function nameText(name: DomainName): string {
  const labels = name.map((label) =>
    label.replace(/[^!-~]|[.\\]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`),
  );
  return labels.length === 0 ? '.' : labels.join('.');
}

/** The name in the wire format without compression, bytes as Latin-1: also its key in maps. */
export function wireOf(name: DomainName): string {
  return `${name.map((label) => String.fromCharCode(label.length) + label).join('')}\0`;
}

/** Whether `name` is `ancestor`, or stands below it. */
export function isWithin(name: DomainName, ancestor: DomainName): boolean {
  return commonLabels(name, ancestor) === ancestor.length;
}

/** How many labels, from the right, two names share. */
export function commonLabels(one: DomainName, other: DomainName): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  return shared;
}

/** The last labels of a name. */
export function endOf(name: DomainName, labels: number): DomainName {
  return labels === 0 ? [] : name.slice(-labels);
}

/** Canonical order (RFC 4034 6.1): below zero where `one` comes first. */
export function compareNames(one: DomainName, other: DomainName): number {
  const shared = commonLabels(one, other);
  if (shared === one.length || shared === other.length) return one.length - other.length;
  return one.at(-1 - shared)! < other.at(-1 - shared)! ? -1 : 1;
}

/**
 * Reads a name without compression (RFC 1035 3.1).
 * @param keepsCase whether letters stay as they are, as in NSEC (RFC 6840 5.1)
 * @returns the name and where it ends, or null
 */
export function readName(
  bytes: Uint8Array,
  start: number,
  keepsCase = false,
): { name: DomainName; end: number } | null {
  const labels: string[] = [];
  for (let at = start; at < bytes.length && at - start < MAX_NAME_BYTES;) {
    const length = bytes[at]!;
    if (length === 0) return { name: labels, end: at + 1 };
    const end = at + 1 + length;
    if (length > MAX_LABEL_BYTES || end > bytes.length) return null;
    const label = String.fromCharCode(...bytes.subarray(at + 1, end));
    labels.push(keepsCase ? label : lowercase(label));
    at = end;
  }
  return null;
}

/** A to Z alone: other letters are bytes here. */
export function lowercase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The bytes of a text in Latin-1. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
