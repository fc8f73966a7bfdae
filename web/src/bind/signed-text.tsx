import type { FunctionComponent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { Identity, platformName, Seen } from '../parts/names.js';
import { focusOnAppearance } from '../shell/focus.js';

/** The person looked at the text and did not sign it. */
class Cancelled extends Error {}

/** A text that waits for a person's yes before it is signed. */
export interface Confirmation {
  /** The text; null while there is none. */
  text: string | null;
  /** Shows the text; done once the person agreed. @throws an error for which `isCancelled` is true */
  confirm: (text: string) => Promise<void>;
  answer: (isAgreed: boolean) => void;
  /** The wallet that is asked to sign; null while none is. */
  asked: string | null;
  /** The outcome of `work`, for which the wallet of this name is asked. @throws as `confirm` after `stop` */
  whileAsking: <Outcome>(name: string, work: Promise<Outcome>) => Promise<Outcome>;
  /** Stops waiting for the wallet. */
  stop: () => void;
  isCancelled: (error: unknown) => boolean;
}

export function useConfirmation(): Confirmation {
  const [text, setText] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const stopping = useRef<(error: Error) => void>(() => {});
  const waiting = useRef<{ resolve: () => void; reject: (error: Error) => void } | null>(null);
  return {
    text,
    confirm: (shown) =>
      new Promise((resolve, reject) => {
        waiting.current?.reject(new Cancelled());
        waiting.current = { resolve, reject };
        setText(shown);
      }),
    answer: (isAgreed) => {
      setText(null);
      if (isAgreed) waiting.current?.resolve();
      else waiting.current?.reject(new Cancelled());
      waiting.current = null;
    },
    asked,
    async whileAsking(name, work) {
      setAsked(name);
      const stopped = new Promise<never>((_, reject) => (stopping.current = reject));
      return Promise.race([work, stopped]).finally(() => setAsked(null));
    },
    stop: () => stopping.current(new Cancelled()),
    isCancelled: (error) => error instanceof Cancelled,
  };
}

interface Props {
  confirmation: Confirmation;
  /** Says in a sentence what the text says; that of links and patches when absent. */
  Meaning?: FunctionComponent<{ text: string }>;
}

/** The exact text that is going to be signed, and the two answers to it; then the wallet that is asked. */
export function SignedText({ confirmation: { text, answer, asked, stop }, Meaning = LinkMeaning }: Props) {
  if (asked !== null) {
    return (
      <p class="quiet small" role="status">
        {t('bind.look_at_wallet', { name: asked })}{' '}
        <button type="button" class="plain" onClick={stop}>
          {t('bind.cancel')}
        </button>
      </p>
    );
  }
  if (text === null) return null;
  return (
    <section class="signed-text" aria-labelledby="signed-text-title">
      <h3 id="signed-text-title" tabIndex={-1} ref={focusOnAppearance}>
        {t('bind.text_to_sign')}
      </h3>
      <Meaning text={text} />
      <p class="quiet">{t('bind.text_to_sign_text')}</p>
      <pre class="fixed" tabIndex={0} dir="ltr">
        <Seen text={text} isLong />
      </pre>
      <div class="row">
        <button type="button" class="primary" onClick={() => answer(true)}>
          {t('bind.sign_this')}
        </button>
        <button type="button" onClick={() => answer(false)}>
          {t('bind.cancel')}
        </button>
      </div>
    </section>
  );
}

/** Members of a text to sign that its sentence names. */
interface SignedFields {
  action?: unknown;
  platform?: unknown;
  identity?: unknown;
  patch?: unknown;
}

/** What the text says, in a sentence. It is read from the text itself, not from what was asked for. */
function LinkMeaning({ text }: { text: string }) {
  const { action, platform, identity, patch } = JSON.parse(text) as SignedFields;
  if (typeof patch === 'object' && patch !== null) {
    const members = Object.keys(patch);
    if (members.join() === 'profile') return <p class="meaning">{t('bind.says_profile')}</p>;
    const names = members.join(', ');
    return (
      <p class="meaning">
        {rich('bind.says_patch', {
          names: (
            <bdi>
              <Seen text={names} />
            </bdi>
          ),
        })}
      </p>
    );
  }
  const values = { identity: <Identity name={String(identity)} />, platform: platformName(String(platform)) };
  return <p class="meaning">{rich(action === 'delete' ? 'bind.says_delete' : 'bind.says_create', values)}</p>;
}
