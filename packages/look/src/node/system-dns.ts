import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { SystemDns } from '../web/fetcher.js';

const TRIES = 2; // per server

/** c-ares, which Node brings along, over UDP, and TCP where an answer is cut; without search lists. */
export const systemDns: SystemDns = {
  async resolveTxt(domain, { server, timeoutMs }) {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES });
    if (server !== undefined) resolver.setServers([server]);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return (await resolver.resolveTxt(domain)).map((strings) => strings.join(''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === NOTFOUND || code === NODATA) return [];
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },

  areAddresses(servers) {
    try {
      new Resolver().setServers(servers);
      return true;
    } catch {
      return false;
    }
  },
};
