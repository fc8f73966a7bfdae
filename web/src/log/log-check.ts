/** The transparency log of the server, as this browser sees it. Loaded when the first link was read. */
import {
  CompleteReads,
  type HeadStore,
  LogChecker,
  LogReader,
  NoLogError,
  NoMapError,
  type StoredHead,
  Transport,
} from '@signet/sdk/log';
import { type ChainLink, type IdentityGroup, NotFoundError, VerificationError } from '@signet/sdk';
import type { SignedLink } from '@signet/verify';
import { readEntry, readLogProof } from '@signet/verify/log';
import type { Name } from '../look/holders.js';
import type { ShownStep } from '../parts/steps.js';
import { client } from '../shell/api.js';
import { API_URL } from '../shell/service.js';

const STORED = 'signet-log-head';

/** Remembers the head of the log from one visit to the next, where the browser lets it. */
const heads: HeadStore = {
  get: (server) => readHead(server),
  replace: (server, previous, head) => {
    if ((readHead(server)?.note ?? null) !== (previous?.note ?? null)) return false;
    memory.set(server, head);
    try {
      localStorage.setItem(`${STORED} ${server}`, JSON.stringify(head));
    } catch {
      // Without storage the head is remembered until the page is left.
    }
    return true;
  },
};
const memory = new Map<string, StoredHead>();

function readHead(server: string): StoredHead | null {
  try {
    const stored = localStorage.getItem(`${STORED} ${server}`);
    if (stored !== null) return JSON.parse(stored) as StoredHead;
  } catch {
    // Then what this visit saw.
  }
  return memory.get(server) ?? null;
}

export const transport = new Transport({ baseUrl: API_URL });
export const checker = new LogChecker(transport, { heads });

/** The newest head that this browser has verified, now or on an earlier visit. */
export function rememberedHead(): StoredHead | null {
  return readHead(transport.baseUrl);
}

/**
 * One step, `log`: whether the log holds exactly this link, and continues what this browser saw of it before. Null
 * where the server keeps no log; failed where it denies one that this browser has seen.
 */
export async function logStep(link: ChainLink, avatar: string, signal: AbortSignal): Promise<ShownStep | null> {
  try {
    await checker.prove({ link: link as SignedLink, avatar }, signal);
    return { name: 'log', state: 'ok', detail: '' };
  } catch (error) {
    return stepOfError('log', error);
  }
}

/** The step of a check that ended with this error; null where the server keeps no log, or no map. */
function stepOfError(name: string, error: unknown): ShownStep | null {
  if (error instanceof NoMapError) return null;
  if (error instanceof NoLogError) {
    const detail = 'This browser has seen a log of this server before, and now the server says that it keeps none.';
    return rememberedHead() === null ? null : { name, state: 'failed', detail };
  }
  const state = error instanceof VerificationError && !isOfAnotherKey(error) ? 'failed' : 'not_checkable';
  return { name, state, detail: error instanceof Error ? error.message : '' };
}

/**
 * Whether the map answered for another key than this browser computed of the name: so it does for a spelling that only
 * the server can read, such as the address of a profile.
 */
function isOfAnotherKey({ steps }: VerificationError): boolean {
  return steps.some(({ name, state }) => name === 'map_key' && state === 'failed');
}

/**
 * One step, `complete`: whether the map over the log has no more links of an Avatar than these, which were checked.
 * Null where the server keeps no map or no log; failed where it denies a log that this browser has seen; not checkable
 * where it could not be asked, and where it shows others by now.
 */
export async function completeStep(links: ChainLink[], avatar: string, signal: AbortSignal): Promise<ShownStep | null> {
  return stepOf(
    () => demandAll(links, avatar, signal),
    async () => demandAll(await client.chain(avatar, { signal }).toArray(), avatar, signal),
  );
}

/**
 * One step, `complete`, as of `completeStep`: whether the map over the log has no other holders of an identity than
 * those that the server shows. Not checkable also for a spelling that only the server can read.
 */
export async function holdersStep(groups: IdentityGroup[], name: Name, signal: AbortSignal): Promise<ShownStep | null> {
  return stepOf(
    () => demandHolders(groups, name, signal),
    async () => demandHolders(await client.proofs.find({ ...name, signal }).toArray(), name, signal),
  );
}

/**
 * The step of a check for completeness. What the page shows may be older than the map, which looks like something left
 * out: then the server is asked anew.
 */
async function stepOf(check: () => Promise<void>, checkAnew: () => Promise<void>): Promise<ShownStep | null> {
  try {
    await check();
    return { name: 'complete', state: 'ok', detail: '' };
  } catch (error) {
    const isCompleteNow = () =>
      checkAnew().then(
        () => true,
        () => false,
      );
    const isOld = error instanceof VerificationError && error.code === 'incomplete' && (await isCompleteNow());
    if (!isOld) return stepOfError('complete', error);
    return { name: 'complete', state: 'not_checkable', detail: 'What the server shows has changed since it was read.' };
  }
}

async function demandHolders(
  groups: IdentityGroup[],
  { platform, identity }: Name,
  signal: AbortSignal,
): Promise<void> {
  const linksOf = (avatar: string) => client.chain(avatar, { signal }).toArray();
  const completion = await new CompleteReads({ linksOf }, checker).look(platform, [identity], signal);
  for (const group of groups) completion.add(group);
  await completion.end();
}

async function demandAll(links: ChainLink[], avatar: string, signal: AbortSignal): Promise<void> {
  const completion = await new CompleteReads({ linksOf: () => Promise.resolve(links) }, checker).links(avatar, signal);
  for (const link of links) completion.add(link);
  await completion.end();
}

/** The key that signed the link or patch of this uuid, by the entry of the log; null where there is none. */
export async function avatarOfUuid(uuid: string, signal: AbortSignal): Promise<string | null> {
  try {
    const entry = readLogProof(await new LogReader(transport, signal).proof({ uuid }))?.extra;
    return (entry && readEntry(entry)?.avatar) ?? null;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
