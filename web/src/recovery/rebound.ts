/** Which accounts of a key another key holds now, by the word of the server. */
import { type IdentityGroup, NotFoundError, type ProofRecord } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify/bindings';
import { client } from '../shell/api.js';

/** Accounts that are asked about: the newest ones. Each may cost two small reads more. */
const ASKED = 20;

type Said = Pick<ProofRecord, 'platform' | 'identity' | 'created_at' | 'is_valid'>;

/** What came of it. */
export interface Rebound {
  /** How many accounts the key has. */
  of: number;
  /** Those that another key holds now, with the newest such key. */
  moved: { platform: string; identity: string; avatar: string }[];
}

/**
 * Accounts of a key, whose bindings `proofs` are, that another key has bound later: found by their names, and counted
 * where the account is the same by its stable id. Wallets are their own id.
 * @throws SignetError
 */
export async function readRebound(avatar: string, proofs: readonly Said[], signal: AbortSignal): Promise<Rebound> {
  const asked = proofs.slice(0, ASKED);
  if (asked.length === 0) return { of: 0, moved: [] };
  const found = await client.proofs.findMany(new Set(asked.map(({ identity }) => identity)), { signal });
  const groups = found.flatMap((one) => one.groups).filter((group) => group.avatar !== avatar);
  const moved = await Promise.all(
    asked.map(async (own) => {
      const later = newestOf(groups, own);
      if (!later || !(await isSameAccount(own, avatar, later, signal))) return [];
      return [{ platform: own.platform, identity: own.identity, avatar: later }];
    }),
  );
  return { of: proofs.length, moved: moved.flat() };
}

/** The key that has bound an account last, after `own` and validly; null where none has. */
function newestOf(groups: IdentityGroup[], own: Said): string | null {
  const later = groups.flatMap((group) =>
    group.proofs
      .filter((proof) => proof.platform === own.platform && proof.identity === own.identity)
      .filter((proof) => proof.is_valid && Number(proof.created_at) > Number(own.created_at))
      .map((proof) => ({ avatar: group.avatar, at: Number(proof.created_at) })),
  );
  return later.sort((one, other) => other.at - one.at)[0]?.avatar ?? null;
}

function nullWhereNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

async function isSameAccount(
  { platform, identity }: Said,
  avatar: string,
  other: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (WALLET_PLATFORMS.includes(platform)) return true;
  const ids = await Promise.all(
    [avatar, other].map(async (key) => {
      const evidence = await client.proofs
        .evidence({ platform, identity, avatar: key }, { signal })
        .catch(nullWhereNotFound);
      return evidence?.account_id;
    }),
  );
  // What was never seen is no account that is the same.
  return ids[0] !== undefined && ids[0] === ids[1];
}
