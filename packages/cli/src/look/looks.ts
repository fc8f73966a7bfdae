/** Looks at bindings from this machine: what a platform shows now, without the word of a server. */
import { type Bound, type Look as Seen, lookAt, type PlatformVerifier } from '@signet/look';
import { unread } from '@signet/look/internal';

export type { Bound } from '@signet/look';

/**
 * What came of a look: `seen`; `not_seen`, where an answer was read and did not bear the link out; `not_asked`, where
 * nothing was learnt; `not_set_up`, where this machine lacks a credential.
 */
export interface Look {
  avatar: string;
  platform: string;
  identity: string;
  result: 'seen' | 'not_seen' | 'not_asked' | 'not_set_up';
  /** One sentence; `''` where it was seen. */
  reason: string;
  /** UNIX seconds. */
  looked_at: number;
  /** What was read; `''` where nothing was, as for a wallet, whose signature is in the link. */
  url: string;
  /** SHA-256 of the bytes that were read, hex; `''` where none were. */
  sha256: string;
  /** The platform's stable id of the account; `''` where it has none. */
  account_id: string;
}

/**
 * Looks at all, each platform by itself and one binding of it after the other; where a platform asks to wait, the rest
 * of its bindings are not asked.
 */
export async function lookAtAll(
  bindings: Bound[],
  verifiers: PlatformVerifier[],
  show: (look: Look) => void | Promise<void>,
): Promise<void> {
  const platforms = new Set(bindings.map(({ link }) => link.platform));
  await Promise.all(
    [...platforms].map(async (platform) => {
      const verifier = verifiers.find((one) => one.platform === platform);
      let refusal: Seen | null = null;
      for (const binding of bindings.filter(({ link }) => link.platform === platform)) {
        const look: Seen = refusal ?? (verifier ? await lookAt(verifier, binding) : unknownPlatform());
        if (look.retryAfterSeconds !== null) refusal = look;
        await show(lineOf(binding, look));
      }
    }),
  );
}

function unknownPlatform(): Seen {
  return unread('could_not_look', 'This program does not know the platform.', 'credential');
}

function lineOf({ avatar, link: { platform, identity } }: Bound, look: Seen): Look {
  const { at, reason, evidence, accountId } = look;
  const read = { url: evidence?.url ?? '', sha256: evidence?.sha256 ?? '', account_id: accountId };
  return { avatar, platform, identity, result: resultOf(look), reason, looked_at: at, ...read };
}

function resultOf({ state, problem }: Seen): Look['result'] {
  if (state === 'seen' || state === 'not_seen') return state;
  return problem === 'credential' ? 'not_set_up' : 'not_asked';
}
