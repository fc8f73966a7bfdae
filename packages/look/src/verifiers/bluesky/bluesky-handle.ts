import { cleanPasted } from '@signet/verify/internal';
import { asciiLower } from '@signet/verify/names';
import { PlatformUnavailableError } from '../../errors.js';
import { parsePastedUrl } from '../../posts/pasted-url.js';
import type { Fetcher, RequestBudget } from '../../web/fetcher.js';
import { unusableAnswer } from '../../web/unusable-answer.js';
import { isOrdinaryName } from '../../web/url-guard.js';

/** A DID has 2,048 characters at most. */
const MAX_WELL_KNOWN_BYTES = 4096;
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]+$/;
const PAGES = ['bsky.app', 'www.bsky.app'];

/** The texts of the TXT records of a name, as one resolver shows them. */
export type TextRecords = (domain: string) => Promise<string[]>;

/** The handle that a pasted text names: itself, `@handle`, `at://handle/…`, or the address of a profile; or null. */
export function handleIn(text: string): string | null {
  const pasted = cleanPasted(text);
  const url = parsePastedUrl(pasted);
  const [page, actor] = url && PAGES.includes(url.host) ? url.path : [];
  const written = page === 'profile' && actor !== undefined ? actor : pasted.replace(/^at:\/\/([^/]*).*$/s, '$1');
  const handle = asciiLower(written.replace(/^@/, ''));
  return isOrdinaryName(handle) ? handle : null;
}

/**
 * The DID that the owner of a handle's domain names, by a TXT record or by a file at the domain; null where neither is
 * there. Source: AT Protocol, "Handle Resolution".
 * @throws PlatformUnavailableError if one of the two could not be asked, and the other names none
 */
export async function didOfHandle(
  handle: string,
  web: Fetcher,
  resolvers: readonly TextRecords[],
  budget: RequestBudget,
): Promise<string | null> {
  const byRecord = await settled(didByRecord(handle, resolvers));
  if (typeof byRecord === 'string') return byRecord;
  const byFile = await didByFile(handle, web, budget);
  if (byFile === null && byRecord instanceof Error) throw byRecord;
  return byFile;
}

/** The first resolver that answers is believed: the account has to name the handle as well. */
async function didByRecord(handle: string, resolvers: readonly TextRecords[]): Promise<string | null> {
  let failure: unknown = new PlatformUnavailableError('No DNS resolver is known here.');
  for (const textsOf of resolvers) {
    try {
      const texts = await textsOf(`_atproto.${handle}`);
      const dids = new Set(texts.flatMap((text) => /^\s*did=(\S+)\s*$/.exec(text)?.[1] ?? []));
      const [did] = dids;
      return dids.size === 1 && DID.test(did!) ? did! : null;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function didByFile(handle: string, web: Fetcher, budget: RequestBudget): Promise<string | null> {
  const { status, body } = await web.send({
    url: `https://${handle}/.well-known/atproto-did`,
    trust: 'user',
    platform: 'bluesky',
    budget,
    maxBytes: MAX_WELL_KNOWN_BYTES,
  });
  if (status === 429 || status >= 500) throw unusableAnswer('The host of this handle');
  if (status !== 200) return null;
  const text = new TextDecoder().decode(body).trim();
  return DID.test(text) ? text : null;
}

async function settled<T>(asked: Promise<T>): Promise<T | PlatformUnavailableError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return error;
    throw error;
  }
}
