import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { Failure } from '../parts/failure.js';

/** Saves everything that is known of an Avatar as one file that can be checked without any server. */
export function ExportButton({ avatar }: { avatar: string }) {
  const [state, setState] = useState<'idle' | 'busy' | { error: unknown }>('idle');
  const save = () => {
    setState('busy');
    client.export(avatar).then(
      (file) => {
        download(JSON.stringify(file, null, 2), `signet-${avatar.slice(2, 14)}.json`);
        setState('idle');
        announce(t('look.exported'));
      },
      (error: unknown) => setState({ error }),
    );
  };
  return (
    <>
      <button type="button" onClick={save} disabled={state === 'busy'}>
        {t(state === 'busy' ? 'look.exporting' : 'look.export')}
      </button>
      {typeof state === 'object' && <Failure error={state.error} />}
    </>
  );
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the time this task ends.
  setTimeout(() => URL.revokeObjectURL(url));
}
