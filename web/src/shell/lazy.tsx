import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';

/** What a component is loaded from. */
type Module<Props> = { default: FunctionComponent<Props> };

/**
 * A component that is loaded when it is shown first. Until then, and where it does not load, `meanwhile` is shown; when
 * absent, the word for waiting, and that it did not load, with another try.
 */
export function lazy<Props extends object>(
  load: () => Promise<Module<Props>>,
  meanwhile?: ComponentChildren,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function Lazy(props) {
    const [state, setState] = useState<'waiting' | 'there' | 'failed'>(loaded ? 'there' : 'waiting');
    useEffect(() => {
      if (loaded || state === 'failed') return;
      load().then(
        (module) => {
          loaded = module.default;
          setState('there');
        },
        // Nothing claims what was not loaded.
        () => setState('failed'),
      );
    }, [state]);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    if (meanwhile !== undefined) return <>{meanwhile}</>;
    return state === 'failed' ? <NotLoaded again={() => setState('waiting')} /> : <Waiting />;
  };
}

function Waiting() {
  return <p class="waiting">{t('shell.loading')}</p>;
}

function NotLoaded({ again }: { again: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{t('shell.view_failed')}</p>
      <p class="quiet small">{t('shell.view_failed_text')}</p>
      <button type="button" onClick={again}>
        {t('shell.try_again')}
      </button>
    </div>
  );
}
