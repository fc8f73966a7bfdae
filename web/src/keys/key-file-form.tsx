import type { KeyFileError } from '@signet/verify/files';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { messageOf } from '../parts/failure.js';
import { formText } from './form-text.js';

/** Key files have less than 1 KB. */
const MAX_BYTES = 1 << 20;

/** A key file and its pass phrase. The key stays in memory until the page is left. */
export function KeyFileForm({ onKey }: { onKey: (privateKey: Uint8Array) => void }) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const open = async (event: SubmitEvent) => {
    const passphrase = formText(event)('passphrase');
    const { files } = (event.currentTarget as HTMLFormElement).elements.namedItem('file') as HTMLInputElement;
    setBusy(true);
    setProblem('');
    try {
      const file = files![0]!;
      const bytes = file.size > MAX_BYTES ? new Uint8Array() : new Uint8Array(await file.arrayBuffer());
      const { openKeyFile, readTextFile } = await import('@signet/verify/files');
      onKey(await openKeyFile(readTextFile(bytes), passphrase));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="fields" onSubmit={(event) => void open(event)}>
      <p class="quiet">{t('bind.key_file_text')}</p>
      <label for={`${id}-file`}>{t('bind.file')}</label>
      <input id={`${id}-file`} name="file" type="file" accept=".json,application/json" required />
      <label for={`${id}-phrase`}>{t('bind.passphrase')}</label>
      <input id={`${id}-phrase`} name="passphrase" type="password" autocomplete="off" required />
      <button type="submit" disabled={isBusy}>
        {isBusy ? t('bind.opening') : t('bind.unlock')}
      </button>
      <p class="problem-text" role="status">
        {problem}
      </p>
    </form>
  );
}

function problemOf(error: unknown): string {
  const { code, kind = '' } = error as Partial<KeyFileError>;
  if (code === 'not_a_text') return t('look.file_not_text');
  if (code === 'other_key_file') return t('bind.key_file_of_other_kind', { kind });
  if (code === 'other_key') return t('bind.key_file_of_other_key');
  if (code === 'not_a_key_file' || code === 'wrong_passphrase') return t(`bind.${code}`);
  return messageOf(error);
}
