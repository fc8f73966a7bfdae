/** Signs links: asks for a payload, checks what it says, and makes a draft of it. */
import { WALLET_PLATFORMS } from '@signet/verify/bindings';
import type { Payload } from '../answers.js';
import { SignetError } from '../errors.js';
import type { WalletSigner } from '../signers/bound-wallets.js';
import { stayingIdentity } from '../names/account-names.js';
import type { PlatformName } from '../platform-names.js';
import type { Signer } from '../signers/signer.js';
import type { Wallet } from '../signers/wallets.js';
import type { CheckedReads } from '../client/checked-reads.js';
import { Draft, type SubmitOptions } from './draft.js';

/** What is signed. */
export interface LinkRequest {
  platform: PlatformName;
  identity: string;
  /** The Avatar: what `fromWallet` returned, or what it takes. */
  signer: Wallet;
  /** The wallet that is bound, where it is another key than the Avatar. */
  wallet?: WalletSigner | undefined;
  /**
   * The EIP-155 id of the chain of a contract wallet (ethereum), which is signed with the link; absent: what `wallet`
   * says of itself.
   */
  chainId?: number | undefined;
  /**
   * `me`: a website whose head can hold links alone, and names the key by `<link rel="me">`. Shown as such: that page
   * names the key, and not this binding.
   */
  rel?: 'me' | undefined;
  signal?: AbortSignal | undefined;
}

/** What `bind` publishes. */
export interface Publication {
  /** The text to publish, signature included. */
  text: string;
  draft: Draft;
}

/** The whole flow of a binding. */
export interface BindOptions extends LinkRequest, Omit<SubmitOptions, 'location'> {
  /** Publishes the text, or lets the person do it, and answers where (as the platform needs it). Not for wallets. */
  publish?: ((publication: Publication) => Promise<string | void> | string | void) | undefined;
  /** Called with the signed draft before anything is published: a good time to keep it. */
  onDraft?: ((draft: Draft) => void) | undefined;
}

/** Asks for a payload, checks that it says what was asked for, and signs it. */
export async function signLink(
  reads: CheckedReads,
  action: 'create' | 'delete',
  { platform, identity: written, signer: given, wallet, chainId: givenChain, rel, signal }: LinkRequest,
): Promise<Draft> {
  const { checkLinkPayload, fromWallet } = await reads.rules();
  const signer = await fromWallet(given);
  const { avatar } = signer;
  const identity = await stayingIdentity(reads.transport, platform, written, signal);
  const chainId =
    givenChain ?? (action === 'create' && platform === 'ethereum' ? await wallet?.chainId?.() : undefined);
  const payload = await reads.transport.call<Payload>({
    method: 'POST',
    path: '/v1/proof/payload',
    body: {
      action,
      platform,
      identity,
      public_key: avatar,
      ...(chainId === undefined ? {} : { extra: { chain_id: chainId } }),
    },
    isRepeatable: true,
    text: 'sign_payload',
    signal,
  });
  const { uuid, created_at, sign_payload: text } = payload;
  const asked = { action, platform, identity, avatar, chainId };
  const { identity: canonical, chain } = checkLinkPayload(text, asked, payload);
  const signature = await signer.sign(text);
  const byWallet =
    action === 'create' ? await walletSignature(platform, canonical, signer, wallet, text, signature) : {};
  return new Draft(reads, {
    version: 1,
    action,
    platform,
    identity: canonical,
    avatar,
    uuid,
    created_at,
    sign_payload: text,
    post_content: payload.post_content as { [language: string]: string },
    extra: { signature, ...byWallet, ...chain, rel },
  });
}

/** The Avatar's own signature is the wallet's where both are one key. */
async function walletSignature(
  platform: string,
  identity: string,
  signer: Signer,
  wallet: WalletSigner | undefined,
  text: string,
  signature: string,
): Promise<{ wallet_signature?: string; wallet_message?: string }> {
  if (wallet) return wallet.sign(text);
  if (!WALLET_PLATFORMS.includes(platform)) return {};
  if (identity === signer.address) return { wallet_signature: signature };
  throw new SignetError(`To bind ${identity}, give its wallet too: it signs the same text.`, { code: 'wrong_signer' });
}
