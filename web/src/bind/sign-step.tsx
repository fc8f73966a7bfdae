import type { Draft, WalletSigner } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';
import { WalletError } from '../keys/key-step.js';
import { client } from '../shell/api.js';
import { SignedText, useConfirmation } from './signed-text.js';

/** What a person wants to bind. */
export interface WantedBinding {
  platform: string;
  identity: string;
}

/** Signs what is wanted: one text, shown before it is signed. */
export function useSigning(keyInUse: KeyInUse, onDraft: (draft: Draft) => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirmation = useConfirmation();
  const sign = async (wanted: WantedBinding, walletOf?: () => Promise<{ wallet?: WalletSigner; identity: string }>) => {
    setError(null);
    setBusy(true);
    try {
      const own = await walletOf?.();
      const signer = confirming(keyInUse, confirmation.confirm);
      onDraft(await client.draft({ ...wanted, ...own, signer }));
    } catch (problem) {
      if (!confirmation.isCancelled(problem)) setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { sign, error, isBusy, confirmation };
}

interface Props {
  keyInUse: KeyInUse;
  wanted: WantedBinding;
  onDraft: (draft: Draft) => void;
}

/** Shows the text for an account that was named as soon as a key is there; again after a no, or a refusal. */
export function SignStep({ keyInUse, wanted, onDraft }: Props) {
  const { sign, error, isBusy, confirmation } = useSigning(keyInUse, onDraft);
  useEffect(() => void sign(wanted), []);
  return (
    <>
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
      {!isBusy && (
        <button type="button" class="primary" onClick={() => void sign(wanted)}>
          {t('bind.sign')}
        </button>
      )}
    </>
  );
}
