/** A wallet of a page (EIP-1193) with one key, which signs whatever it is asked to. */
import { decodeBase64, encodeHex, type Hex } from '@signet/verify';
import { type Eip1193Provider, fromPrivateKey } from '../../src/index.js';

/** The provider of a wallet that has this key. */
export function pageWallet(privateKey: Hex): Eip1193Provider & { on(): void; removeListener(): void } {
  const { address, sign } = fromPrivateKey(privateKey);
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<never> => {
    if (/^eth_(requestA|a)ccounts$/.test(method)) return [address] as never;
    if (method === 'eth_chainId') return '0x1' as never;
    if (method !== 'personal_sign') throw new Error(`The wallet does not know ${method}.`);
    const text = Buffer.from((params as [Hex])[0].slice(2), 'hex').toString();
    return `0x${encodeHex(decodeBase64(await sign(text))!)}` as never;
  };
  return { request, on: () => {}, removeListener: () => {} };
}
