import { isolatedName } from '@signet/verify/unseen';
import { escaped } from '../http/markup.js';

/** The one document that other sites may frame. Its style is set by script, so none is allowed here. */
export const FRAME_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** A document for a frame that shows one binding; for sites that allow no foreign scripts. */
export function frameDocument({
  platform,
  identity,
  avatar,
}: Record<'platform' | 'identity' | 'avatar', string>): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${escaped(`${isolatedName(identity)} on ${platform} · Signet`)}</title>
    <script type="module" src="/embed.js"></script>
  </head>
  <body>
    <main><signet-proof platform="${escaped(platform)}" identity="${escaped(identity)}" avatar="${escaped(avatar)}"></signet-proof></main>
  </body>
</html>
`;
}
