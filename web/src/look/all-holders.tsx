import { t } from '../i18n/i18n.js';
import { useCompleteness } from '../log/use-completeness.js';
import { useAnnounced } from '../shell/announce.js';
import { CompletenessVerdict } from './completeness-verdict.js';
import type { Holders } from './holders.js';

/**
 * Whether these are all keys that hold a name, by the map over the log. Where that is not asked, without a platform or
 * before all keys were read, and where the server keeps no map: what the server says where it shows none.
 */
export function AllHolders({
  holders: { groups, total, isWhole },
  platform,
  identity,
}: {
  holders: Holders;
  platform: string | undefined;
  identity: string;
}) {
  const step = useCompleteness(
    platform !== undefined && isWhole
      ? async (signal) => (await import('../log/log-check.js')).holdersStep(groups, { platform, identity }, signal)
      : null,
    [groups, platform, identity],
  );
  const word = total > 0 ? t('look.found', { count: total }) : t('look.nobody');
  useAnnounced(step === null ? word : null);
  if (step === null) return total > 0 ? null : <p class="quiet">{word}</p>;
  return (
    <CompletenessVerdict
      step={step}
      ok={total > 0 ? t('look.keys_complete', { count: total }) : t('look.nobody_proved')}
      failed={t('look.keys_left_out')}
    />
  );
}
