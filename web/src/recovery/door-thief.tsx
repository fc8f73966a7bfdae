import { rich, t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { FreezeDeed, PendingList, useSigning } from './deeds.js';
import { type KeysRead, useKeys } from './keys-of.js';
import { doorPath } from './doors.js';
import { StateSentence } from './state-sentence.js';
import { WhichKey } from './which-key.js';

/** The door *Somebody else has my key*: freeze it, stop what they have begun, and what wins in the end. */
export default function ThiefDoor({ avatar }: { avatar: string | null }) {
  return (
    <>
      <p class="lead">{t('recovery.thief_about')}</p>
      <WhichKey avatar={avatar} door="thief" />
      {avatar !== null && <Stopping avatar={avatar} />}
    </>
  );
}

function Stopping({ avatar }: { avatar: string }) {
  const read = useKeys(avatar);
  if (read.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (read.state === 'failed') return <Failure error={read.error} again={read.again} />;
  return (
    <>
      <StateSentence keys={read.value} />
      {read.value.ok && !read.value.state.succession && <Deeds keys={read.value} again={read.again} />}
    </>
  );
}

function Deeds({ keys, again }: { keys: KeysRead; again: () => void }) {
  const signing = useSigning();
  const { avatar, state } = keys;
  const { committed, pendingCommit, pendingSuccession } = state;
  const link = (door: 'words' | 'accounts') => <a href={doorPath(door, avatar)}>{t(`recovery.door_${door}`)}</a>;
  return (
    <>
      {!committed && <p class="caution">{rich('recovery.stalemate', { door: link('accounts') })}</p>}
      <section>
        <h2>{t('recovery.first_freeze')}</h2>
        <FreezeDeed keys={keys} onDone={again} isPrimary {...signing} />
      </section>
      <section class={pendingCommit || pendingSuccession ? 'alarm' : undefined}>
        <h2>{t('recovery.then_stop')}</h2>
        {pendingCommit || pendingSuccession ? (
          <PendingList keys={keys} onDone={again} {...signing} />
        ) : (
          <p class="quiet">{t('recovery.nothing_pending')}</p>
        )}
      </section>
      {committed && (
        <section>
          <h2>{t('recovery.then_end')}</h2>
          <p>{rich('recovery.end_text', { door: link('words') })}</p>
        </section>
      )}
    </>
  );
}
