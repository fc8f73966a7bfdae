import type { Answer, RunningApp } from './app.js';
import type { TestAvatar, TestNostrKey, TestSolanaWallet, TestWallet } from './avatar.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

/** The fields of both steps, with what a test wants changed. */
export interface LinkOptions {
  action?: 'create' | 'delete';
  /** Fields of step 2 to replace; `undefined` leaves a field out. */
  submit?: Record<string, unknown>;
}

/** Step 1 for a wallet of `avatar`. */
export async function walletPayload(
  client: Client,
  avatar: TestAvatar,
  wallet: TestWallet,
  { action = 'create' }: LinkOptions = {},
) {
  return client.post('/v1/proof/payload', {
    action,
    platform: 'ethereum',
    identity: wallet.address,
    public_key: avatar.key.compressed,
  });
}

/** The body of step 2, signed by both keys. */
export function signedSubmit(
  payload: Answer['body'],
  avatar: TestAvatar,
  wallet: TestWallet,
  { action = 'create', submit = {} }: LinkOptions = {},
) {
  return {
    action,
    platform: 'ethereum',
    identity: wallet.address,
    public_key: avatar.key.compressed,
    uuid: payload.uuid,
    created_at: payload.created_at,
    extra: {
      signature: avatar.sign(payload.sign_payload),
      ...(action === 'create' ? { wallet_signature: wallet.sign(payload.sign_payload) } : {}),
    },
    ...submit,
  };
}

/** Both steps: binds (or, with `action: 'delete'`, revokes) the wallet and answers what step 2 answered. */
export async function linkWallet(
  client: Client,
  avatar: TestAvatar,
  wallet: TestWallet,
  options: LinkOptions = {},
): Promise<Answer> {
  const payload = await walletPayload(client, avatar, wallet, options);
  if (payload.status !== 200) return payload;
  return client.post('/v1/proof', signedSubmit(payload.body, avatar, wallet, options));
}

/** Binds a Solana wallet to an Avatar: asks for a payload, signs it with both keys, and submits the link. */
export function linkSolana(
  client: Client,
  avatar: TestAvatar,
  wallet: TestSolanaWallet,
  options: OtherLinkOptions = {},
): Promise<Answer> {
  return linkOther(
    client,
    avatar,
    { platform: 'solana', identity: wallet.address },
    { sign: signedBy(wallet), ...options },
  );
}

/** Binds a key of Nostr to an Avatar in the same steps. */
export function linkNostr(
  client: Client,
  avatar: TestAvatar,
  key: TestNostrKey,
  options: OtherLinkOptions = {},
): Promise<Answer> {
  return linkOther(client, avatar, { platform: 'nostr', identity: key.npub }, { sign: signedBy(key), ...options });
}

type OtherLinkOptions = Pick<LinkOptions, 'action'> & { sign?: (text: string) => object };

const signedBy = (wallet: { sign(text: string): string }) => (text: string) => ({
  wallet_signature: wallet.sign(text),
});

async function linkOther(
  client: Client,
  avatar: TestAvatar,
  name: { platform: string; identity: string },
  { action = 'create', sign }: OtherLinkOptions,
): Promise<Answer> {
  const link = { action, ...name, public_key: avatar.key.compressed };
  const payload = await client.post('/v1/proof/payload', link);
  if (payload.status !== 200) return payload;
  const { uuid, created_at, sign_payload: text } = payload.body;
  return client.post('/v1/proof', {
    ...link,
    uuid,
    created_at,
    extra: { signature: avatar.sign(text), ...(action === 'create' ? sign!(text) : {}) },
  });
}
