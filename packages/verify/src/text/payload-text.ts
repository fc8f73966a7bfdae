/** The texts that Avatars sign (docs/design/decisions.md 3). */
import { canonicalJson } from './canonical-json.js';

/** A version 4 uuid as payloads have it: lowercase hex in groups of 8, 4, 4, 4 and 12. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** UNIX seconds in decimal, without leading zeros, up to the year 33658. */
export const UNIX_TEXT_PATTERN = /^(?:0|[1-9]\d{0,11})$/;

/** The fields that an Avatar signs for one link. */
export interface LinkFields {
  action: string;
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: string;
  /** Of a contract wallet: the newest block of its chain as the text was written; with `chain_id`, or absent. */
  block_number?: number | undefined;
  /** Of a contract wallet: the EIP-155 id of the chain that is to be asked; with `block_number`, or absent. */
  chain_id?: number | undefined;
  /** UNIX seconds in decimal. */
  created_at: string;
  /** Canonical identity. */
  identity: string;
  platform: string;
  /** Base64 signature of the Avatar's previous link, or null for the first. */
  prev: string | null;
  uuid: string;
}

/** The fields that an Avatar signs for one patch. */
export interface PatchFields {
  /** Compressed key: `0x` and 66 lowercase hex digits. */
  avatar: string;
  /** UNIX seconds. */
  created_at: number;
  /** Canonical identity. */
  identity: string;
  patch: unknown;
  platform: string;
  /** Base64 signature of the Avatar's previous patch, or null for the first. */
  prev: string | null;
  /** The key of an app that signs it: `<algorithm>:0x<hex>`; absent where the Avatar signs. */
  signer?: string | undefined;
  uuid: string;
}

/**
 * The signed text of a link, canonical JSON:
 * `{"action":"create","avatar":"0x02…","created_at":"1718000000","identity":"alice","platform":"github","prev":null,"uuid":"…"}`.
 * `avatar` is in it because a wallet's signature over a text without it could be moved to another Avatar by anyone who
 * sees it. `block_number` and `chain_id` stand behind it for a contract wallet alone. The names are written in their
 * order; to sort them anew for each payload takes longer than all else in it.
 * @throws TypeError for text that holds half of a surrogate pair
 */
export function linkPayload(fields: LinkFields): string {
  const { action, avatar, block_number, chain_id, created_at, identity, platform, prev, uuid } = fields;
  const json = canonicalJson;
  const chain = chain_id === undefined ? '' : `"block_number":${json(block_number)},"chain_id":${json(chain_id)},`;
  return (
    `{"action":${json(action)},"avatar":${json(avatar)},${chain}"created_at":${json(created_at)},` +
    `"identity":${json(identity)},"platform":${json(platform)},"prev":${json(prev)},"uuid":${json(uuid)}}`
  );
}

/**
 * The signed text of a patch, canonical JSON:
 * `{"action":"kv","avatar":"0x02…","created_at":1718000000,"identity":"alice","patch":{"name":"Alice"},"platform":"github","prev":null,"uuid":"…"}`.
 * `signer` stands before `uuid` where a key of an app signs it, and nothing in its place elsewhere.
 * @throws TypeError for what JSON cannot hold (`canonicalJson`)
 */
export function patchPayload({
  avatar,
  created_at,
  identity,
  patch,
  platform,
  prev,
  signer,
  uuid,
}: PatchFields): string {
  const fields = { action: 'kv', avatar, created_at, identity, patch, platform, prev, uuid };
  return canonicalJson(signer === undefined ? fields : { ...fields, signer });
}
