/** What platforms have signed of bindings (Bluesky, DNS), checked for clients with `demand: { platform }`. */
import { type CheckedLink, type ExportFile, type SignedLink, WALLET_PLATFORMS } from '@signet/verify';
import { verifyExportProofs } from '@signet/verify/atproto';
import { ROOT_KEYS, type RootKey, verifyExportDnssec } from '@signet/verify/dnssec';
import type { Evidence } from '../answers.js';
import { nullWhereNotFound } from '../errors.js';
import type { Transport } from '../transport.js';

/** How what platforms have signed is checked. */
export interface PlatformProofOptions {
  /** Further keys of the root of the DNS, beside those that are known here. */
  rootKeys?: readonly RootKey[] | undefined;
}

/** Bindings of one Avatar. */
interface MadeBindings {
  avatar: string;
  made: CheckedLink[];
  /** UNIX seconds of the entries of the log, by the uuid of the link. */
  times: Record<string, number>;
}

/**
 * Asks the server for the evidence of each binding that is not of a wallet.
 * @returns of each whether the platform has signed it, by checks that were all made
 */
export async function provedByPlatform(
  transport: Transport,
  { avatar, made, times }: MadeBindings,
  { rootKeys = [] }: PlatformProofOptions,
  signal: AbortSignal | undefined,
): Promise<boolean[]> {
  const isProved = async ({ link }: CheckedLink): Promise<boolean> => {
    const { platform, identity } = link;
    if (WALLET_PLATFORMS.includes(platform)) return false;
    const query = { platform, identity, public_key: avatar };
    const call = transport.call<Evidence>({ path: '/v1/proof/evidence', query, signal });
    const evidence = await call.catch(nullWhereNotFound);
    if (!evidence?.proof) return false;
    const file = fileOf(avatar, link, evidence);
    const found = [
      ...(await verifyExportProofs(file)).filter(({ of }) => of === 'post'),
      ...verifyExportDnssec(file, { rootKeys: [...ROOT_KEYS, ...rootKeys], times }),
    ];
    return found.length > 0 && found.every(({ complete }) => complete);
  };
  return Promise.all(made.map(isProved));
}

/** The part of an export that the checks of proofs read. */
function fileOf(
  avatar: string,
  link: SignedLink,
  evidence: Evidence,
): Pick<ExportFile, 'avatar' | 'bindings' | 'links'> {
  const { platform, identity, created_at } = link;
  const state = { last_checked_at: evidence.seen_at, is_valid: true, invalid_reason: '' };
  return { avatar, links: [link], bindings: [{ platform, identity, created_at, ...state, evidence }] };
}
