import { createPublicKey, verify } from 'node:crypto';
import {
  connectTo,
  type StandIn,
  type StandInReply,
  type StandInRequest,
  startStandIn,
} from '../../packages/look/test/support/stand-in-server.js';
import type { WebTransport } from '../../packages/look/src/node/web-transport.js';
import { aBrowser, type StandInBrowser } from './stand-in-browser.js';

/** What a notification shows, as the text of a message has it. */
export interface Told {
  title: string;
  body: string;
  tag: string;
  lang: string;
  path: string;
  at: number;
}

/** A browser with a subscription. */
export interface SubscribedBrowser extends StandInBrowser {
  endpoint: string;
  /** What it was told, oldest first; of messages with one topic the newest alone, as a push service keeps them. */
  told(): Told[];
}

type Choice = StandInReply | undefined;

/** A push service that speaks RFC 8030 and takes what RFC 8291 and RFC 8292 ask for, and nothing else. */
export interface PushService {
  transport: WebTransport;
  /** Where it listens, for a service in a process of its own. */
  port: number;
  /** All requests so far, also those that were refused. */
  requests: StandInRequest[];
  /** A new browser, which subscribed at this host. */
  browser(host?: string): SubscribedBrowser;
  /** From now on all requests are answered in this way; taken as they should be when absent. */
  answer(reply?: StandInReply): void;
  /** From now on each request is answered as `choose` says, or taken where it says nothing. */
  decide(choose: (request: StandInRequest) => Choice | Promise<Choice>): void;
  close(): Promise<void>;
}

export const PUSH_HOST = 'push.alice.dev';

/** Starts a push service under these names. */
export async function startPushService(hosts: string[] = [PUSH_HOST]): Promise<PushService> {
  const browsers = new Map<string, { browser: StandInBrowser; messages: Map<string, Told> }>();
  const take = (request: StandInRequest): StandInReply => {
    const found = browsers.get(`${request.headers['host']}${request.path}`);
    const { headers, method, bytes } = request;
    if (!found) return { status: 404 };
    if (method !== 'POST' || !/^\d+$/.test(headers['ttl'] ?? '')) return { status: 400 };
    if (!isAuthorized(headers)) return { status: 403 };
    if (headers['content-encoding'] !== 'aes128gcm' || bytes.length > 4096) return { status: 415 };
    const topic = headers['topic'] ?? `none ${found.messages.size}`;
    if (!/^[\w-]{1,32}$/.test(topic)) return { status: 400 };
    found.messages.set(topic, JSON.parse(found.browser.read(bytes)) as Told);
    return { status: 201, headers: { location: `https://${headers['host']}/message/${topic}` } };
  };
  const server: StandIn = await startStandIn(take, { tls: true });
  let count = 0;
  return {
    transport: await connectTo(server, hosts),
    port: server.port,
    requests: server.requests,
    browser: (host = PUSH_HOST) => {
      const path = `/send/${(count += 1)}`;
      const browser = aBrowser();
      const messages = new Map<string, Told>();
      browsers.set(`${host}${path}`, { browser, messages });
      return { ...browser, endpoint: `https://${host}${path}`, told: () => [...messages.values()] };
    },
    answer: (reply) => server.handle((request) => reply ?? take(request)),
    decide: (choose) => server.handle(async (request) => (await choose(request)) ?? take(request)),
    close: () => server.close(),
  };
}

/** RFC 8292: a token for this origin, signed by the key beside it, which ends within a day. */
function isAuthorized({ host, authorization = '' }: Record<string, string>): boolean {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  if (signature === '') return false;
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const now = Date.now() / 1000;
  const isInTime = Number(exp) > now && Number(exp) < now + 24 * 3600;
  return isSigned && isInTime && aud === `https://${host}` && /^(mailto|https):/.test(String(sub));
}
