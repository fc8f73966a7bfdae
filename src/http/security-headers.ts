/**
 * Headers of every answer. Nothing here is meant to be shown, framed or run by a browser; `/docs` is, and brings its
 * own Content-Security-Policy. Strict-Transport-Security is missing on purpose: this service does not speak TLS, so
 * the proxy that ends TLS in front of it decides for how long browsers may insist on it (docs/operations.md). Names in
 * small letters, as Fastify keeps them.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
