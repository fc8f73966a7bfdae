import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';

/** Characters of a text that name the button which copies it. */
const NAMED = 24;

/**
 * Copies a text. Without a label people see "Copy", and hear the beginning of the text behind it. Nothing is shown
 * where the browser gives no clipboard, as on plain HTTP from another host.
 */
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
  const shown = isCopied ? t('shell.copied') : (label ?? t('shell.copy'));
  return (
    <button
      type="button"
      class={label === undefined ? 'plain copy' : 'copy'}
      aria-label={label === undefined ? `${shown}: ${[...text].slice(0, NAMED).join('')}` : undefined}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {shown}
    </button>
  );
}
