/**
 * Headers of `/look-frame`, the document in which the page's visitors look at posts by themselves: an origin of its own
 * (`sandbox`), scripts of this server alone, and requests by https to any host, which the page itself must not send.
 * Only the page may frame it. Its scripts ask no host before the visitor agreed (web/src/own-look/frame.ts).
 * @param origin of this server, with scheme; null if it is not known, when `'self'` has to do
 */
export function lookFrameHeaders(origin: string | null): Record<string, string> {
  const own = origin === null ? "'self'" : `'self' ${origin}`;
  const policy = [
    "default-src 'none'",
    `script-src ${own}`,
    'connect-src https:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${own}`,
    'sandbox allow-scripts',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}
