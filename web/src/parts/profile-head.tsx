import type { Profile } from '@signet/sdk';
import { t } from '../i18n/i18n.js';

/** The picture of a profile, which holds no address: `readProfile` lets nothing else through. */
export function ProfilePicture({ picture, size }: { picture: string; size: number }) {
  return <img class="profile-picture" src={picture} alt="" width={size} height={size} decoding="async" />;
}

/** The line of a profile, and whose words these are. */
export function ProfileWords({ profile: { about } }: { profile: Profile }) {
  return (
    <div class="profile-words">
      {about !== null && (
        <p>
          <bdi>{about}</bdi>
        </p>
      )}
      <p class="quiet small">{t('look.own_words')}</p>
    </div>
  );
}
