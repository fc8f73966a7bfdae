/** Looks at bindings from this machine: what a platform shows now, without the word of a server. */
import {
  DomainError,
  type PlatformVerifier,
  PlatformMisconfiguredError,
  PlatformUnavailableError,
  type ProofClaim,
  settledVerdict,
} from '@signet/look';
import { findAvatarKey, signedChainIn, type SignedLink } from '@signet/verify';

/** A signed link that makes a binding, and what is known of its account. */
export interface Bound {
  avatar: string;
  link: SignedLink;
  /** The account id that a file or server names, to notice that a name has changed hands; `''` where none does. */
  accountId: string;
}

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
      let refusal: PlatformUnavailableError | null = null;
      for (const binding of bindings.filter(({ link }) => link.platform === platform)) {
        const look = refusal
          ? lookOf(binding, notLooked(refusal))
          : await lookAt(binding, verifier, (error) => (refusal = error));
        await show(look);
      }
    }),
  );
}

type Outcome = Omit<Look, 'avatar' | 'platform' | 'identity' | 'looked_at'>;

const NOTHING_READ = { url: '', sha256: '', account_id: '' };

async function lookAt(
  binding: Bound,
  verifier: PlatformVerifier | undefined,
  onRefusal: (error: PlatformUnavailableError) => void,
): Promise<Look> {
  if (!verifier) {
    const reason = 'This program does not know the platform.';
    return lookOf(binding, { result: 'not_set_up', reason, ...NOTHING_READ });
  }
  const missing = verifier.missingSetting?.() ?? null;
  if (missing !== null) return lookOf(binding, { result: 'not_set_up', reason: missing, ...NOTHING_READ });
  const claim = claimOf(binding);
  try {
    const verdict = settledVerdict(verifier.platform, claim, await verifier.verify(claim));
    if (!verdict.valid) return lookOf(binding, { result: 'not_seen', reason: verdict.reason, ...NOTHING_READ });
    const { evidence, accountId = '' } = verdict;
    const read = { url: evidence?.url ?? '', sha256: evidence?.sha256 ?? '', account_id: accountId };
    return lookOf(binding, { result: 'seen', reason: '', ...read });
  } catch (error) {
    if (error instanceof PlatformUnavailableError) {
      if (error.retryAfterSeconds !== undefined) onRefusal(error);
      return lookOf(binding, notLooked(error));
    }
    if (error instanceof PlatformMisconfiguredError) {
      return lookOf(binding, { result: 'not_set_up', reason: error.message, ...NOTHING_READ });
    }
    // What a verifier refuses by throwing, such as a signature in no known alphabet.
    if (error instanceof DomainError)
      return lookOf(binding, { result: 'not_seen', reason: error.message, ...NOTHING_READ });
    throw error;
  }
}

function notLooked({ message, retryAfterSeconds }: PlatformUnavailableError): Outcome {
  const wait = retryAfterSeconds === undefined ? '' : ` It asks for ${retryAfterSeconds} s without requests.`;
  return { result: 'not_asked', reason: message + wait, ...NOTHING_READ };
}

function lookOf({ avatar, link: { platform, identity } }: Bound, outcome: Outcome): Look {
  return { avatar, platform, identity, looked_at: Math.floor(Date.now() / 1000), ...outcome };
}

/** The claim of a link whose chain has been checked. */
function claimOf({ avatar, link, accountId }: Bound): ProofClaim {
  const { prev } = JSON.parse(link.signature_payload) as { prev: string | null };
  const { wallet_signature: walletSignature, wallet_message: walletMessage } = (link.extra ?? {}) as Record<
    string,
    unknown
  >;
  return {
    avatar: findAvatarKey(avatar)!,
    identity: link.identity,
    signPayload: link.signature_payload,
    uuid: link.uuid,
    createdAt: new Date(Number(link.created_at) * 1000),
    previous: prev,
    proofLocation: link.proof_location ?? '',
    isRecheck: true,
    chain: signedChainIn(link.signature_payload) ?? undefined,
    ...(typeof walletSignature === 'string' ? { walletSignature } : {}),
    ...(typeof walletMessage === 'string' ? { walletMessage } : {}),
    ...(accountId === '' ? {} : { accountId }),
  };
}
