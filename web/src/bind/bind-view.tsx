import type { Draft, RecordedLink, SignetEvent } from '@signet/sdk';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { announce } from '../shell/announce.js';
import { lazy } from '../shell/lazy.js';
import { client } from '../shell/api.js';
import { useTitle } from '../shell/frame.js';
import type { Place } from '../shell/router.js';
import { AccountStep } from './account-step.js';
import { focusOnAppearance } from '../shell/focus.js';
import { WENT_ELSEWHERE } from '../keys/wallet-apps.js';
import { ShowCode } from '../parts/show-code.js';
import { type HandedOver, handOver, readHandedOver } from './handed-over.js';
import { keepDraft, keptDraft } from './kept-draft.js';
import { PublishStep } from './publish-step.js';
import { keptSeveral } from './kept-several.js';
import { SignStep } from './sign-step.js';
import type { WantedBinding } from './wanted.js';

/** What comes behind a binding, and several accounts in one go: of no weight before. */
const loadDone = () => import('./done.js');
const Done = lazy(loadDone);
const Several = lazy(() => import('./several-view.js'));

const STAGES = ['account', 'key', 'publish', 'done'] as const;
type Stage = (typeof STAGES)[number];

/** `/bind`: one account; `/bind/several`: several in one go. */
export default function BindView(place: Place) {
  return place.parts[0] === 'several' ? <Several /> : <OneAccount query={place.query} />;
}

/** Account, key and signature, publication, done. `?platform=` and `?identity=` say what to bind. */
function OneAccount({ query }: Pick<Place, 'query'>) {
  useTitle(t('bind.title'));
  const [handed] = useState(() => (import.meta.env.SSR ? null : readHandedOver(location.hash)));
  const [named, setNamed] = useState<WantedBinding | null>(handed?.step === 'key' ? handed : null);
  const [draft, setDraft] = useState<Draft | null>(() => draftOf(handed));
  const [resumed] = useState(draft);
  const [link, setLink] = useState<RecordedLink | null>(null);
  const asked = handed ?? { platform: query.get('platform') ?? '', identity: query.get('identity') ?? '' };
  const [chosen, setChosen] = useState(asked.platform);
  const stage: Stage = link ? 'done' : draft ? 'publish' : named ? 'key' : 'account';
  const begun = begunAt(stage, named, chosen, asked);
  useEffect(() => handOver(begun), [begun]);
  const key = useCurrentKey();
  const elsewhere = useElsewhere(stage === 'key' ? named : null);
  const start = (made: Draft) => {
    keepDraft(made.toJSON());
    setDraft(made);
  };
  const startOver = () => {
    keepDraft(null);
    setNamed(null);
    setDraft(null);
    setLink(null);
    elsewhere.forget();
  };
  // Loaded while the server looks, so that nobody waits for it.
  useEffect(() => void (stage === 'publish' && loadDone()), [stage]);
  const finish = (recorded: RecordedLink) => {
    keepDraft(null);
    setLink(recorded);
    announce(t('bind.done'));
  };
  if (elsewhere.event) {
    const { avatar, platform, identity } = elsewhere.event;
    return (
      <>
        <h1>{t('bind.title')}</h1>
        <Progress stage="done" />
        <Done bound={[{ avatar, platform, identity }]} text={t('bind.done_elsewhere')} onAnother={startOver} />
      </>
    );
  }
  return (
    <>
      <h1>{t('bind.title')}</h1>
      <Progress stage={stage} />
      {stage === 'account' && <p class="lead">{t('bind.about')}</p>}
      {stage === 'account' && <ToSeveral />}
      {stage === 'account' && <AccountStep wanted={asked} onNamed={setNamed} onDraft={start} onChosen={setChosen} />}
      {stage === 'key' && <KeyAndSignature wanted={named!} onDraft={start} onOther={startOver} />}
      {begun && key === null && <OnPhone begun={begun} />}
      {stage === 'publish' && (
        <PublishStep draft={draft!} isResumed={draft === resumed} onDone={finish} onStartOver={startOver} />
      )}
      {link && <Done bound={[link]} onAnother={startOver} />}
    </>
  );
}

