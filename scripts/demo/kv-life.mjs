import { isDeepStrictEqual } from 'node:util';
import { confirm, explain } from './conversation.mjs';
import { signerOf } from './keys.mjs';

/** RFC 7396, section 2, over plain JSON values. */
function mergePatch(target, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = target === null || typeof target !== 'object' || Array.isArray(target) ? {} : { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

/**
 * Sets, changes, deletes and replaces content under the Avatar's own key, then replays the signed patches and compares.
 */
export async function kvLife(call, avatar) {
  const entry = { avatar: avatar.publicKey, platform: 'self', identity: avatar.publicKey };
  let content;
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
  let previous = null;
  let replayed = {};
  for (const link of chain.kv_chain) {
    const signed = JSON.parse(link.signature_payload);
    confirm(
      signerOf(link.signature_payload, link.signature) === avatar.publicKey && signed.prev === previous,
      `patch ${link.uuid} is signed and names the one before`,
    );
    replayed = mergePatch(replayed, signed.patch);
    previous = link.signature;
  }
  confirm(isDeepStrictEqual(replayed, content), 'replaying the patches gives exactly the stored content');
}
