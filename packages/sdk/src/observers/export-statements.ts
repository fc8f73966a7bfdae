/** The statements that an export carries: what other servers saw of its bindings. */
import { type ExportFile, WALLET_PLATFORMS } from '@signet/verify';
import { linkHash } from '@signet/verify/seen';
import type { Transport } from '../transport.js';
import { nullWhereNotFound } from '../errors.js';
import type { ObserverOptions, Unread } from './observer-options.js';
import { ObserverQuorum, readStatements, type ShownStatements } from './observer-quorum.js';

/** Statements about one binding that a file carries of its own server; those of observers are few. */
const NOTES_OF_SERVER = 10;

/** A server of whose statements not all were read. */
export interface UnreadStatements {
  /** The observer; null for the server of the file. */
  operator: string | null;
  reason: Unread;
}

/**
 * Statements about the bindings of a file, from its server and from observers, and the servers of which not all were
 * read: one that gives no answer adds nothing. What is signed is checked with the file.
 */
export async function statementsAbout(
  { avatar, links, bindings }: ExportFile,
  transport: Transport,
  observers: ObserverOptions | undefined,
  signal: AbortSignal | undefined,
): Promise<{ notes: string[]; unread: UnreadStatements[] }> {
  const posts = bindings.filter(({ platform }) => !WALLET_PLATFORMS.includes(platform));
  if (posts.length === 0) return { notes: [], unread: [] };
  const hashes = posts.flatMap(({ platform, identity, created_at }) =>
    links
      .filter((link) => link.platform === platform && link.identity === identity && link.created_at === created_at)
      .map((link) => linkHash(link.signature_payload)),
  );
  const own = shownStatements(transport, avatar, signal).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    return null;
  });
  const quorum = observers && new ObserverQuorum(observers, { baseUrl: transport.baseUrl });
  // What observers show of themselves is never crowded out by what a server shows of them.
  const others = await quorum?.read(avatar, signal);
  const shown = await own;
  const notes = hashes.flatMap((hash) => [
    ...[...(others?.notes.values() ?? [])].flatMap((one) => one.get(hash) ?? []),
    ...(shown?.notes.get(hash) ?? []).slice(0, NOTES_OF_SERVER),
  ]);
  const unread: UnreadStatements[] = [...(others?.unread ?? [])].map(([operator, reason]) => ({ operator, reason }));
  if (!shown?.isWhole) unread.push({ operator: null, reason: shown ? 'too_many' : 'could_not_ask' });
  return { notes: [...new Set(notes)], unread };
}

/** Those that the server of the file shows; most show none, and say so where their keys are, if they have such. */
async function shownStatements(
  transport: Transport,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<ShownStatements> {
  type Keys = { verifier_key?: unknown; observers?: unknown[] };
  const keys = await transport.call<Keys>({ path: '/v1/proofs/seen/keys', signal }).catch(nullWhereNotFound);
  const isShowing = Boolean(keys?.verifier_key) || (Array.isArray(keys?.observers) && keys.observers.length > 0);
  return isShowing ? readStatements(transport, avatar, signal) : { notes: new Map(), isWhole: true };
}
