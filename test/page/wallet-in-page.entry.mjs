/** Runs in the page before its own scripts: two wallets, as extensions put them there, and perhaps a key of Nostr. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { fromPrivateKey } from '@signet/sdk';
import { decodeBase64, decodeHex, encodeHex } from '@signet/verify';
import { utf8 } from '@signet/verify/internal';

const { addEventListener, CustomEvent, dispatchEvent, TextDecoder } = globalThis;
const bytes = decodeHex(globalThis.__walletKey);
const signer = fromPrivateKey(bytes);
const state = { refuses: false, signed: [] };
globalThis.__wallet = state;
const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Ccircle cx="4" cy="4" r="4" fill="orange"/%3E%3C/svg%3E';

const refuseIfAsked = () => {
  if ('rejectsWith' in state) throw state.rejectsWith;
  if (state.refuses) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
};

const provider = {
  async request({ method, params }) {
    refuseIfAsked();
    if (method === 'eth_requestAccounts') return state.isLocked ? [] : [signer.address];
    await state.waits;
    const text = new TextDecoder().decode(decodeHex(params[0].slice(2)));
    state.signed.push(text);
    return `0x${encodeHex(decodeBase64(await signer.sign(text)))}`;
  },
};
const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: ICON, rdns: 'example.wallet' };
const announce = () =>
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
addEventListener('eip6963:requestProvider', announce);

const account = { address: base58.encode(ed25519.getPublicKey(bytes)) };
const solana = {
  name: 'Solana Test Wallet',
  icon: ICON,
  accounts: [account],
  features: {
    'standard:connect': { connect: async () => (refuseIfAsked(), { accounts: [account] }) },
    'solana:signMessage': {
      async signMessage({ message }) {
        refuseIfAsked();
        state.signed.push(new TextDecoder().decode(message));
        return [{ signedMessage: message, signature: ed25519.sign(message, bytes) }];
      },
    },
  },
};
const register = ({ register: add }) => add(solana);
addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail));
dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));

/** NIP-07, where the visit has it. */
if (globalThis.__hasNostr) {
  const pubkey = encodeHex(schnorr.getPublicKey(bytes));
  globalThis.nostr = {
    getPublicKey: async () => (refuseIfAsked(), pubkey),
    async signEvent({ created_at, kind, tags, content }) {
      refuseIfAsked();
      state.signed.push(content);
      const id = sha256(utf8(JSON.stringify([0, pubkey, created_at, kind, tags, content])));
      const sig = encodeHex(schnorr.sign(id, bytes));
      return { pubkey, created_at, kind, tags, content, id: encodeHex(id), sig };
    },
  };
}
