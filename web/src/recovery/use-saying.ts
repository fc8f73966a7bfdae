import type { RecordedKeyEvent, Signer } from '@signet/sdk';
import { useRef, useState } from 'preact/hooks';
import { type Confirmation, useConfirmation } from '../bind/signed-text.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';

/** Something that is being said about keys. */
interface Saying {
  /** Says it: each key that signs is given through `sign`, which shows the text first. */
  say: (act: (sign: (key: KeyInUse) => Signer) => Promise<RecordedKeyEvent>) => Promise<void>;
  isBusy: boolean;
  error: unknown;
  confirmation: Confirmation;
}

/** Signs and sends what is said about the keys of an Avatar: one text, shown once, though several keys may sign it. */
export function useSaying(onDone: (recorded: RecordedKeyEvent) => void): Saying {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirmation = useConfirmation();
  const newest = useRef(0);
  const say: Saying['say'] = async (act) => {
    const own = ++newest.current;
    const isNewest = () => own === newest.current;
    const { whileAsking } = confirmation;
    const confirm = once(confirmation.confirm);
    setBusy(true);
    setError(null);
    try {
      const recorded = await act((key) => confirming(key, { confirm, whileAsking }));
      if (isNewest()) onDone(recorded);
    } catch (problem) {
      if (isNewest() && !confirmation.isCancelled(problem)) setError(problem);
    } finally {
      if (isNewest()) setBusy(false);
    }
  };
  return { say, isBusy, error, confirmation };
}

/** Asks once for each text. */
function once(confirm: (text: string) => Promise<void>): (text: string) => Promise<void> {
  const asked = new Map<string, Promise<void>>();
  return (text) => {
    const known = asked.get(text) ?? confirm(text);
    asked.set(text, known);
    return known;
  };
}
