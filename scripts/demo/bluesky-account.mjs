/** An account of the AT Protocol that lives as long as the demo: a did:plc with its operation, and one post. */
import { writeCarStream } from '@atcute/car';
import * as CBOR from '@atcute/cbor';
import * as CID from '@atcute/cid';
import { Secp256k1PrivateKeyExportable } from '@atcute/crypto';
import { findRpathAndBuildProof, MemoryBlockStore, NodeStore, NodeWrangler } from '@atcute/mst';
import { toBase32, toBase64Url } from '@atcute/multibase';

const POSTS = 'app.bsky.feed.post';
/** A TID, by which posts are named. */
export const RKEY = '3lprcc55bb222';
const TID_DIGITS = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * @typedef {object} DemoAccount
 * @property {string} did
 * @property {object[]} operations what the directory of did:plc answers
 * @property {(text: string) => Promise<Buffer>} carOf what the account's server answers when this text is posted
 */

/**
 * @param {string} handle
 * @param {string} server the origin of the account's server
 * @returns {Promise<DemoAccount>}
 */
export async function makeBlueskyAccount(handle, server) {
  const key = await Secp256k1PrivateKeyExportable.createKeypair();
  const did = await key.exportPublicKey('did');
  const unsigned = {
    type: 'plc_operation',
    rotationKeys: [did],
    verificationMethods: { atproto: did },
    alsoKnownAs: [`at://${handle}`],
    services: { atproto_pds: { type: 'AtprotoPersonalDataServer', endpoint: server } },
    prev: null,
  };
  const operation = { ...unsigned, sig: toBase64Url(await key.sign(CBOR.encode(unsigned))) };
  const cid = await CID.create(CID.CODEC_DCBOR, CBOR.encode(operation));
  const own = `did:plc:${toBase32(cid.digest.contents).slice(0, 24)}`;
  const entry = { did: own, operation, cid: CID.toString(cid), nullified: false, createdAt: new Date().toISOString() };
  return { did: own, operations: [entry], carOf: (text) => carOf(own, key, text) };
}

/** The TID of a time, which names a commit. @param {number} milliseconds */
function revisionAt(milliseconds) {
  const digits = ((BigInt(milliseconds) * 1000n) << 10n).toString(2).padStart(65, '0').match(/.{5}/g) ?? [];
  return digits.map((bits) => TID_DIGITS[Number.parseInt(bits, 2)]).join('');
}

/**
 * A CAR file with the signed commit, the path to the post, and the post.
 * @param {string} did
 * @param {Secp256k1PrivateKeyExportable} key
 * @param {string} text
 */
async function carOf(did, key, text) {
  const blocks = new MemoryBlockStore();
  const store = new NodeStore(blocks);
  const record = CBOR.encode({ $type: POSTS, text, createdAt: new Date().toISOString() });
  const recordCid = await CID.create(CID.CODEC_DCBOR, record);
  await blocks.put(CID.toString(recordCid), record);
  const root = await new NodeWrangler(store).putRecord(null, `${POSTS}/${RKEY}`, CID.toCidLink(recordCid));
  const unsigned = { version: 3, did, data: { $link: root }, rev: revisionAt(Date.now()), prev: null };
  const commit = CBOR.encode({ ...unsigned, sig: CBOR.toBytes(await key.sign(CBOR.encode(unsigned))) });
  const commitCid = await CID.create(CID.CODEC_DCBOR, commit);
  const [, path] = await findRpathAndBuildProof(store, root, `${POSTS}/${RKEY}`);
  const parts = [{ cid: commitCid.bytes, data: commit }];
  for (const name of new Set([root, ...path, CID.toString(recordCid)])) {
    parts.push({
      cid: CID.fromString(name).bytes,
      data: /** @type {Uint8Array<ArrayBuffer>} */ (await blocks.get(name)),
    });
  }
  /** @type {Uint8Array[]} */
  const chunks = [];
  for await (const chunk of writeCarStream([CID.toCidLink(commitCid)], parts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
