import { createHash } from 'node:crypto';

/* Headers of the documents of the page: what each may load, ask and frame. */

const NO_DEVICES = 'camera=(), geolocation=(), microphone=()';

/** The style sheet that the build put into the document. */
const STYLE = /<style>(.*?)<\/style>/gs;

/**
 * Headers of the page: scripts, images and calls of this origin only, no style but the one that the build put into the
 * document, known by its hash, and no text may become markup or a script. Trusted Types have one policy, which the page
 * makes as it starts and which answers one address whatever it is asked: that of the service worker.
 * @param document as the build made it
 * @param mayFrame whether the page may frame documents of this origin: where visitors may look
 */
export function pageHeaders(document: string, mayFrame: boolean): Record<string, string> {
  const styles = [...document.matchAll(STYLE)].map(([, style]) => {
    return `'sha256-${createHash('sha256').update(style!).digest('base64')}'`;
  });
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles.join(' ') || "'none'"}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(mayFrame ? ["frame-src 'self'"] : []),
    "require-trusted-types-for 'script'",
    'trusted-types worker',
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': NO_DEVICES,
  };
}

/**
 * Headers of `/look-frame`, the document in which the page's visitors look at posts by themselves: an origin of its own
 * (`sandbox`), scripts of this server alone, and requests by https to any host, which the page itself must not send.
 * Only the page may frame it. Its scripts ask no host before the visitor agreed (web/src/own-look/frame.ts).
 * Some versions of Safari take `'self'` of a sandboxed document for the opaque origin that it has, so that it matches
 * nothing (https://bugs.webkit.org/show_bug.cgi?id=316847): for them the address of PUBLIC_URL stands beside it. The
 * `Host` of a request never does: whoever sends it could let a host of his run scripts here, were the answer stored.
 * @param publicUrl the setting
 */
export function lookFrameHeaders(publicUrl: string | undefined): Record<string, string> {
  const own = publicUrl === undefined ? "'self'" : `'self' ${new URL(publicUrl).origin}`;
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
  return { 'Content-Security-Policy': policy.join('; '), 'Permissions-Policy': NO_DEVICES };
}

/** Headers of the service worker: it asks this server, runs nothing else, and is looked for anew at each visit. */
export const WORKER_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
  'Cache-Control': 'no-cache',
};

/** Headers of a picture that a stranger has made. */
export const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};
