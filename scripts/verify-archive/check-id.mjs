/** Whether the bytes that a gateway served are those that were signed under the id. */
import { idOfSignature, isDataItemSigned } from '../../dist/src/archive/data-item.js';
import { fetchSignature } from './fetch-chain.mjs';

const UNKNOWN =
  'the gateway does not tell the signature behind the id, so the fields that the Avatar did not sign rest on its word';

/** An id is the hash of a signature over everything, so a gateway that tells the signature can be held to it. */
export async function checkId(gateway, { id, text }) {
  const said = await fetchSignature(gateway, id);
  const signature = Buffer.from(String(said?.signature ?? ''), 'base64url');
  if (idOfSignature(signature) !== id) return { problems: [], notes: [UNKNOWN] };
  const item = {
    signature,
    owner: Buffer.from(String(said.owner?.key ?? ''), 'base64url'),
    target: Buffer.from(String(said.recipient ?? ''), 'base64url'),
    anchor: Buffer.from(String(said.anchor ?? ''), 'base64url'),
    tags: Array.isArray(said.tags) ? said.tags : [],
  };
  const isSigned = await isDataItemSigned(item, Buffer.from(text, 'utf8')).catch(() => false);
  if (isSigned) return { problems: [], notes: [] };
  return { problems: ['what the gateway serves is not what was signed under this id'], notes: [] };
}
