import type { GuardedFetcher } from '../../src/node/guarded-fetcher.js';
import type { CommonOptions } from '../../src/options/options.js';
import { fetchTo, type LedFetch } from './fetch-to.js';
import { aFetcher, optionsIn } from './fetcher.js';
import { connectTo, type StandIn, type StandInHandler, startStandIn } from './stand-in-server.js';

/** What a reply may have where a test does not say otherwise. */
export const MAX_BYTES = 64 * 1024;

/** A running stand-in, and what leads to it. */
export interface Asked {
  standIn: Pick<StandIn, 'baseUrl' | 'handle' | 'port' | 'requests'>;
  options: CommonOptions;
  maxBytes: number;
  /** Of the service. */
  fetcher(): Promise<GuardedFetcher>;
  /** Of a browser. */
  fetch(): Promise<typeof fetch>;
}

/** A stand-in with all that has led to it. */
interface Place {
  standIn: StandIn;
  fetchers: Map<string, GuardedFetcher>;
  fetches: Map<string, LedFetch>;
}

/**
 * Those that serve nobody now. A stand-in of its own for each check, with the keys and the first connection of each
 * client, takes more processor time than the check.
 */
const idle = { http: [] as Place[], https: [] as Place[] };

afterAll(async () => {
  for (const place of [...idle.http.splice(0), ...idle.https.splice(0)]) await close(place);
});

/** Runs `use` with a stand-in that answers with `handler`. `variables` are further settings. */
export async function withStandIn<T>(
  suite: { hosts?: string[]; platform: string; settings(baseUrl: string): Record<string, string> },
  handler: StandInHandler,
  use: (asked: Asked) => Promise<T>,
  variables: Record<string, string> = {},
): Promise<T> {
  const { hosts, platform } = suite;
  const free = idle[hosts ? 'https' : 'http'];
  const place = free.pop() ?? (await open(hosts !== undefined));
  const { baseUrl, port } = place.standIn;
  const requests: StandIn['requests'] = [];
  let isOrdinary = true;
  const handle = (next: StandInHandler) =>
    place.standIn.handle(async (request) => {
      requests.push(request);
      const reply = await next(request);
      isOrdinary &&= typeof reply === 'object';
      return reply;
    });
  handle(handler);
  const options = optionsIn(platform, { ...suite.settings(baseUrl), ...variables });
  const maxBytes = Number(variables.OUTBOUND_MAX_BYTES ?? MAX_BYTES);
  try {
    return await use({
      standIn: { baseUrl, port, requests, handle },
      options,
      maxBytes,
      fetcher: () => fetcherTo(place, hosts, { ...options, maxBytes }),
      fetch: () => fetchOf(place, hosts ?? []),
    });
  } finally {
    // A connection that was cut, or that still waits, is nothing for the next check.
    if (isOrdinary) free.push(place);
    else await close(place);
  }
}

async function open(tls: boolean): Promise<Place> {
  return { standIn: await startStandIn(() => 'cut', { tls }), fetchers: new Map(), fetches: new Map() };
}

async function close({ standIn, fetchers, fetches }: Place): Promise<void> {
  for (const fetcher of fetchers.values()) await fetcher.stop();
  for (const led of fetches.values()) await led.close();
  await standIn.close();
}

/** One that no verifier has given a key. */
async function fetcherTo(
  { standIn, fetchers }: Place,
  hosts: string[] | undefined,
  { timeoutMs, contact, maxBytes }: CommonOptions & { maxBytes: number },
): Promise<GuardedFetcher> {
  const name = JSON.stringify([hosts, timeoutMs, contact, maxBytes]);
  const fetcher =
    fetchers.get(name) ?? aFetcher(hosts && (await connectTo(standIn, hosts)), { timeoutMs, contact, maxBytes });
  fetchers.set(name, fetcher);
  fetcher.requestSigner = undefined;
  return fetcher;
}

async function fetchOf({ standIn, fetches }: Place, hosts: string[]): Promise<typeof fetch> {
  const name = hosts.join();
  const led = fetches.get(name) ?? (await fetchTo(standIn, hosts));
  fetches.set(name, led);
  return led.fetch;
}
