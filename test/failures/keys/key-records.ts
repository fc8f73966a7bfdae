import { verifyHolds, type SignedKeyEvent, verifyKeyChain } from '@signet/verify/key-events';
import type { LogEntry } from '@signet/verify/log';
import type { RunningApp } from '../../support/app.js';
import { until } from '../../support/until.js';
import { type LogServer, readEntries, readHead, recordsOf } from '../../transparency-log/log-client.js';

type Reader = Pick<RunningApp, 'get'> & LogServer;
interface FeedItem {
  id: number;
  uuid: string;
  avatar: string;
}

const FEEDS = [
  ['link', '/v1/proofchain/changes', 'links'],
  ['kv', '/v1/kv/changes', 'patches'],
  ['key', '/v1/keys/changes', 'keys'],
] as const;

/** All records of a server, by the kinds of their entries. */
async function readFeeds(server: Reader): Promise<Record<string, FeedItem[]>> {
  const feeds: Record<string, FeedItem[]> = {};
  for (const [kind, path, member] of FEEDS) {
    const items: FeedItem[] = (feeds[kind] = []);
    for (let isAtEnd = false; !isAtEnd;) {
      const { body } = await server.get(`${path}?last_id=${items.at(-1)?.id ?? 0}&count=100`);
      const page = body[member] as FeedItem[];
      items.push(...page);
      isAtEnd = page.length === 0;
    }
  }
  return feeds;
}

/** The entries of records under the newest tree head of a server, once they are as many as its feeds have. */
async function readLogOf(server: Reader, total: number): Promise<LogEntry[]> {
  let entries: LogEntry[] = [];
  await until(async () => {
    const head = await readHead(server);
    entries = head === null ? [] : recordsOf(await readEntries(server, head.size)).map(({ entry }) => entry);
    return entries.length >= total;
  });
  return entries;
}

/**
 * What is wrong with the one order of links, patches and key events of servers of one database to which nobody writes
 * any more: the feeds of all servers are one, the log has them in that order, the map counts them, and nothing was
 * recorded while keys had stopped it. Empty if nothing is.
 */
export async function problemsOfOrder(servers: Reader[], avatars: string[]): Promise<string[]> {
  const [feeds, ...others] = await Promise.all(servers.map(readFeeds));
  const problems = others.flatMap((other, place) =>
    JSON.stringify(other) === JSON.stringify(feeds) ? [] : [`server ${place + 1} shows other feeds than server 0`],
  );
  const total = Object.values(feeds!).reduce((sum, items) => sum + items.length, 0);
  const [entries] = (await Promise.all(servers.map((server) => readLogOf(server, total)))) as [LogEntry[]];
  for (const [kind] of FEEDS) {
    const [logged, fed] = [entries.filter((entry) => entry.kind === kind), feeds![kind]!];
    const isSame = logged.length === fed.length && logged.every(({ uuid }, index) => uuid === fed[index]!.uuid);
    if (!isSame) problems.push(`the log has the ${kind} records in another order, or not all of them`);
  }
  for (const avatar of avatars) problems.push(...(await problemsOf(servers, avatar, entries)));
  return problems;
}

async function problemsOf(servers: Reader[], avatar: string, entries: LogEntry[]): Promise<string[]> {
  const own = entries.filter((entry) => entry.avatar === avatar);
  const timesOf = (kind: string) => own.filter((entry) => entry.kind === kind).map((entry) => entry.recorded_at);
  const [links, patches, keys] = [timesOf('link'), timesOf('kv'), timesOf('key')];
  const counted = { links: links.length, patches: patches.length, ...(keys.length > 0 && { keys: keys.length }) };
  const problems: string[] = [];
  for (const server of servers) {
    const { value } = (await server.get(`/v1/log/map?avatar=${avatar}`)).body;
    const isRight = Object.entries(counted).every(([list, count]) => (value?.[list] ?? 0) === count);
    if (!isRight) problems.push(`the map counts ${JSON.stringify(value)} of ${avatar}, not ${JSON.stringify(counted)}`);
  }
  const events = (await servers[0]!.get(`/v1/keys/chain?avatar=${avatar}`)).body.keys as SignedKeyEvent[];
  const held = verifyHolds(events, { links, patches, now: Date.now() / 1000 });
  for (const { state, detail } of [...verifyKeyChain(events, { avatar }).steps, ...held.steps]) {
    if (state === 'failed') problems.push(`${avatar}: ${detail}`);
  }
  return problems;
}
