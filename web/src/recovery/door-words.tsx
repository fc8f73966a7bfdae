import type { KeyEvent } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { FreezeDeed, useSigning } from './deeds.js';
import { type KeysRead, useKeys } from './keys-of.js';
import { doorPath } from './doors.js';
import { SigningAs, SigningKey } from './signing-key.js';
import { StateSentence } from './state-sentence.js';
import { SucceedFlow } from './succeed-flow.js';
import { Afterwards } from './afterwards.js';
import { WhichKey } from './which-key.js';

/** The door *I have my recovery words*: which key, the words, a freeze, the new key, and what then happens. */
export default function WordsDoor({ avatar }: { avatar: string | null }) {
  return (
    <>
      <p class="lead">{t('recovery.words_about')}</p>
      <WhichKey avatar={avatar} door="words" />
      {avatar !== null && <Recovering key={avatar} avatar={avatar} />}
    </>
  );
}

function Recovering({ avatar }: { avatar: string }) {
  const read = useKeys(avatar);
  const [event, setEvent] = useState<KeyEvent | null>(null);
  if (read.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (read.state === 'failed') return <Failure error={read.error} again={read.again} />;
  const keys = read.value;
  const finish = (recorded: KeyEvent) => {
    setEvent(recorded);
    read.again();
  };
  return (
    <>
      <StateSentence keys={keys} />
      {event && <Afterwards event={event} />}
      {!event && keys.ok && !keys.state.succession && <Steps keys={keys} again={read.again} onDone={finish} />}
    </>
  );
}

function Steps({ keys, again, onDone }: { keys: KeysRead; again: () => void; onDone: (event: KeyEvent) => void }) {
  const { signing, onSigning } = useSigning();
  const { avatar, state } = keys;
  if (!state.committed) {
    const door = <a href={doorPath('accounts', avatar)}>{t('recovery.door_accounts')}</a>;
    return <p class="caution">{rich('recovery.no_recovery_key', { door })}</p>;
  }
  if (!signing) {
    return <SigningKey avatar={avatar} state={state} wanted="recovery" onKey={onSigning} Heading="h2" />;
  }
  return (
    <>
      <SigningAs state={state} named={signing} onOther={() => onSigning(null)} />
      <section>
        <h2>{t('recovery.first_freeze')}</h2>
        <FreezeDeed keys={keys} onDone={again} signing={signing} onSigning={onSigning} />
      </section>
      <section>
        <h2>{t('recovery.then_choose')}</h2>
        <SucceedFlow keys={keys} named={signing} onDone={onDone} />
      </section>
    </>
  );
}
