/** Wallets that are bound to an Avatar of another key: each signs the text that the Avatar signs. */
import { encodeBase64, encodeHex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';
import { SignetError } from '../errors.js';
import { type Eip1193Provider, isBareHex, personalSign, type RequestingWallet } from './wallets.js';

/** A wallet that is bound: its own signature over the text that the Avatar signs. */
export interface WalletSigner {
  /** The EIP-155 id of its chain where it is a contract wallet, which is signed with the link; else undefined. */
  chainId?(): Promise<number | undefined>;
  /** As `extra.wallet_signature`, and `extra.wallet_message` where the wallet signed more than the text. */
  sign(text: string): Promise<{ wallet_signature: string; wallet_message?: string }>;
}

/** The feature `solana:signMessage` of a wallet-standard wallet. */
export interface SolanaWallet<Account> {
  features: {
    'solana:signMessage': {
      signMessage(input: {
        account: Account;
        message: Uint8Array;
      }): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>;
    };
  };
}

/**
 * An Ethereum wallet to be bound, through its provider or a client of viem or wagmi; contract wallets too, on the chain
 * that the provider is on.
 */
export function ethereumWallet(wallet: RequestingWallet, address: string): WalletSigner {
  const provider = wallet as Eip1193Provider;
  return {
    chainId: () => chainOfContract(provider, address),
    async sign(text) {
      const signature = await provider.request(personalSign(text, address));
      if (typeof signature !== 'string' || signature === '')
        throw new SignetError('The wallet gave no signature.', { code: 'wrong_signer' });
      return { wallet_signature: isBareHex(signature) ? `0x${signature}` : signature };
    },
  };
}

/** Begins the code of an account whose key still signs for it (EIP-7702). */
const DELEGATED_CODE = /^0xef0100/i;

/** The chain of the provider, where the address is a contract on it; undefined where it is a key, or is not said. */
async function chainOfContract(provider: Eip1193Provider, address: string): Promise<number | undefined> {
  const ask = async (method: string, params: unknown[] = []) => {
    const answer = await provider.request({ method, params }).catch(() => undefined);
    return typeof answer === 'string' ? answer : '';
  };
  const code = await ask('eth_getCode', [address, 'latest']);
  if (!/^0x[0-9a-f]{2}/i.test(code) || DELEGATED_CODE.test(code)) return undefined;
  const id = Number(await ask('eth_chainId'));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** A Solana wallet to be bound: a wallet-standard wallet and one of its accounts. */
export function solanaWallet<Account>(wallet: SolanaWallet<Account>, account: Account): WalletSigner {
  return {
    async sign(text) {
      const message = utf8(text);
      const [output] = await wallet.features['solana:signMessage'].signMessage({ account, message });
      const { signature, signedMessage } = output!;
      const isPlain = encodeHex(signedMessage) === encodeHex(message);
      return {
        wallet_signature: encodeBase64(signature),
        ...(isPlain ? {} : { wallet_message: encodeBase64(signedMessage) }),
      };
    },
  };
}
