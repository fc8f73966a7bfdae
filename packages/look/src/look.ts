/** One look at one binding: what a platform shows now, without the word of any server of Signet. */
import { findAvatarKey, type SignedLink } from '@signet/verify';
import { holdsPrivateKey } from '@signet/verify/internal';
import { signedChainIn } from '@signet/verify/internal/chains';
import {
  InvalidRequestError,
  InvalidSignatureError,
  PlatformMisconfiguredError,
  PlatformUnavailableError,
} from './errors.js';
import type { Evidence, PlatformVerifier, ProofClaim, ValidVerdict } from './platform-verifier.js';
import { settledVerdict } from './posts/verdict-form.js';
import { WebFailure } from './web/web-failure.js';

/** A signed link that makes a binding, and what is known of its account. The signature has been checked before. */
export interface Bound {
  /** The Avatar's key, in any spelling. */
  avatar: string;
  link: SignedLink;
  /** The account id that a file or server names, to notice that a name has changed hands; `''` where none does. */
  accountId: string;
  /** The name of the server (`service_name`), under which records of .bit stand; absent: that of the settings. */
  serviceName?: string | undefined;
}

/**
 * Why nothing was learnt: `network` (no answer that may be read), `limit` (the platform asks to wait), `unusable` (an
 * answer that proves nothing), `credential` (a token or setting is missing), `declined` (who was asked whether the look
 * may be made said no).
 */
export type LookProblem = 'network' | 'limit' | 'unusable' | 'credential' | 'declined';

/**
 * What came of a look: `seen`; `not_seen`, where an answer was read and did not bear the link out; `could_not_look`,
 * where nothing was learnt, which says nothing about the post; `not_readable_here`, where the platform lets no program
 * of this kind read it, and none was asked.
 */
export type LookState = 'seen' | 'not_seen' | 'could_not_look' | 'not_readable_here';

/** A look that was made, or could not be. */
export interface Look {
  state: LookState;
  /** Who looked: this program itself. */
  by: 'you';
  /** UNIX seconds. */
  at: number;
  /** One sentence, English; `''` where it was seen. */
  reason: string;
  /** Null unless the state is `could_not_look`. */
  problem: LookProblem | null;
  /** Seconds for which the platform wants no requests; null where it named none. */
  retryAfterSeconds: number | null;
  /** What was read; null where nothing was, as for a wallet, whose signature is in the link. */
  evidence: Evidence | null;
  /** The platform's stable id of the account; `''` where it has none. */
  accountId: string;
  /**
   * Whether the post holds the very signature of the link; false where it holds another one that the key made over this
   * text, null where nothing was read, or the page names the key and holds no signature (`rel="me"`).
   */
  isSameSignature: boolean | null;
}

/** The part of a verifier that a look needs. */
export type Reader = Pick<
  PlatformVerifier,
  'platform' | 'canonicalIdentity' | 'canonicalLocation' | 'verify' | 'missingSetting' | 'missingFor'
>;

const NOTHING_READ = { evidence: null, accountId: '', isSameSignature: null };

/** A look of `state` in which nothing was read. */
export function unread(
  state: Exclude<LookState, 'seen'>,
  reason: string,
  problem: LookProblem | null = null,
  retryAfterSeconds: number | null = null,
): Look {
  return { state, by: 'you', at: nowSeconds(), reason, problem, retryAfterSeconds, ...NOTHING_READ };
}

/**
 * Asks the platform of a binding. Nothing of a platform or of the network makes it throw. Identity and location are the
 * words of a stranger, whose key signed them at best, and become part of addresses: what the platform would not have in
 * this form is not asked about.
 */
export async function lookAt(reader: Reader, bound: Bound): Promise<Look> {
  try {
    const location = await locationOf(reader, bound);
    if (location === null) return unread('could_not_look', unknownForm(reader, bound), 'unusable');
    const claim = claimOf(bound, location);
    const missing = reader.missingFor?.(claim) ?? reader.missingSetting?.() ?? null;
    if (missing !== null) return unread('could_not_look', missing, 'credential');
    const verdict = settledVerdict(reader.platform, claim, await reader.verify(claim));
    return verdict.valid ? seen(verdict, bound) : unread('not_seen', verdict.reason);
  } catch (error) {
    if (error instanceof PlatformUnavailableError) return notLooked(error);
    if (error instanceof PlatformMisconfiguredError) return unread('could_not_look', error.message, 'credential');
    // What a verifier refuses by throwing, such as a signature in no known alphabet.
    if (error instanceof InvalidRequestError || error instanceof InvalidSignatureError)
      return unread('not_seen', error.message);
    throw error;
  }
}

/** The canonical location of a binding; null where its identity is not canonical, or its location is none. */
async function locationOf(reader: Reader, { link }: Bound): Promise<string | null> {
  const { identity, proof_location: location = '' } = link;
  try {
    if ([identity, location].some(holdsPrivateKey) || reader.canonicalIdentity(identity) !== identity) return null;
    return reader.canonicalLocation ? await reader.canonicalLocation(location, identity) : '';
  } catch (error) {
    if (error instanceof InvalidRequestError) return null;
    throw error;
  }
}

function unknownForm({ platform }: Reader, { link: { identity, proof_location: location = '' } }: Bound): string {
  if ([identity, location].some(holdsPrivateKey)) return 'The binding names a private key.';
  const shown = [identity, ...(location === '' ? [] : [location])].map((text) => JSON.stringify(text.slice(0, 256)));
  return `${shown.join(' at ')} is not written as ${platform} writes it.`;
}

function seen({ evidence, accountId = '', signature }: ValidVerdict, { link }: Bound): Look {
  return {
    ...{ state: 'seen', by: 'you', at: nowSeconds(), reason: '', problem: null, retryAfterSeconds: null },
    ...{ evidence: evidence ?? null, accountId },
    isSameSignature: signature === undefined ? null : signature === link.signature,
  };
}

function notLooked(error: PlatformUnavailableError): Look {
  const { message, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === undefined ? '' : ` It asks for ${retryAfterSeconds} s without requests.`;
  return unread('could_not_look', message + wait, problemOf(error), retryAfterSeconds ?? null);
}

function problemOf({ cause, retryAfterSeconds }: PlatformUnavailableError): LookProblem {
  const kind = cause instanceof WebFailure ? cause.kind : null;
  if (kind === 'unreachable' || kind === 'unreadable' || kind === 'refused' || kind === 'slow') return 'network';
  const isLimit = kind === 'limited' || kind === 'paused' || kind === 'busy' || kind === 'exhausted';
  return isLimit || retryAfterSeconds !== undefined ? 'limit' : 'unusable';
}

/** The claim of a link whose chain has been checked. */
function claimOf({ avatar, link, accountId }: Bound, proofLocation: string): ProofClaim {
  const { prev } = JSON.parse(link.signature_payload) as { prev: string | null };
  const extra = (link.extra ?? {}) as Record<string, unknown>;
  const { wallet_signature: walletSignature, wallet_message: walletMessage, rel } = extra;
  return {
    avatar: findAvatarKey(avatar)!,
    identity: link.identity,
    signPayload: link.signature_payload,
    uuid: link.uuid,
    createdAt: new Date(Number(link.created_at) * 1000),
    previous: prev,
    proofLocation,
    isRecheck: true,
    withProof: true,
    chain: signedChainIn(link.signature_payload) ?? undefined,
    ...(typeof walletSignature === 'string' ? { walletSignature } : {}),
    ...(typeof walletMessage === 'string' ? { walletMessage } : {}),
    ...(rel === 'me' ? { rel } : {}),
    ...(accountId === '' ? {} : { accountId }),
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
