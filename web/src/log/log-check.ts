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
import { type ChainLink, type IdentityGroup, type KeyEvent, NotFoundError, VerificationError } from '@signet/sdk';
import type { SignedLink, StepName } from '@signet/verify';
import { readEntry, readLogProof } from '@signet/verify/log';
import { t } from '../i18n/i18n.js';
import type { Name } from '../look/holders.js';
import type { ShownStep } from '../parts/steps.js';
import { client } from '../shell/api.js';
import { API_URL } from '../shell/service.js';
import { readEntries } from './entries.js';

const STORED = 'signet-log-head';
/** Says that this browser has seen a map over the log. */
const STORED_MAP = 'signet-log-map';

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

/** The step of a check that ended with this error; null where the server keeps no log. */
function stepOfError(name: StepName, error: unknown): ShownStep | null {
  if (error instanceof NoLogError) {
    const detail = 'This browser has seen a log of this server before, and now the server says that it keeps none.';
    return rememberedHead() === null ? null : { name, state: 'failed', detail, text: t('look.log_denied') };
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
 * The step where the server says that its log has no map: null where that is so. Failed where this browser has seen
 * one, and where the newest entry of the log is one of a map or is not shown: a log with a map ends with it.
 */
async function stepWithoutMap(signal: AbortSignal): Promise<ShownStep | null> {
  const denied = (detail: string): ShownStep => ({
    ...{ name: 'complete', state: 'failed', detail, text: t('look.map_denied') },
  });
  if (hasSeenMap()) return denied('This browser has seen a map of this log before.');
  try {
    const head = await checker.checkpoint(signal);
    const [newest] = await readEntries(head, 1, new LogReader(transport, signal));
    if (newest?.isIncluded && newest.entry?.kind === 'map')
      return denied('The newest entry of the log is one of a map.');
    return head.size === 0 || newest?.isIncluded ? null : denied('The newest entry of the log is not what was signed.');
  } catch (error) {
    if (error instanceof NotFoundError) return denied('The server does not show the newest entry of the log.');
    return stepOfError('complete', error);
  }
}

function hasSeenMap(): boolean {
  return heldInBrowser(() => localStorage.getItem(`${STORED_MAP} ${transport.baseUrl}`)) !== null;
}

/** Null where the browser does not let the page use its storage. */
function heldInBrowser<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * One step, `complete`: whether the map over the log has no more links and key events of an Avatar than these, which
 * were checked.
 * Null where the server keeps no map or no log; failed where it denies a log that this browser has seen, or a map that
 * the log has; not checkable where it could not be asked, and where it shows others by now.
 */
export async function completeStep(said: Said, avatar: string, signal: AbortSignal): Promise<ShownStep | null> {
  return stepOf(
    () => demandAll(said, avatar, signal),
    async () => {
      const links = await client.chain(avatar, { signal }).toArray();
      const keys = await client.keys.chain(avatar, { signal }).toArray();
      return demandAll({ links, keys }, avatar, signal);
    },
    signal,
  );
}

/** All that was read of an Avatar, but for its patches. */
interface Said {
  links: ChainLink[];
  keys: KeyEvent[];
}

/**
 * One step, `complete`, as of `completeStep`: whether the map over the log has no other holders of an identity than
 * those that the server shows. Not checkable also for a spelling that only the server can read.
 */
export async function holdersStep(groups: IdentityGroup[], name: Name, signal: AbortSignal): Promise<ShownStep | null> {
  return stepOf(
    () => demandHolders(groups, name, signal),
    async () => demandHolders(await client.proofs.find({ ...name, signal }).toArray(), name, signal),
    signal,
  );
}

/**
 * The step of a check for completeness. What the page shows may be older than the map, which looks like something left
 * out: then the server is asked anew.
 */
async function stepOf(
  check: () => Promise<void>,
  checkAnew: () => Promise<void>,
  signal: AbortSignal,
): Promise<ShownStep | null> {
  try {
    await check();
    heldInBrowser(() => localStorage.setItem(`${STORED_MAP} ${transport.baseUrl}`, 'yes'));
    return { name: 'complete', state: 'ok', detail: '' };
  } catch (error) {
    if (error instanceof NoMapError) return stepWithoutMap(signal);
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

async function demandAll({ links, keys }: Said, avatar: string, signal: AbortSignal): Promise<void> {
  const reads = new CompleteReads({ linksOf: () => Promise.resolve(links) }, checker);
  const ofLinks = await reads.links(avatar, signal);
  for (const link of links) ofLinks.add(link);
  await ofLinks.end();
  const ofKeys = await reads.keys(avatar, signal);
  for (const key of keys) ofKeys.add(key);
  await ofKeys.end();
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
