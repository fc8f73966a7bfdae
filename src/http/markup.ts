const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for HTML and XML, between tags and in quoted attributes. */
export function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
