/** The key that a person signs with, for as long as the page is open. Views share it; nothing of it is stored here. */
import type { Signer } from '@signet/sdk';
import { useEffect, useReducer } from 'preact/hooks';

/** A key that can sign, and where it comes from. */
export interface KeyInUse {
  signer: Signer;
  kind: 'wallet' | 'kept' | 'file' | 'words';
  /** Of the wallet. */
  name: string;
}

const changed = new EventTarget();
let current: KeyInUse | null = null;

export function setKey(key: KeyInUse | null): void {
  current = key;
  changed.dispatchEvent(new Event('change'));
}

/** The key in use, shown again whenever it changes. */
export function useCurrentKey(): KeyInUse | null {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = () => again(null as never);
    changed.addEventListener('change', listener);
    return () => changed.removeEventListener('change', listener);
  }, []);
  return current;
}

/** A signer of this key that shows every text to `confirm` before it signs it. */
export function confirming({ signer }: KeyInUse, confirm: (text: string) => Promise<void>): Signer {
  return {
    ...signer,
    async sign(text) {
      await confirm(text);
      return signer.sign(text);
    },
  };
}
