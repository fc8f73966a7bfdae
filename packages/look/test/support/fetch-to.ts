import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { testAuthority } from './certificates.js';
import type { StandIn } from './stand-in-server.js';

/** A `fetch` that tests lead to a stand-in. */
export interface LedFetch {
  fetch: typeof fetch;
  close(): Promise<void>;
}

/**
 * A `fetch` with which `names` (over https, port 443) lead to this stand-in, and no other name leads anywhere.
 * Addresses of loopback are left alone.
 */
export async function fetchTo(standIn: StandIn, names: string[]): Promise<LedFetch> {
  const { root } = await testAuthority();
  const connect = buildConnector({ ca: root });
  const agent = new Agent({
    connect: (options, done) => {
      const { hostname } = options;
      if (hostname === '127.0.0.1') return connect(options, done);
      if (!names.includes(hostname)) return done(new Error(`the test knows no host ${hostname}`), null);
      const port = String(standIn.port);
      return connect(
        { ...options, host: `127.0.0.1:${port}`, hostname: '127.0.0.1', port, servername: hostname },
        done,
      );
    },
  });
  return {
    fetch: ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: agent })) as unknown as typeof fetch,
    close: () => agent.close(),
  };
}
