import { keyFor, t } from '../i18n/i18n.js';
import { Identity, platformName } from '../parts/names.js';
import { Time } from '../parts/time.js';
import type { Live } from './use-live.js';

/** What happened while the view was open; what it shows above is read again by itself. */
export function LiveList({ live }: { live: Live }) {
  return (
    <section class="live" aria-live="polite">
      <h2>{t('look.live')}</h2>
      {live.events.length === 0 && <p class="quiet">{t(live.isOpen ? 'look.live_open' : 'look.live_closed')}</p>}
      <ol>
        {live.events.map((event) => (
          <li key={event.id}>
            <strong>{eventName(event.type)}</strong>{' '}
            {'platform' in event && (
              <>
                {platformName(event.platform)} <Identity name={event.identity} />{' '}
              </>
            )}
            <span class="quiet small">
              <Time seconds={event.recorded_at} exact />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function eventName(type: string): string {
  const key = keyFor('look.event_', type.replace('.', '_'));
  return key === null ? type : t(key);
}