/** The way to several accounts in one go, and back to those that are not done. */
function ToSeveral() {
  const [isBegun, setBegun] = useState(false);
  useEffect(() => setBegun(keptSeveral() !== null), []);
  return (
    <p class="to-several">
      <a href="/bind/several">{t(isBegun ? 'bind.several_go_on' : 'bind.several')}</a>
    </p>
  );
}

/** The draft that was kept, unless the address hands over another account. */
function draftOf(handed: HandedOver | null): Draft | null {
  const kept = keptDraft();
  if (kept?.action !== 'create') return null;
  const draft = client.resume(kept);
  const isSame = ({ platform, identity }: HandedOver) =>
    platform === draft.platform && identity.toLowerCase() === draft.identity.toLowerCase();
  return handed && !isSame(handed) ? null : draft;
}

/** What another device could go on with; null where nothing was begun, or where this one has to end it. */
function begunAt(stage: Stage, named: WantedBinding | null, chosen: string, asked: WantedBinding): HandedOver | null {
  if (stage === 'key') return { ...named!, step: 'key' };
  if (stage !== 'account' || chosen === '') return null;
  return { platform: chosen, identity: chosen === asked.platform ? asked.identity : '', step: 'account' };
}

/** A code by which a phone goes on. It is hidden where fingers are used, since that is the phone. */
function OnPhone({ begun }: { begun: HandedOver }) {
  const address = `${location.origin}/bind#${new URLSearchParams({ ...begun }).toString()}`;
  return (
    <div class="on-phone">
      <ShowCode
        label={t('bind.go_on_with_phone')}
        address={address}
        onShown={() => dispatchEvent(new Event(WENT_ELSEWHERE))}
      />
    </div>
  );
}

/** What came of an account elsewhere, once a person has gone on there. */
function useElsewhere(wanted: WantedBinding | null) {
  const [event, setEvent] = useState<SignetEvent<'proof.bound'> | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const leave = () => setGone(true);
    addEventListener(WENT_ELSEWHERE, leave);
    return () => removeEventListener(WENT_ELSEWHERE, leave);
  }, []);
  useEffect(() => {
    if (!isGone || !wanted) return;
    let stop = () => {};
    let isLeft = false;
    void import('./elsewhere.js').then(({ watchElsewhere }) => {
      if (!isLeft) stop = watchElsewhere(wanted, setEvent);
    });
    return () => {
      isLeft = true;
      stop();
    };
  }, [isGone, wanted]);
  const forget = () => {
    setEvent(null);
    setGone(false);
  };
  return { event, forget };
}

function Progress({ stage }: { stage: Stage }) {
  const at = STAGES.indexOf(stage);
  return (
    <ol class="progress" aria-label={t('bind.progress')}>
      {STAGES.map((name, index) => (
        <li key={name} class={index < at ? 'past' : ''} aria-current={index === at ? 'step' : undefined}>
          {t(`bind.stage_${name}`)}
        </li>
      ))}
    </ol>
  );
}

interface KeyAndSignatureProps {
  wanted: WantedBinding;
  onDraft: (draft: Draft) => void;
  onOther: () => void;
}

/** The key that is to hold an account that was named, and its signature. */
function KeyAndSignature({ wanted, onDraft, onOther }: KeyAndSignatureProps) {
  const key = useCurrentKey();
  return (
    <>
      <p class="wanted" tabIndex={-1} ref={focusOnAppearance}>
        <PlatformIcon platform={wanted.platform} size={24} />
        <span>
          <span class="platform">{platformName(wanted.platform)}</span> <Identity name={wanted.identity} />
        </span>
        <button type="button" class="plain" onClick={onOther}>
          {t('bind.other_account')}
        </button>
      </p>
      <KeyStep />
      {key && <SignStep key={key.signer.avatar} keyInUse={key} wanted={wanted} onDraft={onDraft} />}
    </>
  );
}
