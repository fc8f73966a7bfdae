/** The statements that an export carries: what other servers saw of its bindings. */
import { type ExportFile, WALLET_PLATFORMS } from '@signet/verify';
import { linkHash } from '@signet/verify/seen';
import type { Transport } from '../transport.js';
import type { ObserverOptions } from './observer-options.js';
import { ObserverQuorum, readStatements } from './observer-quorum.js';

/** Statements about one binding that a file carries of its own server; those of observers are few. */
const NOTES_OF_SERVER = 10;

/**
 * Statements about the bindings of a file, from its server and from observers. A server that shows none, or gives no
 * answer, adds nothing: what is signed is checked with the file.
 */
export async function statementsAbout(
  { avatar, links, bindings }: ExportFile,
  transport: Transport,
  observers: ObserverOptions | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const posts = bindings.filter(({ platform }) => !WALLET_PLATFORMS.includes(platform));
  if (posts.length === 0) return [];
  const hashes = posts.flatMap(({ platform, identity, created_at }) =>
    links
      .filter((link) => link.platform === platform && link.identity === identity && link.created_at === created_at)
      .map((link) => linkHash(link.signature_payload)),
  );
  const own = shownStatements(transport, avatar, signal).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    return new Map<string, string[]>();
  });
  const quorum = observers && new ObserverQuorum(observers, { baseUrl: transport.baseUrl });
  // What observers show of themselves is never crowded out by what a server shows of them.
  const others = quorum ? [...(await quorum.read(avatar, signal)).notes.values()] : [];
  const shown = await own;
  const notes = hashes.flatMap((hash) => [
    ...others.flatMap((one) => one.get(hash) ?? []),
    ...(shown.get(hash) ?? []).slice(0, NOTES_OF_SERVER),
  ]);
  return [...new Set(notes)];
}

/** Those that the server of the file shows; most show none, and say so where their keys are. */
async function shownStatements(
  transport: Transport,
  avatar: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, string[]>> {
  type Keys = { verifier_key?: unknown; observers?: unknown[] };
  const keys = await transport.call<Keys>({ path: '/v1/proofs/seen/keys', signal });
  const isShowing = Boolean(keys.verifier_key) || (Array.isArray(keys.observers) && keys.observers.length > 0);
  return isShowing ? readStatements(transport, avatar, signal) : new Map<string, string[]>();
}
