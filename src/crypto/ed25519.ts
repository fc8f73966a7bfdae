/** Ed25519 (RFC 8032), strict: how Solana wallets sign. */
import { nobleEd25519 } from '@signet/verify';

export const { isUsablePublicKey, verify: verifyEd25519 } = nobleEd25519;
