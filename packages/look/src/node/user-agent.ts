/** `Signet/<version> (+<contact>)`; operators of other servers complain to the contact. */
export function userAgentOf(version: string, contact: string | undefined): string {
  // Header values are ASCII here; a comment's parentheses and backslashes would end it early.
  const readable = (contact ?? '').replace(/[^\x20-\x7e]|[()\\]/g, '').trim();
  return `Signet/${version} (+${readable || 'signet'})`;
}
