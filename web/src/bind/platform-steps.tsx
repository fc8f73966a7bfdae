import type { Platform } from '@signet/sdk';
import type { ComponentChildren } from 'preact';
import { hasText, rich, t } from '../i18n/i18n.js';
import { useServiceName } from '../shell/api.js';

/** Steps that the page does itself, or that stand beside them as buttons and fields. */
const OWN_STEPS = 1;

/**
 * What a person does on a platform, in the language of the page; what the server itself says of it (English) is folded
 * away, or stands alone for a platform that this page does not know.
 */
export function PlatformSteps({ platform: { platform, steps }, identity }: { platform: Platform; identity: string }) {
  const service = useServiceName();
  const key = `bind.how_${platform}`;
  const told = (
    <ol class="steps-of-platform" lang="en">
      {steps
        .slice(OWN_STEPS)
        .filter((step) => !step.includes('%SIG_BASE64%'))
        .map((step) => (
          <li key={step}>{step}</li>
        ))}
    </ol>
  );
  if (!hasText(key)) return told;
  const values: Record<string, ComponentChildren> = {
    identity: <bdi>{identity === '' ? '…' : identity}</bdi>,
    service: <code>{service ?? '…'}</code>,
  };
  return (
    <div class="platform-steps">
      <p>{rich(key, values)}</p>
      <p>{t('bind.keep_it')}</p>
      <details>
        <summary>{t('bind.server_words')}</summary>
        {told}
      </details>
    </div>
  );
}
