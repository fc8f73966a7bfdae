import { fileURLToPath } from 'node:url';
import { scriptOf } from '../../packages/verify/test/support/bundle.js';

let script: string | undefined;

/**
 * A script that announces an Ethereum wallet by EIP-6963 and a Solana wallet by Wallet Standard, each with a real key
 * of its own, for `Look.before`. In the page, `__wallet.refuses = true` makes it refuse, `__wallet.rejectsWith` is
 * thrown as it is, `__wallet.isLocked = true` makes it show no account, `__wallet.waits` is a promise that its
 * signatures wait for, and `__wallet.signed` has the texts that it signed.
 * @param privateKeyHex 32 bytes of a secp256k1 key
 * @param hasNostr whether an extension for Nostr (NIP-07) is there too, with the same private key
 */
export function walletInPage(privateKeyHex: string, hasNostr = false): string {
  script ??= scriptOf(fileURLToPath(new URL('wallet-in-page.entry.mjs', import.meta.url)));
  return `globalThis.__walletKey = ${JSON.stringify(privateKeyHex)}; globalThis.__hasNostr = ${hasNostr};\n${script}`;
}
