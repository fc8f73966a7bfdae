/** Notices that what was begun here was brought to its end elsewhere: on another device, or in the app of a wallet. */
import type { SignetEvent } from '@signet/sdk';
import { isSameName } from '@signet/verify/names';
import { client } from '../shell/api.js';
import type { WantedBinding } from './wanted.js';

/**
 * Follows the events of a platform until somebody binds the name. A stream that a phone has cut off in the background
 * goes on where it was.
 * @returns a function that stops it
 */
export function watchElsewhere(
  { platform, identity }: WantedBinding,
  onBound: (event: SignetEvent<'proof.bound'>) => void,
) {
  const controller = new AbortController();
  const { signal } = controller;
  const follow = async () => {
    for await (const event of client.events({ platform, types: ['proof.bound'], signal })) {
      if (isSameName({ platform, identity: event.identity }, identity)) return onBound(event);
    }
  };
  follow().catch(() => {
    // A server that streams nothing tells nothing; the person sees the outcome on the other device.
  });
  return () => controller.abort();
}
