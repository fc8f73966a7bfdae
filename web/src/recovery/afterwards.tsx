import type { KeyEvent } from '@signet/sdk';
import type { SucceedFields } from '@signet/verify/key-events';
import { rich, t } from '../i18n/i18n.js';
import { focusOnAppearance } from '../shell/focus.js';
import { Due, KeyLink } from './words.js';

/** What happens when, after a key was chosen that comes after another one. */
export function Afterwards({ event }: { event: KeyEvent }) {
  const { successor } = event.fields as SucceedFields;
  const isNow = event.due_at <= event.recorded_at;
  return (
    <section class="afterwards">
      <h2 tabIndex={-1} ref={focusOnAppearance}>
        {t('recovery.what_happens')}
      </h2>
      <ol>
        {isNow ? (
          <li>{rich('recovery.happens_at_once', { key: <KeyLink avatar={successor} /> })}</li>
        ) : (
          <>
            <li>{t('recovery.happens_now')}</li>
            <li>
              {rich('recovery.happens_then', {
                key: <KeyLink avatar={successor} />,
                time: <Due seconds={event.due_at} />,
              })}
            </li>
          </>
        )}
        <li>{t('recovery.happens_after')}</li>
      </ol>
      <a class="button" href="/bind">
        {t('bind.title')}
      </a>
    </section>
  );
}
