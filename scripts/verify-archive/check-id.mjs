/** Whether the bytes that a gateway served are those that were signed under the id, by the rules of all. */
import { verifyDataItem } from '@signet/verify/data-item';
import { fetchSignature } from './fetch-chain.mjs';

/** Parts of sentences, as `checkChain` answers them. */
export async function checkId(gateway, { id, text }) {
  const { steps } = await verifyDataItem(id, Buffer.from(text, 'utf8'), await fetchSignature(gateway, id));
  const partsOf = (wanted) =>
    steps.filter(({ state }) => state === wanted).map(({ detail }) => detail[0].toLowerCase() + detail.slice(1, -1));
  return { problems: partsOf('failed'), notes: partsOf('not_checkable') };
}
