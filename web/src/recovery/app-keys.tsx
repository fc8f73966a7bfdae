/** The keys of apps that sign content for a key, for its owner. */
import { liveAppKeys } from '@signet/verify/internal/key-events';
import type { AppKey } from '@signet/verify/key-events';
import { rich, t } from '../i18n/i18n.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { Time } from '../parts/time.js';
import { client } from '../shell/api.js';
import type { useSigning } from './deeds.js';
import { KeyDeed } from './key-deed.js';
import type { KeysRead } from './keys-of.js';

type Props = { keys: KeysRead; onDone: () => void } & ReturnType<typeof useSigning>;

/** What each may write and until when, with a button that ends it. Nothing where there are none. */
export function AppKeys(props: Props) {
  const { avatar, now, state } = props.keys;
  const live = liveAppKeys(state, now);
  if (live.length === 0) return null;
  return (
    <section>
      <h2>{t('recovery.app_keys')}</h2>
      <p class="quiet">{t('recovery.app_keys_text')}</p>
      <ul class="pending-keys">
        {live.map(({ key, origin, scopes, expires_at: end }) => (
          <li key={key}>
            <p id={`app-${key}`}>
              {origin !== null && <bdi>{origin} </bdi>}
              <code title={key}>{cutInTheMiddle(key, 26)}</code>
            </p>
            <p class="quiet small">
              {rich('recovery.app_until', { what: <bdi>{wordsOf(scopes)}</bdi>, time: <Time seconds={end} exact /> })}
            </p>
            <KeyDeed
              {...props}
              title={t('recovery.app_end')}
              about={`app-${key}`}
              text={t('recovery.app_end_text')}
              act={(signer) => client.keys.revoke({ avatar, key, signer })}
              doneText={() => t('recovery.app_ended')}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `kv` is all content, `kv:github:alice` the entry of one account. */
function wordsOf(scopes: AppKey['scopes']): string {
  if (scopes.includes('kv')) return t('recovery.app_all');
  const entries = scopes.map((scope) => scope.split(':'));
  return entries.map(([, platform, ...identity]) => `${platformName(platform!)} ${identity.join(':')}`).join(', ');
}
