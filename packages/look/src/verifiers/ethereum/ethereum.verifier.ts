import { addressOfKey, decodeBase64, hasValidChecksum, recoverPersonalSigner, type SignedChain } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';
import { decodeEthereumSignature } from '@signet/verify/internal/signatures';
import { findCanonicalName, NAME_PATTERNS } from '@signet/verify/names';
import { describeMalformedBase64, explainMistake, isBareHex } from '@signet/verify/signature-help';
import type { EthereumOptions } from '../../options/options.js';
import { InvalidRequestError, InvalidSignatureError } from '../../errors.js';
import type { Fetcher } from '../../web/fetcher.js';
import { invalid } from '../../platform-verifier.js';
import type {
  PlatformCosts,
  PlatformGuide,
  PlatformVerifier,
  PostContent,
  ProofClaim,
  ProofDraft,
  Verdict,
} from '../../platform-verifier.js';
import { MISSING_WALLET_SIGNATURE, walletPostContent } from '../../posts/wallet-text.js';
import { checkContractWallet, newestBlockOf } from './ethereum-contract-wallet.js';
import { EthereumRpc } from './ethereum-rpc.js';

/** `0x` and 20 bytes in hex, as `eip155:1:0x...` (CAIP-10), `ethereum:0x...@1` (EIP-681) or `eth:0x...` too. */
const ACCOUNT = /^(?:eip155:([0-9]{1,32}):|ethereum:|eth:)?0x([0-9a-f]{40})(?:@([0-9]{1,32}))?$/i;
/** The name of a name service, such as alice.eth. */
const DOTTED_NAME = /^(?:ethereum:)?[^\s/:@.]+(?:\.[^\s/:@.]+)+$/i;
const MAX_WALLET_SIGNATURE_TEXT = 131_074; // 64 KiB, the most that is accepted, as hex behind 0x

/**
 * Ethereum: the wallet signs the same payload as the Avatar with personal_sign, and nothing is published (contract,
 * "Flow for Ethereum-wallet identities"). A signature that no key made may be that of a contract wallet, which is asked
 * where the option `rpcUrls` is given. Sources: ERC-191, ERC-55, CAIP-10.
 */
export class EthereumVerifier implements PlatformVerifier {
  readonly platform = 'ethereum';
  readonly publishes = 'nothing';
  /** Providers of nodes publish limits of their own, the free ones about 25 requests a second. */
  readonly costs: PlatformCosts = { rates: { plain: { requests: 25, seconds: 1 } } };
  readonly guide: PlatformGuide = {
    label: 'Ethereum',
    identityPattern: NAME_PATTERNS.ethereum,
    identityExample: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    locationForms: [],
    steps: [
      'Ask for a payload with your wallet address (0x and 40 hex digits) as the identity.',
      'Sign sign_payload with your Avatar key.',
      'Sign the same sign_payload with your wallet, as a personal message (personal_sign).',
      'Submit both as Base64: extra.signature is from the Avatar, extra.wallet_signature from the wallet. Nothing is published.',
      'A contract wallet (Safe, passkey wallet and the like) can be used where the server has an endpoint for its chain. Name the chain in ' +
        'both requests: ask for the payload with extra.chain_id, and send back the extra of the answer. The same address may have another ' +
        'owner elsewhere.',
    ],
  };

  /** Contract wallets, by the chain they are asked on; empty where the operator gives no endpoint. */
  private readonly chains: EthereumRpc[];

  constructor(web: Fetcher, { rpcUrls = [] }: EthereumOptions = {}) {
    this.chains = rpcUrls.map((endpoint) => new EthereumRpc(web, endpoint));
  }

  /** A plain wallet is checked by its signature alone; one that may be a contract is looked up on its chain. */
  get asksOthers(): boolean {
    return this.chains.length > 0;
  }

  /**
   * Accepts the address, `eip155:<chain>:<address>`, `ethereum:<address>@<chain>` and `eth:<address>`; answers the
   * lowercase address. One address is one identity on every chain, so the chain is not part of it; `verify` asks the
   * chain that was named.
   * @throws InvalidRequestError (`invalid_identity`) for another form or a wrong ERC-55 checksum.
   */
  canonicalIdentity(text: string): string {
    const address = addressIn(text);
    if (!address) throw invalidIdentity(text);
    if (!hasValidChecksum(address)) {
      throw new InvalidRequestError(
        'The upper and lower case letters of this address do not match its checksum (ERC-55), so it may be mistyped; copy it ' +
          'again, or write it in lower case if you are sure of it.',
        'invalid_identity',
      );
    }
    return address.toLowerCase();
  }

  /** Like `canonicalIdentity`, but a query is not refused for its checksum. */
  findIdentity(text: string): string | null {
    return findCanonicalName(this.platform, text);
  }

  chainOf(text: string): number | null {
    const chain = chainIn(text);
    return chain === null ? null : Number(chain);
  }

  async newestBlock(chainId: number): Promise<SignedChain> {
    const chain = this.chains.find((one) => Number(one.chainId) === chainId);
    if (chain) return newestBlockOf(chain);
    const known = this.chains.map((one) => one.chainId).join(', ');
    throw new InvalidRequestError(
      `This server cannot ask contract wallets on chain ${chainId}` + (known ? `, only on chain ${known}.` : '.'),
      'unknown_chain',
    );
  }

