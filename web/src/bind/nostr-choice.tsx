/** A key of Nostr: by an extension of the browser (NIP-07), or by another program that signs an event. */
import type { NostrProvider } from '@signet/sdk';
import { cleanPasted } from '@signet/verify/internal';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { CopyButton } from '../parts/copy-button.js';
import { platformName } from '../parts/names.js';
import { problemOfName } from '../search/impossible-name.js';
import { focusOnAppearance } from '../shell/focus.js';
import { usePlatforms } from '../shell/platforms.js';
import { NameField } from './name-field.js';
import type { useSigning, WantedSignature } from './sign-step.js';

const PLATFORM = 'nostr';
const BY_HAND = 'by hand';
/** Milliseconds: an extension may come behind the page, and announces nothing. */
const LOOK_AGAIN_MS = 500;

interface Props {
  asked: WantedSignature | null;
  sign: ReturnType<typeof useSigning>['sign'];
}

/** An event that another program has to sign. */
interface Task {
  event: string;
  /** Takes what the program gave; false where that is another event. */
  answer: (pasted: string) => boolean;
}

export function NostrChoice({ asked, sign }: Props) {
  const extension = useExtension();
  const byExtension = async () => (await import('./nostr-keys.js')).keyOfExtension(extension!);
  return (
    <div class="fields">
      <p>{t('bind.nothing_published')}</p>
      {extension ? (
        <button
          type="button"
          class="primary"
          disabled={asked?.wallet?.id === PLATFORM}
          onClick={() =>
            void sign({
              platform: PLATFORM,
              identity: '',
              wallet: { id: PLATFORM, name: platformName(PLATFORM), connect: byExtension },
            })
          }
        >
          {t('bind.bind_wallet', { name: platformName(PLATFORM) })}
        </button>
      ) : (
        <p class="quiet">{t('bind.no_nostr_wallet')}</p>
      )}
      <details class="foldable">
        <summary>{t('bind.nostr_by_hand')}</summary>
        <div class="folded">
          <ByHand asked={asked} sign={sign} />
        </div>
      </details>
    </div>
  );
}

function useExtension(): NostrProvider | null {
  const [extension, setExtension] = useState<NostrProvider | null>(null);
  useEffect(() => {
    const look = () => setExtension(() => (window as { nostr?: NostrProvider }).nostr ?? null);
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return extension;
}

/** The key is named, the text confirmed, and the event signed elsewhere and pasted. */
function ByHand({ asked, sign }: Props) {
  const guide = usePlatforms()?.find(({ platform }) => platform === PLATFORM);
  const [problem, setProblem] = useState<ComponentChildren | null>(null);
  const [task, setTask] = useState<Task | null>(null);
  const isAsked = asked?.wallet?.id === BY_HAND;
  const submit = (event: SubmitEvent) => {
    const identity = cleanPasted(formText(event)('identity'));
    const found = problemOfName({ platform: PLATFORM, identity }, guide);
    setProblem(found);
    setTask(null);
    if (found !== null) return;
    const wallet = { sign: (text: string) => signedElsewhere(text, setTask) };
    const connect = () => Promise.resolve({ identity, wallet });
    void sign({ platform: PLATFORM, identity, wallet: { id: BY_HAND, name: '', connect } });
  };
  return (
    <>
      <form class="fields" onSubmit={submit}>
        <NameField platform={PLATFORM} guide={guide} problem={problem} />
        <button type="submit">{t('bind.go_on')}</button>
      </form>
      {isAsked && task && <SignedEvent task={task} />}
    </>
  );
}

/** Shows the event of a text, and waits for it to be pasted. */
async function signedElsewhere(text: string, show: (task: Task) => void): Promise<{ wallet_signature: string }> {
  const { eventToSign, signatureIn } = await import('./nostr-keys.js');
  return new Promise((resolve) => {
    const answer = (pasted: string) => {
      const wallet_signature = signatureIn(pasted, text);
      if (wallet_signature !== null) resolve({ wallet_signature });
      return wallet_signature !== null;
    };
    show({ event: eventToSign(text), answer });
  });
}

function SignedEvent({ task: { event, answer } }: { task: Task }) {
  const id = useId();
  const [isWrong, setWrong] = useState(false);
  return (
    <form class="fields" onSubmit={(submitted) => setWrong(!answer(formText(submitted)('event')))}>
      <p tabIndex={-1} ref={focusOnAppearance}>
        {t('bind.nostr_event')}
      </p>
      <pre class="fixed" tabIndex={0} dir="ltr">
        {event}
      </pre>
      <CopyButton text={event} />
      <label for={id}>{t('bind.nostr_signed')}</label>
      <textarea
        id={id}
        name="event"
        rows={4}
        spellcheck={false}
        dir="ltr"
        required
        aria-describedby={`${id}-problem`}
      />
      <p id={`${id}-problem`} class="problem-text" role="alert">
        {isWrong && t('bind.nostr_not_this')}
      </p>
      <button type="submit" class="primary">
        {t('bind.go_on')}
      </button>
    </form>
  );
}
