/** The clocks of servers, databases, witnesses and readers may be this far apart. */
export const CLOCK_SPREAD_SECONDS = 300;

/** Platforms whose identities are wallets: nothing is published, and the wallet signs too. */
export const WALLET_PLATFORMS: readonly string[] = ['ethereum', 'solana', 'nostr'];

/** The text that a client replaces by the Base64 signature (contract, POST /v1/proof/payload). */
export const SIGNATURE_PLACEHOLDER = '%SIG_BASE64%';
