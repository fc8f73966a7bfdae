import {
  type Draft,
  type DraftState,
  fillAddress,
  fillFileName,
  type Platform,
  type RecordedLink,
  StaleChainError,
  type WaitingForPost,
} from '@signet/sdk';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { formText } from '../keys/form-text.js';
import { CopyButton } from '../parts/copy-button.js';
import { Failure } from '../parts/failure.js';
import { Identity, platformName } from '../parts/names.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { focusOnAppearance } from '../shell/focus.js';
import { platformList } from '../shell/platforms.js';
import { useLatest } from '../shell/stable.js';
import { keepDraft } from './kept-draft.js';
import { PlatformSteps } from './platform-steps.js';

interface Props {
  draft: Draft;
  /** Whether the draft was kept from before the page was loaded, so that nothing has moved on. */
  isResumed: boolean;
  onDone: (link: RecordedLink) => void;
  onStartOver: () => void;
  /** Keeps the draft once it knows its location; as the one draft of this page when absent. */
  keep?: (state: DraftState) => void;
}

/** Whether a draft is of a page that names the key alone. */
function isRelMe(draft: Draft): boolean {
  return draft.toJSON().extra.rel === 'me';
}

/** The draft of a page that names the key alone, or that of one which holds the signature. */
function draftBy(draft: Draft, isNamed: boolean): Draft {
  const state = draft.toJSON();
  if (isNamed) state.extra.rel = 'me';
  else delete state.extra.rel;
  return client.resume(state);
}

/** The text to publish, where it was published, and the wait until the server has seen it. */
export function PublishStep({ draft: given, isResumed, onDone, onStartOver, keep = keepDraft }: Props) {
  const [draft, setDraft] = useState(given);
  const [platform, setPlatform] = useState<Platform | null>(null);
  useEffect(() => {
    platformList().then(
      (list) => setPlatform(list.find((one) => one.platform === draft.platform) ?? null),
      () => setPlatform(null),
    );
  }, [draft.platform]);
  const isSigned = draft.toJSON().extra.wallet_signature !== undefined;
  const submission = useSubmission(draft, { onDone, keep }, isSigned);
  return (
    <section class="publish-step">
      <h2 tabIndex={-1} ref={isResumed ? null : focusOnAppearance}>
        {platformName(draft.platform)} <Identity name={draft.identity} />
      </h2>
      {!isSigned && <Publication draft={draft} platform={platform} />}
      {platform?.takes_rel_me && (
        <RelMeChoice
          isChosen={isRelMe(draft)}
          onChoice={(isChosen) => {
            const chosen = draftBy(draft, isChosen);
            setDraft(chosen);
            keep(chosen.toJSON());
          }}
        />
      )}
      {!isSigned && <LocationForm draft={draft} platform={platform} submission={submission} />}
      <Waiting submission={submission} />
      {submission.error !== null && (
        <Failure error={submission.error} again={isSigned ? () => submission.submit('') : undefined} />
      )}
      {submission.error instanceof StaleChainError && <p>{t('bind.sign_again')}</p>}
      <p>
        <button type="button" class="plain" onClick={onStartOver}>
          {t('bind.start_over')}
        </button>
      </p>
    </section>
  );
}

function Publication({ draft, platform }: { draft: Draft; platform: Platform | null }) {
  const id = useId();
  const [language, setLanguage] = useState('default');
  const text = draft.text(language);
  const values = { identity: draft.identity, avatar: draft.avatar, text };
  const link = fillAddress(platform?.compose_url, values);
  const file = fillFileName(platform?.file_name, values);
  return (
    <>
      <h3>{t('bind.publish_title')}</h3>
      {isRelMe(draft) && <p>{t('bind.rel_me_how')}</p>}
      {platform && !isRelMe(draft) && <PlatformSteps platform={platform} identity={draft.identity} />}
      {draft.languages.length > 1 && (
        <label class="fields">
          {t('bind.text_language')}
          <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
            {draft.languages.map((one) => (
              <option key={one} value={one}>
                {one === 'default' ? t('bind.default_language') : one.replace('_', '-')}
              </option>
            ))}
          </select>
        </label>
      )}
      <label for={id}>{t('bind.text_to_publish')}</label>
      <textarea id={id} readOnly rows={7} value={text} dir="auto" />
      {file !== null && (
        <p>
          {t('bind.file_name')} <code class="long">{file}</code> <CopyButton text={file} />
        </p>
      )}
      <div class="row">
        <CopyButton text={text} label={t('bind.copy_text')} />
        {link !== null && (
          <a class="button" href={link} target="_blank" rel="noopener noreferrer">
            {t('bind.open_platform', { platform: platformName(draft.platform) })}
          </a>
        )}
      </div>
    </>
  );
}

