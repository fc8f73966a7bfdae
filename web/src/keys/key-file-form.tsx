import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from './form-text.js';

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
      const text = await files![0]!.text();
      const { readKeyFile } = await import('./key-file.js');
      onKey(await readKeyFile(text, passphrase));
    } catch (error) {
      const reason = (error as { reason?: string }).reason;
      setProblem(t(reason === 'wrong_passphrase' ? 'bind.wrong_passphrase' : 'bind.not_a_key_file'));
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
