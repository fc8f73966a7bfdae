import type { IdentityGroup } from '@signet/sdk';
import { rich, t } from '../i18n/i18n.js';
import { cutInTheMiddle } from '../parts/names.js';
import { ServerSays } from '../parts/signs.js';
import { avatarPath } from '../shell/router.js';

/** That a key is frozen, or that another one has come after it, by the word of the server; else nothing. */
export function HoldNote({ group: { frozen, successor } }: { group: Pick<IdentityGroup, 'frozen' | 'successor'> }) {
  if (successor !== undefined) {
    const key = (
      <a href={avatarPath(successor)}>
        <code title={successor}>{cutInTheMiddle(successor, 14)}</code>
      </a>
    );
    return <ServerSays>{rich('look.moved', { key })}</ServerSays>;
  }
  return frozen ? <ServerSays>{t('look.frozen')}</ServerSays> : null;
}
