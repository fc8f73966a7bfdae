import { verifyChain as checkChain } from '@signet/verify';
import { confirm, explain } from './conversation.mjs';

/**
 * @import { SignedLink } from '@signet/verify'
 * @import { FeedLink } from '@signet/verify/log'
 * @import { Call } from './conversation.mjs'
 * @import { Key } from './keys.mjs'
 */

/**
 * Binds `wallet` to `avatar`, looks it up, reads the chain and the feed, and revokes it.
 * @param {Call} call
 * @param {Key} avatar
 * @param {Key} wallet
 */
export async function walletLife(call, avatar, wallet) {
  const link = { platform: 'ethereum', identity: wallet.address, public_key: avatar.publicKey };
  const named = `platform=ethereum&identity=${wallet.address}`;

  explain(
    'Ask for the payload',
    'The service writes the exact text that both keys are going to sign. Nothing is stored yet.',
  );
  const payload = await call('POST', '/v1/proof/payload', { body: { action: 'create', ...link } });

  explain(
    'Sign and submit',
    'The Avatar and the wallet sign the same text with personal_sign; nothing has to be published for a wallet.',
  );
  const extra = { signature: avatar.sign(payload.sign_payload), wallet_signature: wallet.sign(payload.sign_payload) };
  const { uuid, created_at } = payload;
  await call('POST', '/v1/proof', { body: { action: 'create', ...link, uuid, created_at, extra }, expected: 201 });

  explain('Look the wallet up', 'Anybody can ask which Avatar stands behind an identity.');
  const found = await call('GET', `/v1/proof?${named}&exact=true`);
  confirm(found.ids[0].avatar === avatar.publicKey, 'the wallet leads to our Avatar');

  explain('Ask for the one binding', 'The short question for programs that know both sides.');
  const state = await call('GET', `/v1/proof/exists?${named}&public_key=${avatar.publicKey}`);
  confirm(state.is_valid, 'the binding is valid');

  explain('Revoke it', 'A delete is a link too: a payload, signed by the Avatar.');
  const farewell = await call('POST', '/v1/proof/payload', { body: { action: 'delete', ...link } });
  await call('POST', '/v1/proof', {
    body: {
      action: 'delete',
      ...link,
      uuid: farewell.uuid,
      created_at: farewell.created_at,
      extra: { signature: avatar.sign(farewell.sign_payload) },
    },
    expected: 201,
  });
  const gone = await call('GET', `/v1/proof/exists?${named}&public_key=${avatar.publicKey}`, { expected: 404 });
  confirm(gone.code === 'identity_not_found', 'the service says that the binding is gone');
  return { uuids: [uuid, farewell.uuid] };
}

/**
 * Reads the whole chain and verifies it here, with nothing but the answers: signatures, wallet signatures and `prev`
 * pointers.
 * @param {Call} call
 * @param {Key} avatar
 * @param {string[]} uuids
 */
export async function verifyChain(call, avatar, uuids) {
  explain(
    'Verify the chain',
    'Trust nobody: every signature is checked here, and every link must name the one before it.',
  );
  /** @type {SignedLink[]} */
  const links = [];
  for (let page = 1; page !== 0;) {
    const answer = await call('GET', `/v1/proofchain?public_key=${avatar.publicKey}&page=${page}`);
    links.push(...answer.proof_chain);
    page = answer.pagination.next;
  }
  confirm(
    JSON.stringify(links.map((link) => link.uuid)) === JSON.stringify(uuids),
    `the chain holds our ${uuids.length} links in order`,
  );
  for (const { link, steps } of checkChain(links, { avatar: avatar.publicKey }).links) {
    for (const { state, detail } of steps) confirm(state === 'ok', `link ${link.uuid}: ${detail}`);
  }
}

/**
 * Follows the feed from its start until our links have passed.
 * @param {Call} call
 * @param {string[]} uuids
 */
export async function followFeed(call, uuids) {
  explain('Follow the feed', 'Indexers read all links of all Avatars by a cursor and miss none.');
  /** @type {string[]} */
  const seen = [];
  for (let lastId = 0; ;) {
    const { links } = await call('GET', `/v1/proofchain/changes?last_id=${lastId}&count=100`, { quiet: true });
    if (links.length === 0) break;
    for (const { uuid, id } of /** @type {FeedLink[]} */ (links)) {
      seen.push(uuid);
      lastId = id;
    }
  }
  confirm(
    uuids.every((uuid) => seen.filter((other) => other === uuid).length === 1),
    `each of our links is among the ${seen.length} of the feed once`,
  );
}
