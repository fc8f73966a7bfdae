/**
 * Stands for `canonicalize` in the one file of `<signet-proof>`, at a third of its size; a test holds both against each
 * other. The rules have refused before what JSON does not hold, and nesting without an end.
 */
export default function canonicalize(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalize).join()}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalize(member)}`).join()}}`;
}
