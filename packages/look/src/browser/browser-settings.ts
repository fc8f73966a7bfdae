import { LOOK_DEFAULTS, type LookSettings } from '../settings.js';

/** What is taken in browsers where nothing is set: resolvers that answer in JSON, which needs no request in advance. */
export const BROWSER_DEFAULTS = {
  ...LOOK_DEFAULTS,
  DOH_URLS: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/resolve'],
} satisfies LookSettings;
