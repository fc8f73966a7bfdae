import { t } from '../i18n/i18n.js';
import { isAlarming, type KeysRead, settled, useTicks } from './keys-of.js';
import { doorPath } from './doors.js';
import { StateSentence } from './state-sentence.js';
import './style.js';

/**
 * What a key said about itself, at the top of its page: an alarm for its owner while anything is pending or frozen, and
 * for visitors where it has moved.
 */
export default function KeyBanner({ keys: read }: { keys: KeysRead }) {
  useTicks();
  const keys = settled(read);
  const isAlarm = isAlarming(keys);
  return (
    <section class={isAlarm ? 'key-banner alarm' : 'key-banner'} aria-label={t('recovery.title')}>
      <StateSentence keys={keys} />
      {isAlarm && (
        <p>
          {t('recovery.is_it_you')} <a href={doorPath('thief', keys.avatar)}>{t('recovery.stop_it')}</a>
        </p>
      )}
    </section>
  );
}
