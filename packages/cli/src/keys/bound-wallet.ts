/** Wallets of another key than the Avatar, which sign the same text. */
import {
  fromPrivateKey,
  nostrWallet,
  type Signer,
  SignetError,
  signatureOfNostrEvent,
  type WalletSigner,
} from '@signet/sdk';
import { addressOfKey, decodeBase64 } from '@signet/verify';
import { parseObject } from '@signet/verify/internal';
import { nostrTemplate } from '@signet/verify/internal/signatures';
import { describeMalformedBase64, explainMistake, isBareHex, signatureAsBase64 } from '@signet/verify/signature-help';
import { UsageError } from '../exit.js';
import type { Session } from '../session.js';
import { printable } from '../terminal/printer.js';
import { readKeyVariable } from './private-key.js';

/** How a wallet of one platform is asked. */
interface Asked {
  /** Signs with the private key in SIGNET_WALLET_KEY; absent where that variable does not serve. */
  signWith?(key: string, text: string): Promise<string>;
  /** What the person has to do for a text, and what is read then. */
  request(text: string): string;
  question: string;
  /** The signature in what was pasted, or a sentence about what can only be a slip. */
  read(pasted: string, text: string): { signature: string } | { problem: string };
}

/** The wallet's own signature, where it is another key than the Avatar. */
export function walletFor(
  { io, printer, prompter }: Session,
  platform: string,
  identity: string,
  signer: Signer,
): WalletSigner | undefined {
  if (platform === 'ethereum' && identity.toLowerCase() === signer.address) return undefined;
  const asked = platform === 'nostr' ? NOSTR : ofText(platform, identity);
  const otherwise = asked.signWith ? 'set SIGNET_WALLET_KEY to its private key.' : 'run this in a terminal.';
  return {
    async sign(text) {
      const key = io.env['SIGNET_WALLET_KEY'];
      if (key && asked.signWith) return { wallet_signature: await asked.signWith(key, text) };
      printer.note(asked.request(text));
      for (;;) {
        const answer = asked.read(await prompter.ask(asked.question, otherwise), text);
        if ('signature' in answer) return { wallet_signature: answer.signature };
        printer.note(answer.problem);
      }
    },
  };
}

/** A wallet that signs the text itself. */
function ofText(platform: string, identity: string): Asked {
  const common = {
    request: (text: string) => `Sign exactly this text with the wallet ${printable(identity)}:\n\n${text}\n`,
    question: 'Its signature (hex or Base64):',
  };
  if (platform !== 'ethereum') return { ...common, read: (signature) => ({ signature }) };
  return {
    ...common,
    signWith: async (key, text) => fromPrivateKey(await readKeyVariable('SIGNET_WALLET_KEY', key)).sign(text),
    read(signature, text) {
      const problem = problemOfSignature(signature, text, identity);
      return problem === null ? { signature } : { problem };
    },
  };
}

/** A key of Nostr, which signs an event of the text. */
const NOSTR: Asked = {
  async signWith(key, text) {
    const wallet = keyOfNostr(key);
    const npub = identityIn(text);
    if ((await wallet.npub()) !== npub)
      throw new UsageError(`SIGNET_WALLET_KEY is another key than ${printable(npub)}.`);
    return (await wallet.sign(text)).wallet_signature;
  },
  request: (text) =>
    `Let a program of Nostr sign this event with the key ${printable(identityIn(text))}. It has to be sent to no relay.\n\n` +
    `${JSON.stringify(nostrTemplate(text))}\n`,
  question: 'The signed event, or its sig:',
  read(pasted, text) {
    try {
      return { signature: signatureOfNostrEvent(pasted, text) };
    } catch (error) {
      if (!(error instanceof SignetError)) throw error;
      return { problem: error.message };
    }
  },
};

/** @throws UsageError (`invalid_key`) that quotes nothing of the key */
function keyOfNostr(key: string) {
  try {
    return nostrWallet(key);
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    throw new UsageError(`SIGNET_WALLET_KEY cannot be used. ${error.message}`, 'invalid_key');
  }
}

function identityIn(text: string): string {
  return String(parseObject(text)?.['identity']);
}

/**
 * A sentence about a signature that can only be a slip, so that the person can paste another; null for one that may be
 * right. Contract wallets choose the form of theirs, so only the server can refuse those.
 */
function problemOfSignature(pasted: string, text: string, address: string): string | null {
  const written = signatureAsBase64(pasted);
  // How a contract wallet says that it approved on its chain.
  if (written === '0x') return null;
  const bytes = decodeBase64(written);
  if (!bytes || isBareHex(written)) return `This is ${describeMalformedBase64(written)}.`;
  const mistake = explainMistake(text, bytes, (key) => addressOfKey(key) === address.toLowerCase());
  return mistake && `It was made by that wallet, but over ${mistake}.`;
}
