import { useId } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { SHORTEST_PASSPHRASE } from './key-vault.js';

/** A new pass phrase, typed twice: the fields `passphrase` and `again` of the form around them. */
export function PassphraseFields() {
  const id = useId();
  return (
    <>
      <label for={`${id}-phrase`}>{t('bind.new_passphrase', { count: SHORTEST_PASSPHRASE })}</label>
      <input id={`${id}-phrase`} name="passphrase" type="password" autocomplete="new-password" required />
      <label for={`${id}-again`}>{t('bind.passphrase_again')}</label>
      <input id={`${id}-again`} name="again" type="password" autocomplete="new-password" required />
    </>
  );
}

/** What is wrong with the pass phrase in the fields of a form, or null. */
export function problemOfPassphrase(text: (name: string) => string): string | null {
  const passphrase = text('passphrase');
  if ([...passphrase].length < SHORTEST_PASSPHRASE) return t('bind.passphrase_short', { count: SHORTEST_PASSPHRASE });
  return passphrase === text('again') ? null : t('bind.passphrases_differ');
}
