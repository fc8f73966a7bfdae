/** What a wallet puts into a page: `window.ethereum`, with one key. Loaded before an example that runs in a page. */
import { fromPrivateKey } from '@signet/sdk';
import { decodeBase64, decodeHex, encodeHex } from '@signet/verify';

const signer = fromPrivateKey(new Uint8Array(32).fill(9));

async function request({ method, params }) {
  if (method === 'eth_requestAccounts') return [signer.address];
  const text = Buffer.from(decodeHex(params[0].slice(2))).toString();
  return `0x${encodeHex(decodeBase64(await signer.sign(text)))}`;
}

globalThis.window = { ethereum: { request } };
