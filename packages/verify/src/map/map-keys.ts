/** Where things stand in the map: keys of 32 bytes, each the SHA-256 of a text that names its kind. */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8 } from '../text/encoding.js';
import type { Sha256 } from '../log/tree.js';

/** The key of an Avatar. `avatar` is its compressed public key, `0x` and lowercase hex. */
export function avatarKey(avatar: string, hash: Sha256 = sha256): Uint8Array {
  return hash(utf8(`signet-map/1 avatar\n${avatar}`));
}

/** The key of an identity: `identity` in its canonical form, as links carry it. */
export function identityKey(platform: string, identity: string, hash: Sha256 = sha256): Uint8Array {
  return hash(utf8(`signet-map/1 identity\n${platform}\n${identity}`));
}

/** The key of an Avatar in the tree of those who hold one identity. `avatar` as for `avatarKey`. */
export function holderKey(avatar: string, hash: Sha256 = sha256): Uint8Array {
  return hash(utf8(`signet-map/1 holder\n${avatar}`));
}
