import { useCallback, useEffect, useState } from 'preact/hooks';
import { t, useLanguage } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { useAnswer } from '../shell/use-answer.js';
import { follow, PushError, renew, unfollow } from './push.js';
import { loadTexts } from './texts.js';

interface Props {
  avatar: string;
  /** What the person answers to the browser's question; null where this browser was told of the key before. */
  asked: Promise<NotificationPermission> | null;
}

type Work = () => Promise<'on' | 'off'>;
type State = { is: 'working' | 'on' | 'off' } | { is: 'failed'; error: unknown; work: Work };

/** Whether this browser is told of a key, and the button that changes it. */
export default function PushPanel({ avatar, asked }: Props) {
  const language = useLanguage();
  const texts = useAnswer(() => loadTexts(language), [language]);
  const [state, setState] = useState<State>({ is: 'working' });
  const run = useCallback((work: Work) => {
    setState({ is: 'working' });
    work().then(
      (is) => setState({ is }),
      (error: unknown) => setState({ is: 'failed', error, work }),
    );
  }, []);
  useEffect(() => {
    run(() => (asked ? begin(avatar, asked) : renew(avatar).then((isOn) => (isOn ? 'on' : 'off'))));
  }, [avatar, asked, run]);
  const again = () => {
    if ('Notification' in window) run(() => begin(avatar, Notification.requestPermission()));
  };
  if (texts.state !== 'there') return <p class="waiting">{t('shell.loading')}</p>;
  const words = texts.value;
  return (
    <>
      <div role="status">
        {state.is === 'working' && <p class="waiting">{t('shell.loading')}</p>}
        {state.is === 'on' && (
          <>
            <p>{words.on}</p>
            <p class="quiet small">{words.stored}</p>
          </>
        )}
        {state.is === 'off' && <p>{words.off}</p>}
        {state.is === 'failed' && state.error instanceof PushError && <p>{words[state.error.code]}</p>}
      </div>
      {state.is === 'failed' && !(state.error instanceof PushError) && (
        <Failure error={state.error} again={() => run(state.work)} />
      )}
      {state.is === 'on' && (
        <button type="button" onClick={() => run(() => unfollow(avatar).then(() => 'off'))}>
          {words.stop}
        </button>
      )}
      {(state.is === 'off' || canTryAgain(state)) && (
        <button type="button" onClick={again}>
          {state.is === 'off' ? words.again : t('shell.try_again')}
        </button>
      )}
    </>
  );
}

const begin = (avatar: string, permission: Promise<NotificationPermission>) =>
  follow(avatar, permission).then((): 'on' => 'on');

/** Whether another try may succeed, once the person has changed something or some time has passed. */
function canTryAgain(state: State): boolean {
  if (state.is !== 'failed' || !(state.error instanceof PushError)) return false;
  return state.error.code === 'denied' || state.error.code === 'no_service';
}
