import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { download } from '../parts/download.js';
import { Failure } from '../parts/failure.js';

/** Saves everything that is known of an Avatar as one file that can be checked without any server. */
export function ExportButton({ avatar }: { avatar: string }) {
  const [state, setState] = useState<'idle' | 'busy' | { error: unknown }>('idle');
  const save = () => {
    setState('busy');
    client.export(avatar).then(
      (file) => {
        const text = JSON.stringify(file, null, 2);
        download(new Blob([text], { type: 'application/json' }), `signet-${avatar.slice(2, 14)}.json`);
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
