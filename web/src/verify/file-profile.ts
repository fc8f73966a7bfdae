import type { Profile } from '@signet/sdk';
import type { ExportFile } from '@signet/verify';
import { keyStateAt, type SignedKeyEvent } from '@signet/verify/key-events';
import { ownPatches, profileOf } from '../look/use-profile.js';

/** The profile in a file that verifies: where another key has come after its Avatar, the last that its owner signed. */
export function profileIn({ avatar, patches, keys }: ExportFile): Profile | null {
  const events = (keys ?? []) as SignedKeyEvent[];
  const now = Math.max(Date.now() / 1000, events.at(-1)?.recorded_at ?? 0);
  const { succession } = keyStateAt(events, now);
  return profileOf(avatar, ownPatches(patches, succession));
}
