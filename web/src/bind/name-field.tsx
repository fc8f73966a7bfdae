/** The field for the name of an account, in words for what a name is on its platform. */
import type { Platform } from '@signet/sdk';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { keyFor, t } from '../i18n/i18n.js';
import { platformName } from '../parts/names.js';

interface Props extends Pick<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput'> {
  platform: string;
  /** What the server says of the platform, once it is known. */
  guide: Platform | undefined;
  /** Of the field in its form. */
  name?: string;
  /** What is wrong with the name; null where nothing is. */
  problem?: ComponentChildren | null;
}

export function NameField({ platform, guide, name = 'identity', problem = null, ...input }: Props) {
  const id = useId();
  const own = keyFor('bind.name_of_', platform);
  return (
    <>
      <label for={id}>{own === null ? t('bind.your_name_on', { platform: platformName(platform) }) : t(own)}</label>
      <input
        id={id}
        name={name}
        placeholder={guide?.identity_example}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        dir="auto"
        required
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        {...input}
      />
      <p id={`${id}-problem`} class="problem-text" role="alert">
        {problem}
      </p>
    </>
  );
}
