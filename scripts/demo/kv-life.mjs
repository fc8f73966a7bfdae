import { isDeepStrictEqual } from 'node:util';
import { verifyPatchChain } from '@signet/verify';
import { confirm, explain } from './conversation.mjs';

/**
 * @import { Call } from './conversation.mjs'
 * @import { Key } from './keys.mjs'
 */

/**
 * Sets, changes, deletes and replaces content under the Avatar's own key, then replays the signed patches and compares.
 * @param {Call} call
 * @param {Key} avatar
 */
export async function kvLife(call, avatar) {
  const entry = { avatar: avatar.publicKey, platform: 'self', identity: avatar.publicKey };
  /** @type {any} */
  let content;
  /** @param {string} title @param {string} why @param {object} patch */
  const write = async (title, why, patch) => {
    explain(title, why);
    const step = await call('POST', '/v1/kv/payload', { body: { ...entry, patch } });
    const { uuid, created_at, sign_payload } = step;
    const answer = await call('POST', '/v1/kv', {
      body: { ...entry, patch, uuid, created_at, signature: avatar.sign(sign_payload) },
      expected: 201,
    });
    content = answer.proofs[0].content;
  };

  await write('Write a profile', 'A patch to content that does not exist yet sets it; the Avatar signs the patch.', {
    name: 'Alice',
    links: ['https://alice.example'],
    theme: { dark: true, accent: 'green' },
  });
  await write('Change one member', 'Only what the patch names changes (RFC 7396).', { theme: { accent: 'blue' } });
  confirm(content.theme.dark === true && content.theme.accent === 'blue', 'the rest of the object is still there');
  await write('Delete a key', 'A null deletes.', { theme: { dark: null } });
  confirm(!('dark' in content.theme), 'the key is gone');
  await write('Replace an array', 'Arrays are replaced as a whole, so their order is kept.', {
    links: ['https://alice.example/blog', 'https://alice.example'],
  });
  confirm(content.links.length === 2, 'the array is the new one');

  explain('Read it', 'Anybody may read; only the Avatar can write.');
  const read = await call('GET', `/v1/kv?avatar=${avatar.publicKey}`);
  confirm(isDeepStrictEqual(read.proofs[0].content, content), 'the content is what the last write answered');

  explain(
    'Replay the chain',
    'The signed patches are public, so the content can be rebuilt and compared without trusting the server.',
  );
  const chain = await call('GET', `/v1/kv/chain?avatar=${avatar.publicKey}`);
  const { ok, patches, entries } = verifyPatchChain(chain.kv_chain, { avatar: avatar.publicKey });
  for (const [index, { steps }] of patches.entries()) {
    const { detail } = steps.find(({ state }) => state !== 'ok') ?? { detail: 'signed, and names the one before it' };
    confirm(ok, `patch ${chain.kv_chain[index].uuid}: ${detail}`);
  }
  confirm(isDeepStrictEqual(entries[0].content, content), 'replaying the patches gives exactly the stored content');
}
