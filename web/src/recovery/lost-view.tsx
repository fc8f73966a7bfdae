import type { FunctionComponent } from 'preact';
import { findAvatarKey } from '@signet/verify';
import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { lazy } from '../shell/lazy.js';
import type { Place } from '../shell/router.js';
import { type Door, DOOR_NAMES, doorPath } from './doors.js';
import './style.js';

/** What each door is about. */
interface DoorProps {
  avatar: string | null;
}

/** The three doors, by the second part of the address. */
const DOORS: Record<Door, FunctionComponent<DoorProps>> = {
  words: lazy(() => import('./door-words.js')),
  thief: lazy(() => import('./door-thief.js')),
  accounts: lazy(() => import('./door-accounts.js')),
};

/** `/lost`: a key is lost or stolen, and what its owner still has. `?avatar=` says which key it is. */
export default function LostView({ parts: [name = ''], query }: Place) {
  useTitle(t('recovery.lost_title'));
  const avatar = findAvatarKey(query.get('avatar') ?? '')?.compressed ?? null;
  if (!isDoor(name)) return <Doors avatar={avatar} />;
  const Shown = DOORS[name];
  return (
    <>
      <p>
        <a href={doorPath(null, avatar)}>{t('recovery.all_doors')}</a>
      </p>
      <h1>{t(`recovery.door_${name}`)}</h1>
      <Shown avatar={avatar} />
    </>
  );
}

function isDoor(name: string): name is Door {
  return Object.hasOwn(DOORS, name);
}

function Doors({ avatar }: { avatar: string | null }) {
  return (
    <>
      <h1>{t('recovery.lost_title')}</h1>
      <p class="lead">{t('recovery.lost_about')}</p>
      <ul class="doors">
        {DOOR_NAMES.map((name) => (
          <li key={name}>
            <a href={doorPath(name, avatar)}>
              <strong>{t(`recovery.door_${name}`)}</strong>
              <span>{t(`recovery.door_${name}_text`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
