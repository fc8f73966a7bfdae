/** What an exported file says of the keys of its Avatar. */
import { nobleCurves, type OtherRecords } from '@signet/verify';
import { KeyChainChecker } from '@signet/verify/internal/key-events';
import type { SignedKeyEvent } from '@signet/verify/key-events';

/** Checks the key events of a file, each behind the one before it. */
export function keyRecords(): OtherRecords {
  let checker: KeyChainChecker;
  return {
    keys: (event, { avatar, previous }) => {
      if (!previous) checker = new KeyChainChecker(nobleCurves, avatar);
      return checker.add(event as SignedKeyEvent);
    },
  };
}
