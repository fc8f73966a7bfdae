import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';

/** What a component is loaded from. */
type Module<Props> = { default: FunctionComponent<Props> };

/**
 * A component that is loaded when it is shown first. Until then, and where it does not load, `meanwhile` is shown; the
 * word for waiting when absent.
 */
export function lazy<Props extends object>(
  load: () => Promise<Module<Props>>,
  meanwhile?: ComponentChildren,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function Lazy(props) {
    const [, again] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (module) => {
          loaded = module.default;
          again((count) => count + 1);
        },
        // Nothing claims what was not loaded.
        () => {},
      );
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return <>{meanwhile === undefined ? <p class="waiting">{t('shell.loading')}</p> : meanwhile}</>;
  };
}