/** For heads of pages in which only links can be set. */
function RelMeChoice({ isChosen, onChoice }: { isChosen: boolean; onChoice: (isChosen: boolean) => void }) {
  const id = useId();
  return (
    <div class="fields">
      <label class="check">
        <input
          type="checkbox"
          checked={isChosen}
          aria-describedby={id}
          onChange={(event) => onChoice(event.currentTarget.checked)}
        />
        <span>{t('bind.rel_me')}</span>
      </label>
      <p id={id} class="quiet small">
        {t('bind.rel_me_text')}
      </p>
    </div>
  );
}

function LocationForm({
  draft,
  platform,
  submission,
}: {
  draft: Draft;
  platform: Platform | null;
  submission: Submission;
}) {
  const id = useId();
  const needsLocation = platform?.needs_proof_location ?? true;
  const forms = platform?.proof_location_forms ?? [];
  const example = forms.find((form) => form.startsWith('https://')) ?? forms[0];
  const submit = (event: SubmitEvent) => {
    submission.submit(formText(event)('location').trim());
  };
  return (
    <form class="fields" onSubmit={submit}>
      {needsLocation && (
        <>
          <label for={id}>{t('bind.location')}</label>
          <input
            id={id}
            name="location"
            defaultValue={draft.toJSON().proof_location ?? ''}
            aria-describedby={example === undefined ? undefined : `${id}-example`}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
          />
          {example !== undefined && (
            <p id={`${id}-example`} class="quiet small">
              {rich('bind.location_example', { address: <code>{example}</code> })}
            </p>
          )}
        </>
      )}
      <button type="submit" class="primary" disabled={submission.isBusy}>
        {t('bind.published')}
      </button>
    </form>
  );
}

interface Submission {
  isBusy: boolean;
  error: unknown;
  waiting: (WaitingForPost & { until: number }) | null;
  submit: (location: string) => void;
  stop: () => void;
}

/** Submits, and keeps on looking for the post. A wallet's signatures are all there is, so they go off at once. */
function useSubmission(
  draft: Draft,
  { onDone, keep }: Required<Pick<Props, 'onDone' | 'keep'>>,
  isComplete: boolean,
): Submission {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [waiting, setWaiting] = useState<Submission['waiting']>(null);
  const running = useRef<AbortController | null>(null);
  const submit = (location: string) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    setError(null);
    setWaiting(null);
    const onProgress = (progress: WaitingForPost) => {
      setWaiting({ ...progress, until: Date.now() + progress.waitMs });
      announce(progress.reason);
    };
    const isWanted = () => running.current?.signal === signal && !signal.aborted;
    const finished = draft.submit({ ...(location === '' ? {} : { location }), onProgress, signal });
    // From here on the draft knows the location.
    keep(draft.toJSON());
    finished.then(
      (link) => isWanted() && onDone(link),
      (problem: unknown) => {
        if (!isWanted()) return;
        setBusy(false);
        setWaiting(null);
        setError(problem);
      },
    );
  };
  const stop = () => {
    running.current?.abort();
    setBusy(false);
    setWaiting(null);
  };
  const start = useLatest(() => isComplete && submit(''));
  useEffect(() => {
    start.current();
    return () => running.current?.abort();
  }, [start]);
  return { isBusy, error, waiting, submit, stop };
}

/** What the server saw so far, and when it looks again. */
function Waiting({ submission: { isBusy, waiting, stop } }: { submission: Submission }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [waiting]);
  if (!isBusy) return null;
  if (!waiting) return <p class="waiting">{t('bind.looking')}</p>;
  const seconds = Math.max(0, Math.ceil((waiting.until - now) / 1000));
  return (
    <div class="waiting-for-post">
      <p>
        <strong>{t('bind.not_there_yet')}</strong>
      </p>
      <p>{waiting.reason}</p>
      <p class="quiet">
        {t('bind.looked_times', { count: waiting.tries })}{' '}
        {seconds > 0 ? t('bind.looks_again', { count: seconds }) : t('bind.looking')}
      </p>
      <button type="button" onClick={stop}>
        {t('bind.stop')}
      </button>
    </div>
  );
}
