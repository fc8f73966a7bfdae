import type { Rehearsal as Outcome } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import type { KeyInUse } from '../keys/key-in-use.js';
import { WalletChoice } from '../keys/wallet-choice.js';
import { WordsForm } from '../keys/words-form.js';
import { CheckedHere } from '../parts/signs.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { focusOnAppearance } from '../shell/focus.js';
import { KeyFailure } from './key-failure.js';

/** Whether words or a wallet are a recovery key of this Avatar: signed and compared here, and sent nowhere. */
export function Rehearsal({ avatar }: { avatar: string }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [error, setError] = useState<unknown>(null);
  const rehearse = async ({ signer }: KeyInUse) => {
    setError(null);
    setOutcome(null);
    try {
      const found = await client.keys.rehearse({ avatar, signer });
      setOutcome(found);
      announce(sentenceOf(found));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <section class="rehearsal">
      <h2>{t('recovery.rehearsal')}</h2>
      <p class="quiet">{t('recovery.rehearsal_text')}</p>
      {!isOpen && (
        <button type="button" onClick={() => setOpen(true)}>
          {t('recovery.rehearse')}
        </button>
      )}
      {isOpen && (
        <div class="key-choice" tabIndex={-1} ref={focusOnAppearance}>
          <WordsForm onKey={(key) => void rehearse(key)} canBeKept={false} />
          <WalletChoice isExpected={false} onKey={(key) => void rehearse(key)} />
        </div>
      )}
      {outcome && <CheckedHere state={outcome.place === null ? 'failed' : 'ok'}>{sentenceOf(outcome)}</CheckedHere>}
      <KeyFailure error={error} />
    </section>
  );
}

function sentenceOf({ result, place }: Outcome): string {
  return t(`recovery.rehearsed_${result}`, { number: (place ?? 0) + 1 });
}
