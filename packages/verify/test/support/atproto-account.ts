import { writeCarStream } from '@atcute/car';
import * as CBOR from '@atcute/cbor';
import * as CID from '@atcute/cid';
import { P256PrivateKey, type PrivateKey, Secp256k1PrivateKey } from '@atcute/crypto';
import { findRpathAndBuildProof, MemoryBlockStore, NodeStore, NodeWrangler } from '@atcute/mst';
import { toBase32, toBase64Url } from '@atcute/multibase';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { PlcEntry } from '../../src/atproto/atproto.js';

const TID_DIGITS = '234567abcdefghijklmnopqrstuvwxyz';

export type Curve = 'p256' | 'secp256k1';

/** A new key of one of the two curves. Its signatures are deterministic (RFC 6979), so that files can be compared. */
export async function newKey(curve: Curve): Promise<PrivateKey> {
  const [Key, library] = curve === 'p256' ? [P256PrivateKey, p256] : [Secp256k1PrivateKey, secp256k1];
  const secret = library.utils.randomSecretKey() as Uint8Array<ArrayBuffer>;
  const key: PrivateKey = await Key.importRaw(secret);
  return Object.assign(key, {
    sign: async (bytes: Uint8Array) => library.sign(bytes, secret, { lowS: true }) as Uint8Array<ArrayBuffer>,
  });
}

/** The TID of a time in UNIX microseconds. */
export function tidOf(microseconds: number): string {
  let number = BigInt(microseconds) << 10n;
  let text = '';
  for (let digits = 0; digits < 13; digits += 1, number >>= 5n) text = TID_DIGITS[Number(number & 31n)]! + text;
  return text;
}

/** What a did:plc signs, without `prev` and `sig`. */
export interface Facts {
  rotationKeys: PrivateKey[];
  signingKey: PrivateKey;
  handle: string;
  server: string;
}

/**
 * An account of the AT Protocol: a did:plc with its operations, and a repository with its server's key. Blocks are made
 * by the libraries of atcute, signatures by its keys; the times are those that a test gives.
 */
export class AtprotoAccount {
  did = '';
  operations: PlcEntry[] = [];
  facts!: Facts;
  private readonly blocks = new MemoryBlockStore();
  private readonly wrangler = new NodeWrangler(new NodeStore(this.blocks));
  private tree: string | null = null;
  private at = Date.UTC(2026, 0, 1);
  /** When the repository is read, unless a test says another time: a minute later after each deletion. */
  private readAt = Date.UTC(2026, 5, 1);

  static async create(options: Partial<Facts> & { curve?: Curve } = {}): Promise<AtprotoAccount> {
    const account = new AtprotoAccount();
    const { curve = 'secp256k1', ...given } = options;
    const facts: Facts = {
      rotationKeys: given.rotationKeys ?? [await newKey(curve)],
      signingKey: given.signingKey ?? (await newKey(curve)),
      handle: given.handle ?? 'alice.example.org',
      server: given.server ?? 'https://pds.example.org',
    };
    await account.operate(facts, facts.rotationKeys[0]!);
    return account;
  }

  /** Signs and adds an operation behind `prev` (the newest one). */
  async operate(facts: Facts, signer: PrivateKey, { prev = this.newest(), hours = 1 } = {}): Promise<PlcEntry> {
    const dids = await Promise.all(facts.rotationKeys.map((key) => key.exportPublicKey('did')));
    const unsigned = {
      type: 'plc_operation',
      rotationKeys: dids,
      verificationMethods: { atproto: await facts.signingKey.exportPublicKey('did') },
      alsoKnownAs: [`at://${facts.handle}`],
      services: { atproto_pds: { type: 'AtprotoPersonalDataServer', endpoint: facts.server } },
      prev,
    };
    const sig = toBase64Url(await signer.sign(CBOR.encode(unsigned)));
    const operation = { ...unsigned, sig };
    const hashed = await CID.create(CID.CODEC_DCBOR, CBOR.encode(operation));
    if (prev === null) this.did = `did:plc:${toBase32(hashed.digest.contents).slice(0, 24)}`;
    this.at += hours * 3600 * 1000;
    const cid = CID.toString(hashed);
    const entry = { did: this.did, operation, cid, nullified: false, createdAt: new Date(this.at).toISOString() };
    const forked = this.operations.findIndex((one) => one.cid === prev);
    const kept = this.operations.map((one, place) => (place > forked ? { ...one, nullified: true } : one));
    this.operations = [...kept, entry];
    this.facts = facts;
    return entry;
  }

  /** A copy of this account whose repository is empty. */
  withoutRecords(): AtprotoAccount {
    const { did, facts, operations } = this;
    return Object.assign(new AtprotoAccount(), { did, facts, operations });
  }

  async put(collection: string, rkey: string, record: object): Promise<void> {
    const bytes = CBOR.encode(record);
    const cid = await CID.create(CID.CODEC_DCBOR, bytes);
    await this.blocks.put(CID.toString(cid), bytes);
    this.tree = await this.wrangler.putRecord(this.tree, `${collection}/${rkey}`, CID.toCidLink(cid));
  }

  async delete(collection: string, rkey: string): Promise<void> {
    this.tree = await this.wrangler.deleteRecord(this.tree!, `${collection}/${rkey}`);
    this.readAt += 60_000;
  }

  /** The answer of `com.atproto.sync.getRecord`: commit, path, and the record where there is one. */
  async carOf(
    collection: string,
    rkey: string,
    { at = this.readAt, signer = this.facts.signingKey, did = this.did, sign = undefined as Sign | undefined } = {},
  ): Promise<Uint8Array> {
    const root = this.tree ?? (await this.emptyTree());
    const unsigned = { version: 3, did, data: { $link: root }, rev: tidOf(at * 1000), prev: null };
    const bytes = CBOR.encode(unsigned);
    const sig = CBOR.toBytes(await (sign ?? ((text) => signer.sign(text)))(bytes));
    const commit = CBOR.encode({ ...unsigned, sig });
    const commitCid = await CID.create(CID.CODEC_DCBOR, commit);
    const store = new NodeStore(this.blocks);
    const [found, path] = await findRpathAndBuildProof(store, root, `${collection}/${rkey}`);
    const names = [...new Set([root, ...path, ...(found ? [found.$link] : [])])];
    const blocks = [{ cid: commitCid.bytes, data: commit }];
    for (const name of names) {
      blocks.push({ cid: CID.fromString(name).bytes, data: (await this.blocks.get(name))! });
    }
    return writeCar(CID.toCidLink(commitCid), blocks);
  }

  private newest(): string | null {
    return this.operations.filter(({ nullified }) => !nullified).at(-1)?.cid ?? null;
  }

  private async emptyTree(): Promise<string> {
    const bytes = CBOR.encode({ e: [], l: null });
    const cid = CID.toString(await CID.create(CID.CODEC_DCBOR, bytes));
    await this.blocks.put(cid, bytes);
    return cid;
  }
}

type Sign = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

async function writeCar(root: CID.CidLink, blocks: { cid: Uint8Array; data: Uint8Array }[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeCarStream([root], blocks as never)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
