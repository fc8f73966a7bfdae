import type { RunningApp } from '../support/app.js';
import { anAvatar, aSolanaWallet, aWallet, type TestAvatar } from '../support/avatar.js';
import { linkSolana, linkWallet } from '../support/scenario.js';

type Client = Pick<RunningApp, 'get' | 'post'>;

/** Both steps of a patch under the key itself. */
async function patchSelf(client: Client, avatar: TestAvatar, patch: object): Promise<void> {
  const fields = { avatar: avatar.key.uncompressed, platform: 'self', identity: avatar.key.compressed, patch };
  const { body } = await client.post('/v1/kv/payload', fields);
  const { uuid, created_at, sign_payload: text } = body;
  const { status } = await client.post('/v1/kv', { ...fields, uuid, created_at, signature: avatar.sign(text) });
  if (status !== 201) throw new Error(`The patch was answered with ${status}.`);
}

/**
 * Alice: three links (ids 1 to 3: a wallet, a Solana wallet that names its site, and the first revoked) and three
 * patches. Bob: one link (id 4) and one patch. Each link and patch of this world is made over HTTP.
 */
export async function fillWithChains(client: Client): Promise<void> {
  const [alice, bob] = [anAvatar('alice'), anAvatar('bob')];
  const answers = [
    await linkWallet(client, alice, aWallet('alice')),
    await linkSolana(client, alice, aSolanaWallet('alice'), { sign: aSolanaWallet('alice').signForSite }),
    await linkWallet(client, alice, aWallet('alice'), { action: 'delete' }),
    await linkWallet(client, bob, aWallet('bob')),
  ];
  if (answers.some(({ status }) => status !== 201)) throw new Error(JSON.stringify(answers.map(({ body }) => body)));
  await patchSelf(client, alice, { name: 'Alice', tags: ['a', 'b'] });
  await patchSelf(client, alice, { name: 'Alice B.', site: { url: 'https://alice.example' } });
  await patchSelf(client, alice, { tags: null });
  await patchSelf(client, bob, { name: 'Bob' });
}
