/** The profile of an Avatar, in the content that a client reads. */
import { findAvatarKey } from '@signet/verify';
import { type Profile, profileIn } from '@signet/verify/profile';
import type { KvContent } from './answers.js';

export { isPicture, MAX_PICTURE_CHARACTERS, type Profile } from '@signet/verify/profile';

/**
 * The profile in the content of an Avatar, such as `client.kv.get(avatar)` answers it, checked member by member. No
 * address in it is ever to be loaded: a picture is part of the content.
 * @returns null where the Avatar has written none, or nothing of it can be shown
 */
export function readProfile(content: { avatar: string; proofs: KvContent['proofs'] } | null): Profile | null {
  const avatar = content && findAvatarKey(content.avatar)?.compressed;
  const own = content?.proofs.find(({ identity }) => findAvatarKey(identity)?.compressed === avatar);
  return profileIn(own?.content);
}
