/**
 * Headers of every answer. Nothing here is meant to be shown, framed or run by a browser; `/docs` is, and brings its
 * own Content-Security-Policy. Strict-Transport-Security is missing on purpose: this service does not speak TLS, so
 * whoever ends TLS in front of it decides for how long browsers may insist on it (docs/operations.md).
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
