import { fromPrivateKey } from '@signet/sdk';
import { recoveryNamesOf } from '@signet/verify/key-events';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { ConfirmWords, useNewWords } from '../keys/new-words.js';
import { Failure } from '../parts/failure.js';
import { focusOnAppearance } from '../shell/focus.js';
import { Paper } from './paper.js';

interface Props {
  avatar: string;
  /** Takes the name of the new recovery key. */
  onName: (name: string) => void;
  onCancel: () => void;
}

/** A recovery key of 12 words: shown once and printed, asked for in part, and kept nowhere. */
export function RecoveryWords({ avatar, onName, onCancel }: Props) {
  const { words, error } = useNewWords(true);
  const [isWritten, setWritten] = useState(false);
  if (error !== null) return <Failure error={error} />;
  if (!words) return <p class="waiting">{t('shell.loading')}</p>;
  const use = async () => {
    const { keyOfWords } = await import('@signet/verify/words');
    onName(recoveryNamesOf(fromPrivateKey(await keyOfWords(words)).avatar).hash);
    return null;
  };
  return isWritten ? (
    <ConfirmWords
      words={words}
      text={t('recovery.confirm_words')}
      button={t('recovery.use_words')}
      onRight={use}
      onBack={() => setWritten(false)}
    />
  ) : (
    <div class="new-words">
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('recovery.words_text')}
      </p>
      <Paper avatar={avatar} words={words} />
      <div class="row">
        <button type="button" class="primary" onClick={() => window.print()}>
          {t('recovery.print')}
        </button>
        <button type="button" onClick={() => setWritten(true)}>
          {t('recovery.on_paper')}
        </button>
        <button type="button" class="plain" onClick={onCancel}>
          {t('bind.cancel')}
        </button>
      </div>
    </div>
  );
}
