import { t } from '../i18n/i18n.js';
import type { Hidden } from './hidden.js';

/** In the place of what the operator hides: that it is hidden, why, and that it is not erased. */
export function HiddenNotice({ hidden: { reason } }: { hidden: Hidden }) {
  return (
    <div class="caution hidden-notice">
      <p>
        {t('look.hidden')} <bdi>{reason}</bdi>
      </p>
      <p class="small">{t('look.hidden_text')}</p>
    </div>
  );
}
