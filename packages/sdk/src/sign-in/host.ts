/** Whether a text is a host as URLs write it, with its port if it has one: `app.example`, `localhost:3000`. */
export function isHost(text: string): boolean {
  if (typeof text !== 'string' || !URL.canParse(`https://${text}`)) return false;
  // Of http, 443 stays written, and of https, 80: the port that one of them leaves out is there by the other.
  return [`https://${text}`, `http://${text}`].some((address) => new URL(address).host === text);
}

/** The host of an http or https URL; null for another text. */
export function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? host : null;
}
