/** The key that a person signs with, for as long as the page is open. Views share it; nothing of it is stored here. */
import type { Signer } from '@signet/sdk';
import { useEffect, useReducer } from 'preact/hooks';

/** A key that can sign, and where it comes from. */
export interface KeyInUse {
  signer: Signer;
  kind: 'wallet' | 'kept' | 'file' | 'words' | 'passkey';
  /** Of the wallet. */
  name: string;
  /** Whether it was made a moment ago, so that nothing brings it back yet. */
  isNew?: boolean;
  /** Of a key that was made of words a moment ago: as secret as the key itself, and gone with the page. */
  words?: readonly string[];
}

const changed = new EventTarget();
let current: KeyInUse | null = null;

export function setKey(key: KeyInUse | null): void {
  current = key;
  changed.dispatchEvent(new Event('change'));
}

/** Whether something here could sign by itself: a private key that was opened, or words that are shown or typed. */
function hasSecret(): boolean {
  if (current !== null && current.kind !== 'wallet' && current.kind !== 'passkey') return true;
  const typed = document.querySelector<HTMLTextAreaElement>('textarea[name=words]');
  return document.querySelector('.words') !== null || (typed !== null && typed.value !== '');
}

/**
 * A page that was left is kept by browsers as it was, to be shown by "back". A secret is open until the page is left:
 * nothing of it is shown then, and the page begins anew.
 */
function forgetWhenLeft(): void {
  let isLeft = false;
  addEventListener('pagehide', ({ persisted }) => {
    isLeft = persisted && hasSecret();
    if (isLeft) document.body.replaceChildren();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeft) location.reload();
  });
}

if (!import.meta.env.SSR) forgetWhenLeft();

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

/** How a person agrees to a text, and stops waiting for a wallet that does not answer. */
interface Agreement {
  confirm: (text: string) => Promise<void>;
  /** The outcome of `work`, for which the wallet of this name is asked, unless the person stops waiting for it. */
  whileAsking: <Outcome>(name: string, work: Promise<Outcome>) => Promise<Outcome>;
}

/** A signer of this key that shows every text to a person before it signs it. */
export function confirming({ signer, kind, name }: KeyInUse, { confirm, whileAsking }: Agreement): Signer {
  return {
    ...signer,
    async sign(text) {
      await confirm(text);
      const signature = signer.sign(text);
      return kind === 'wallet' ? whileAsking(name, signature) : signature;
    },
  };
}
