import type { PostContent } from '../platform-verifier.js';
import { SIGNATURE_PLACEHOLDER } from '../platform-verifier.js';

/** What a client shows for a wallet, where others have a text to publish. */
export function walletPostContent(identity: string): PostContent {
  return {
    default:
      `Nothing has to be published for a wallet. Send the Avatar signature ${SIGNATURE_PLACEHOLDER} as extra.signature, and ` +
      `the signature of wallet ${identity} over the same text as extra.wallet_signature.`,
  };
}

/** The reason of a verdict where a wallet's signature was not sent. */
export const MISSING_WALLET_SIGNATURE = 'The wallet signature is missing: send it as extra.wallet_signature.';