  postContent({ identity }: ProofDraft): PostContent {
    return walletPostContent(identity);
  }

  /**
   * A plain signature that recovers to the address is enough, also where the address has code: the key of an ERC-7702
   * account still controls it, on every chain. Only where it does not is a contract asked: on the chain that was signed
   * or that the caller named (`eip155:<chain>:`), else on all, one after the other. Its yes counts on that chain alone,
   * which is kept with the link.
   */
  async verify(claim: ProofClaim): Promise<Verdict> {
    const { avatar, identity, identityAsSent, signPayload, walletSignature, curves } = claim;
    const signature = decodeWalletSignature(walletSignature);
    if (!signature) return invalid(MISSING_WALLET_SIGNATURE);
    const signer = recoverPersonalSigner(signPayload, signature, { curves });
    if (signer && addressOfKey(signer, { curves }) === identity) return { valid: true };
    const verdict = await this.askContract(claim, chainIn(identityAsSent ?? ''), signature);
    if (verdict.valid) return verdict;
    if (signer === avatar.compressed) {
      return invalid(`${verdict.reason} It is a signature of the Avatar key, and the wallet has to sign as well.`);
    }
    const isOwner = (key: string) => addressOfKey(key, { curves }) === identity;
    const mistake = explainMistake(signPayload, signature, isOwner, { curves });
    return mistake ? invalid(`${verdict.reason} It was made by that key over ${mistake}.`) : verdict;
  }

  /** A contract wallet can be asked on the chain that was signed alone, and where none was signed on any. */
  missingFor({ identity, signPayload, walletSignature, chain, curves }: ProofClaim): string | null {
    if (this.chains.some(({ chainId }) => !chain || chainId === String(chain.chain_id))) return null;
    const signature = decodeWalletSignature(walletSignature);
    // Where nothing was signed, no contract is needed to say so.
    if (!signature) return null;
    const signer = recoverPersonalSigner(signPayload, signature, { curves });
    if (signer && addressOfKey(signer, { curves }) === identity) return null;
    if (!chain) {
      return 'The key of this address did not sign, so only a contract wallet can say that it did: ETH_RPC_URLS (ethereum.rpcUrls) has to name an endpoint of its chain.';
    }
    return `This is a contract wallet on chain ${chain.chain_id}: ETH_RPC_URLS has to name an endpoint of that chain.`;
  }

  /** `named` is the chain that the caller named, or null. @throws what `checkContractWallet` throws */
  private async askContract(
    { identity, signPayload, chain }: ProofClaim,
    named: string | null,
    signature: Uint8Array,
  ): Promise<Verdict> {
    const asked = chain ? String(chain.chain_id) : named;
    if (named !== null && named !== asked) {
      return invalid(`The identity names chain ${named}, and the payload that was signed names chain ${asked}.`);
    }
    const chains = this.chains.filter(({ chainId }) => asked === null || chainId === asked);
    if (chains.length > 0) {
      return checkContractWallet(chains, identity, signPayload, signature, chain?.block_number);
    }
    const notTheKeys = `The wallet signature was not made by the key of ${identity} over this payload, and this server`;
    if (this.chains.length === 0) return invalid(`${notTheKeys} is not set up to ask contract wallets.`);
    const known = this.chains.map(({ chainId }) => chainId).join(', ');
    return invalid(`${notTheKeys} cannot ask contract wallets on chain ${asked}, only on chain ${known}.`);
  }
}

/** The address in one of the accepted forms, in the letter case given; null for anything else. */
function addressIn(text: string): string | null {
  const digits = ACCOUNT.exec(cleanPasted(text))?.[2];
  return digits === undefined ? null : `0x${digits}`;
}

/** The chain that is named with an address, as decimal text without leading zeros; null where none is named. */
function chainIn(text: string): string | null {
  const [, before, , behind] = ACCOUNT.exec(cleanPasted(text)) ?? [];
  const chain = before ?? behind;
  return chain === undefined ? null : BigInt(chain).toString();
}

function invalidIdentity(text: string): InvalidRequestError {
  const why = DOTTED_NAME.test(cleanPasted(text))
    ? 'Names such as alice.eth can change hands, so they are not accepted; give the address they point to (0x and 40 hex digits).'
    : 'An ethereum identity is a wallet address: 0x and 40 hex digits.';
  return new InvalidRequestError(why, 'invalid_identity');
}

/**
 * Bytes of `extra.wallet_signature`: standard Base64, or hex behind `0x`; null where it is absent or empty.
 * @throws InvalidSignatureError for other text and for more than 64 KiB.
 */
function decodeWalletSignature(text: string | undefined): Uint8Array | null {
  if (!text) return null;
  const bytes = decodeEthereumSignature(text);
  if (bytes && !isBareHex(text)) return bytes;
  if (text.length > MAX_WALLET_SIGNATURE_TEXT || (!bytes && decodeBase64(text))) {
    throw new InvalidSignatureError('extra.wallet_signature is longer than 64 KiB.');
  }
  throw new InvalidSignatureError(
    `extra.wallet_signature must be standard Base64, or hex digits behind 0x; this is ${describeMalformedBase64(text)}.`,
  );
}
