import type { LinkFields, PatchFields, SignedLink, SignedPatch } from '@signet/verify';
import type { DataItemTag } from '@signet/verify/data-item';

/** personal_sign of a text, in Base64. */
export type Sign = (text: string) => string;

/** A made-up person: an Avatar and two wallets with one private key. */
export interface Person {
  /** The private key, 32 bytes: for secp256k1, and as the seed of Ed25519. */
  secret: Uint8Array;
  /** Compressed key. */
  avatar: string;
  uncompressed: string;
  /** Of the Ethereum wallet. */
  address: string;
  /** Of the Solana wallet. */
  solana: string;
  solanaKey: Uint8Array;
  sign: Sign;
  /** Ed25519 over bytes. */
  signBytes: (bytes: Uint8Array) => Uint8Array;
  /** Of the key of Nostr. */
  npub: string;
  /** BIP-340 over 32 bytes. */
  signId: (id: Uint8Array) => Uint8Array;
}

/** A link as the chain of its Avatar has it. */
export interface Link extends SignedLink {
  proof_location: string;
  extra: NonNullable<SignedLink['extra']>;
}

/** A patch as the chain of its Avatar has it. */
export interface Patch extends SignedPatch {
  patch: object;
}

/** A record as the feed of its kind has it. */
export type Numbered<Item> = Item & { id: number; avatar: string };

/** What is to differ in a link of a chain. */
export interface LinkStep {
  action?: string;
  platform?: string;
  identity?: string;
  created_at?: string;
  uuid?: string;
  extra?: Link['extra'];
  /** Instead of the signature of its owner. */
  sign?: Sign;
  /** Changes the text before it is signed. */
  rewrite?: (text: string) => string;
  /** Fields of the signed text alone. */
  signed?: Partial<LinkFields>;
}

/** A patch, and what is to differ in it. */
export interface PatchStep {
  patch: object;
  platform?: string;
  identity?: string;
  created_at?: number;
  /** The key of an app that is said to sign it. */
  signer?: string;
  uuid?: string;
  sign?: Sign;
  rewrite?: (text: string) => string;
  signed?: Partial<PatchFields>;
}

/** An archived document, and what a gateway tells of its data item. */
export interface ArchivedItem {
  id: string;
  text: string;
  told: {
    signature: string;
    owner: { key: string };
    recipient: string;
    anchor: string;
    tags: DataItemTag[];
  };
}

/** A change of a file (JSON Patch, RFC 6902). */
export interface Change {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/** Anything in the place of a record: vectors have what is none, too. */
export type Forged = object | string | null;

/** The result that a verifier has to return, with facts about what is right. */
export interface Expected {
  ok: boolean;
  /** The steps that fail, in alphabetical order. */
  reasons: string[];
  not_checkable: string[];
  [fact: string]: unknown;
}

/** One case, whose other members are what a verifier is given. */
export interface Vector {
  id: string;
  expected: Expected;
  [given: string]: unknown;
}

/** Makes vectors of chains of links; `more` are further members. */
export interface ChainVectors {
  vector: (id: string, list: Forged[], expected: Expected, more?: object) => ChainVector;
  /** `bindings` are what is bound at the end, and `open` what is not checkable. */
  good: (id: string, list: Forged[], bindings: { uuid: string }[], open?: string[], more?: object) => ChainVector;
  bad: (id: string, list: Forged[], reasons: string[], open?: string[], more?: object) => ChainVector;
}

export interface ChainVector extends Vector {
  links: Forged[];
}

/** The question of `GET /v1/log/map`. */
export type Question =
  | { platform: string; identity: string; avatar?: string | undefined }
  | { platform?: undefined; identity?: undefined; avatar: string };

/** An entry of a history of the map, as test/vectors/map.json has it. */
export interface HistoryEntry {
  kind: string;
  id: number;
  avatar: string;
  action: string;
  platform: string;
  identity: string;
  /** Of an entry of the map alone. */
  root: string;
}
