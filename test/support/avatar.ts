import { AvatarKey } from '../../src/domain/avatar-key.js';
import { anAvatar as aKeyHolder, type TestAvatar as KeyHolder } from '../../packages/look/test/support/avatar.js';

export {
  aNostrKey,
  aSolanaWallet,
  aWallet,
  offChainMessage,
  type TestNostrKey,
  type TestSolanaWallet,
  type TestWallet,
} from '../../packages/look/test/support/avatar.js';

/** A person of the tests, whose key the service has parsed. */
export interface TestAvatar extends Omit<KeyHolder, 'key'> {
  key: AvatarKey;
}

/** An Avatar made from a name: one name always gives the same key, another name another key. */
export function anAvatar(name = 'alice'): TestAvatar {
  const { key, ...holder } = aKeyHolder(name);
  return { ...holder, key: AvatarKey.parse(key.compressed) };
}
