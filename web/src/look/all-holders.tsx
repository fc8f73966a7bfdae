import type { IdentityGroup } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import type { ShownStep } from '../parts/steps.js';
import { CheckedHere } from '../parts/signs.js';

/**
 * Whether these are all keys that hold a name, by the map over the log; until that is known, and where it cannot be
 * known, what the server says where it shows none.
 * @param groups all that the server shows; null where it was not asked for all
 */
export function AllHolders({
  groups,
  platform,
  identity,
}: {
  groups: IdentityGroup[] | null;
  platform: string | undefined;
  identity: string;
}) {
  const [step, setStep] = useState<ShownStep | null>(null);
  const shown = groups?.map(({ avatar }) => avatar).join(' ');
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setStep(null);
    if (groups && platform !== undefined) {
      void import('../log/log-check.js')
        .then(({ holdersStep }) => holdersStep(groups, { platform, identity }, signal))
        // Without the code for it nothing claims that it was checked.
        .catch(() => null)
        .then((found) => signal.aborted || setStep(found));
    }
    return () => controller.abort();
  }, [shown, platform, identity]);
  const count = groups?.length ?? 0;
  if (step?.state === 'failed') return <CheckedHere state="failed">{t('look.keys_left_out')}</CheckedHere>;
  if (step) {
    return (
      <CheckedHere state="ok">{count > 0 ? t('look.keys_complete', { count }) : t('look.nobody_proved')}</CheckedHere>
    );
  }
  return count === 0 && groups ? <p class="quiet">{t('look.nobody')}</p> : null;
}
