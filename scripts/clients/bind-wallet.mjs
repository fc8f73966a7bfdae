/** Binds wallets, so that there are bindings to look up. */

/** @import { Person } from '../vectors/types.d.ts' */

/**
 * Binds the address of `wallet` to `avatar` (people of scripts/vectors/people.mjs).
 * @param {string} baseUrl
 * @param {Person} avatar
 * @param {Person} wallet
 * @throws Error with the message of the server if it refuses
 */
export async function bindWallet(baseUrl, avatar, wallet) {
  const link = { action: 'create', platform: 'ethereum', identity: wallet.address, public_key: avatar.avatar };
  const { sign_payload: text, uuid, created_at } = await post(`${baseUrl}/v1/proof/payload`, link);
  const extra = { signature: avatar.sign(text), wallet_signature: wallet.sign(text) };
  await post(`${baseUrl}/v1/proof`, { ...link, uuid, created_at, extra });
}

/** @param {string} url @param {object} body */
async function post(url, body) {
  const reply = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const said = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${said}`);
  return JSON.parse(said);
}
