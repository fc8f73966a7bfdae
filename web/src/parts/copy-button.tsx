import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';

/** Copies a text. Nothing is shown where the browser gives no clipboard, as on plain HTTP from another host. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        announce(t('shell.copied'));
      },
      () => announce(t('shell.not_copied')),
    );
  };
  return (
    <button
      type="button"
      class={label === undefined ? 'plain copy' : 'copy'}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? t('shell.copied') : (label ?? t('shell.copy'))}
    </button>
  );
}
