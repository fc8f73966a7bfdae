import { type KeyEvent } from '@signet/sdk';
import { findAvatarKey } from '@signet/verify';
import { useState } from 'preact/hooks';
import { dateTime } from '../i18n/format.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { KeyText } from '../parts/names.js';
import { Problem } from '../parts/problem.js';
import { Seal } from '../parts/seal.js';
import { announce } from '../shell/announce.js';
import { focusOnAppearance } from '../shell/focus.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, type Place } from '../shell/router.js';
import { AppKeys } from './app-keys.js';
import { CommitFlow } from './commit-flow.js';
import { FreezeDeed, PendingList, useSigning } from './deeds.js';
import { type KeysRead, useKeys } from './keys-of.js';
import { RecoveryKeys } from './recovery-keys.js';
import { Rehearsal } from './rehearsal.js';
import { StateSentence } from './state-sentence.js';
import './style.js';

/** `/recovery/<key>`: what becomes of a key when it is lost or stolen, for its owner. */
export default function RecoveryView({ parts: [text = ''] }: Place) {
  useTitle(t('recovery.title'));
  const avatar = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`)?.compressed;
  return avatar ? <Recovery avatar={avatar} /> : <Problem title={t('look.no_key')} text={t('look.no_key_text')} />;
}

function Recovery({ avatar }: { avatar: string }) {
  const read = useKeys(avatar);
  // Of a key that has moved nothing can be prepared any more.
  const isMoved = read.state === 'there' && read.value.ok && read.value.state.succession !== null;
  return (
    <>
      <h1>{t('recovery.title')}</h1>
      {!isMoved && <p class="lead">{t('recovery.about')}</p>}
      <div class="key-shown">
        <Seal avatar={avatar} size={72} />
        <div>
          <KeyText value={avatar} />
          <p>
            <a href={avatarPath(avatar)}>{t('bind.see_key')}</a>
          </p>
        </div>
      </div>
      {read.state === 'waiting' && <p class="waiting">{t('shell.loading')}</p>}
      {read.state === 'failed' && <Failure error={read.error} again={read.again} />}
      {read.state === 'there' && <StateSentence keys={read.value} />}
      {read.state === 'there' && read.value.ok && <Deeds keys={read.value} again={read.again} />}
    </>
  );
}

/** All that the owner can do; what is pending comes first. */
function Deeds({ keys, again }: { keys: KeysRead; again: () => void }) {
  const signing = useSigning();
  const { pendingCommit, pendingSuccession, committed, succession } = keys.state;
  if (succession) return null;
  return (
    <>
      {(pendingCommit || pendingSuccession) && (
        <section class="alarm">
          <h2>{t('recovery.pending')}</h2>
          <PendingList keys={keys} onDone={again} {...signing} />
        </section>
      )}
      <Chosen keys={keys} again={again} />
      {(committed || pendingCommit) && <Rehearsal avatar={keys.avatar} />}
      <AppKeys keys={keys} onDone={again} {...signing} />
      <section>
        <h2>{t('recovery.emergency')}</h2>
        <FreezeDeed keys={keys} onDone={again} {...signing} />
        <p>
          <a href={`/lost?avatar=${keys.avatar}`}>{t('recovery.lost_title')}</a>
        </p>
      </section>
    </>
  );
}

/** The recovery keys in force, and the choice of others. */
function Chosen({ keys, again }: { keys: KeysRead; again: () => void }) {
  const { committed, pendingCommit } = keys.state;
  const [isChoosing, setChoosing] = useState(false);
  const [done, setDone] = useState('');
  const finish = (event: KeyEvent) => {
    const isNow = event.due_at <= event.recorded_at;
    const sentence = isNow ? t('recovery.in_force') : t('recovery.in_force_later', { time: dateTime(event.due_at) });
    setDone(sentence);
    setChoosing(false);
    announce(sentence);
    again();
  };
  return (
    <section class="chosen-keys">
      <h2>{t('recovery.keys')}</h2>
      {isChoosing ? (
        <CommitFlow keys={keys} onDone={finish} onCancel={() => setChoosing(false)} />
      ) : (
        <>
          {committed ? <RecoveryKeys names={committed.recovery} /> : <p class="quiet">{t('recovery.why')}</p>}
          {done !== '' && (
            <p class="deed-done" tabIndex={-1} ref={focusOnAppearance}>
              {done}
            </p>
          )}
          {!pendingCommit && (
            <button type="button" class={committed ? undefined : 'primary'} onClick={() => setChoosing(true)}>
              {t(committed ? 'recovery.choose_others' : 'recovery.choose')}
            </button>
          )}
        </>
      )}
    </section>
  );
}
