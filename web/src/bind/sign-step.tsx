import type { Draft, WalletSigner } from '@signet/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';
import { WalletError } from '../keys/wallet-choice.js';
import { client } from '../shell/api.js';
import { useLatest } from '../shell/stable.js';
import { SignedText, useConfirmation } from './signed-text.js';
import type { WantedBinding } from './wanted.js';

/** What is to be signed, perhaps with a wallet that signs too and is connected first. */
export interface WantedSignature extends WantedBinding {
  wallet?: { id: string; name: string; connect: () => Promise<{ wallet?: WalletSigner; identity: string }> };
}

/** Signs what is wanted: one text, shown before it is signed. */
export function useSigning(keyInUse: KeyInUse, onDraft: (draft: Draft) => void) {
  const [error, setError] = useState<unknown>(null);
  const [asked, setAsked] = useState<WantedSignature | null>(null);
  // A wallet may never answer, or late: what was chosen meanwhile, here or in another step, is what counts.
  const newest = useRef<WantedSignature | null>(null);
  useEffect(() => () => void (newest.current = null), []);
  const confirmation = useConfirmation();
  const sign = async (wanted: WantedSignature) => {
    newest.current = wanted;
    setError(null);
    setAsked(wanted);
    const { platform, identity, wallet } = wanted;
    try {
      const own = await wallet?.connect();
      if (newest.current !== wanted) return;
      const signer = confirming(keyInUse, confirmation);
      const draft = await client.draft({ platform, identity, ...own, signer });
      if (newest.current === wanted) onDraft(draft);
    } catch (problem) {
      if (newest.current === wanted && !confirmation.isCancelled(problem)) setError(problem);
    } finally {
      if (newest.current === wanted) setAsked(null);
    }
  };
  return { sign, error, asked, confirmation };
}

interface Props {
  keyInUse: KeyInUse;
  wanted: WantedBinding;
  onDraft: (draft: Draft) => void;
}

/** Shows the text for an account that was named as soon as a key is there; again after a no, or a refusal. */
export function SignStep({ keyInUse, wanted, onDraft }: Props) {
  const { sign, error, asked, confirmation } = useSigning(keyInUse, onDraft);
  const start = useLatest(() => void sign(wanted));
  useEffect(() => start.current(), [start]);
  return (
    <>
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
      {!asked && (
        <button type="button" class="primary" onClick={() => void sign(wanted)}>
          {t('bind.sign')}
        </button>
      )}
    </>
  );
}
