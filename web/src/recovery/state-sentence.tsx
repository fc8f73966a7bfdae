import { rich, t } from '../i18n/i18n.js';
import { dateTime } from '../i18n/format.js';
import { CheckedHere, ServerSays } from '../parts/signs.js';
import { isAlarming, type KeysRead } from './keys-of.js';
import { Due, KeyLink, Span } from './words.js';

/** What holds for the keys of an Avatar, in one sentence, checked in this browser. */
export function StateSentence({ keys }: { keys: KeysRead }) {
  if (!keys.ok) {
    return (
      <CheckedHere state="failed">
        {t('recovery.state_fails')}
        <span class="exactly small" lang="en">
          {keys.problem}
        </span>
      </CheckedHere>
    );
  }
  // That there is nothing, the server alone says.
  if (keys.events.length === 0) return <ServerSays>{t('recovery.state_none')}</ServerSays>;
  return (
    <div class="key-state">
      <CheckedHere state="ok" isUrgent={isAlarming(keys)}>
        {sentenceOf(keys)}
      </CheckedHere>
    </div>
  );
}

/** What matters most comes first: the end, what is about to happen, what stops all, what is prepared. */
function sentenceOf({ state }: KeysRead) {
  const { committed, freeze, pendingCommit, pendingSuccession, succession } = state;
  if (succession) {
    return rich('recovery.state_moved', {
      key: <KeyLink avatar={succession.successor} />,
      time: dateTime(succession.at),
    });
  }
  if (pendingSuccession) {
    const { fields, due_at: due } = pendingSuccession;
    return rich('recovery.state_moving', { key: <KeyLink avatar={fields.successor} />, time: <Due seconds={due} /> });
  }
  if (freeze) return t('recovery.state_frozen', { time: dateTime(freeze.until) });
  if (pendingCommit) return rich('recovery.state_changing', { time: <Due seconds={pendingCommit.due_at} /> });
  if (!committed) return t('recovery.state_none');
  const { recovery, delay_hours: hours } = committed;
  return rich('recovery.state_committed', { count: recovery.length, span: <Span hours={hours} /> });
}
