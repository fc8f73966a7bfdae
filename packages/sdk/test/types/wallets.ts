/** What `fromWallet` and its like take of the types of other libraries, and what they refuse. Compiled, never run. */
import type { Hex, Signer } from '@signet/sdk';
import { createClient, ethereumWallet, fromPrivateKey, fromWagmi, fromWallet } from '@signet/sdk';
import type { BrowserProvider, Eip1193Provider as EthersProvider, HDNodeWallet, JsonRpcSigner, Wallet } from 'ethers';
import { expectTypeOf } from 'expect-type';
import type { Account, Chain, Client, EIP1193Provider, PublicClient, Transport, WalletClient } from 'viem';
import type { HDAccount, JsonRpcAccount, LocalAccount, PrivateKeyAccount } from 'viem';
import type { Config, UseConnectorClientReturnType, UseWalletClientReturnType } from 'wagmi';

type Accepted = Parameters<typeof fromWallet>[0];

expectTypeOf(fromWallet).returns.resolves.toEqualTypeOf<Signer>();
expectTypeOf<Signer['avatar']>().toEqualTypeOf<Hex>();
expectTypeOf<Signer['address']>().toEqualTypeOf<`0x${string}`>();

// viem and wagmi.
expectTypeOf<WalletClient>().toExtend<Accepted>();
expectTypeOf<Client<Transport, Chain, Account>>().toExtend<Accepted>();
expectTypeOf<NonNullable<UseWalletClientReturnType['data']>>().toExtend<Accepted>();
expectTypeOf<NonNullable<UseConnectorClientReturnType['data']>>().toExtend<Accepted>();
expectTypeOf<LocalAccount>().toExtend<Accepted>();
expectTypeOf<PrivateKeyAccount>().toExtend<Accepted>();
expectTypeOf<HDAccount>().toExtend<Accepted>();
expectTypeOf<Config>().toExtend<Parameters<typeof fromWagmi>[0]>();
// EIP-1193, by three declarations.
expectTypeOf<EIP1193Provider>().toExtend<Accepted>();
expectTypeOf<EthersProvider>().toExtend<Accepted>();
expectTypeOf<{
  request(request: { method: string; params?: unknown[] | Record<string, unknown> }): Promise<unknown>;
}>().toExtend<Accepted>();
// ethers.
expectTypeOf<Wallet>().toExtend<Accepted>();
expectTypeOf<HDNodeWallet>().toExtend<Accepted>();
expectTypeOf<JsonRpcSigner>().toExtend<Accepted>();
// Keys, signers of ours, and keys elsewhere.
expectTypeOf<Hex>().toExtend<Accepted>();
expectTypeOf<Uint8Array>().toExtend<Accepted>();
expectTypeOf<Signer>().toExtend<Accepted>();
expectTypeOf<{ publicKey: string; signMessage(text: string): Promise<string> }>().toExtend<Accepted>();

// What cannot sign, or takes something else than a text.
expectTypeOf<PublicClient>().not.toExtend<Accepted>();
expectTypeOf<JsonRpcAccount>().not.toExtend<Accepted>();
expectTypeOf<BrowserProvider>().not.toExtend<Accepted>();
expectTypeOf<{ request(request: number): Promise<unknown> }>().not.toExtend<Accepted>();
expectTypeOf<{ signMessage(message: number): Promise<string> }>().not.toExtend<Accepted>();
expectTypeOf<{ publicKey: string; signMessage(message: number): Promise<string> }>().not.toExtend<Accepted>();
expectTypeOf<{ address: Hex; signMessage(message: number): Promise<string> }>().not.toExtend<Accepted>();
expectTypeOf<undefined>().not.toExtend<Accepted>();
expectTypeOf<{ address: Hex }>().not.toExtend<Accepted>();

/** A wallet is a signer as it is, wherever one is asked for. */
export async function everywhere(wallet: WalletClient, account: LocalAccount): Promise<void> {
  const client = createClient({ baseUrl: 'https://signet.example' });
  await client.bind({ platform: 'ethereum', identity: account.address, signer: wallet });
  await client.unbind({ platform: 'ethereum', identity: account.address, signer: account });
  await client.kv.patch({ platform: 'self', identity: account.address, patch: {}, signer: wallet });
  const wallets = { wallet: ethereumWallet(wallet, account.address) };
  await client.bind({ platform: 'ethereum', identity: account.address, signer: fromPrivateKey('0x01'), ...wallets });
  // @ts-expect-error -- no signer
  await client.bind({ platform: 'ethereum', identity: account.address });
  // @ts-expect-error -- an address cannot sign
  await client.bind({ platform: 'ethereum', identity: account.address, signer: { address: account.address } });
}
