const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that no XML document may hold, not even as a reference: XML 1.0, 2.2, `Char`. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for HTML and XML, between tags and in quoted attributes. What no XML may hold becomes U+FFFD. */
export function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!).replace(NO_XML, '\ufffd');
}
