import type { Draft, RecordedLink } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { Seal } from '../parts/seal.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, identityPath, type Place } from '../shell/router.js';
import { AccountStep } from './account-step.js';
import { focusOnAppearance } from '../shell/focus.js';
import { keepDraft, keptDraft } from './kept-draft.js';
import { PublishStep } from './publish-step.js';
import { Share } from './share.js';
import { SignStep, type WantedBinding } from './sign-step.js';

const STAGES = ['account', 'key', 'publish', 'done'] as const;
type Stage = (typeof STAGES)[number];

/** `/bind`: account, key and signature, publication, done. `?platform=` and `?identity=` say what to bind. */
export default function BindView({ query }: Place) {
  useTitle(t('bind.title'));
  const [named, setNamed] = useState<WantedBinding | null>(null);
  const [draft, setDraft] = useState<Draft | null>(() => {
    const kept = keptDraft();
    return kept?.action === 'create' ? client.resume(kept) : null;
  });
  const [resumed] = useState(draft);
  const [link, setLink] = useState<RecordedLink | null>(null);
  const asked = { platform: query.get('platform') ?? '', identity: query.get('identity') ?? '' };
  const stage: Stage = link ? 'done' : draft ? 'publish' : named ? 'key' : 'account';
  const start = (made: Draft) => {
    keepDraft(made.toJSON());
    setDraft(made);
  };
  const startOver = () => {
    keepDraft(null);
    setNamed(null);
    setDraft(null);
    setLink(null);
  };
  const finish = (recorded: RecordedLink) => {
    keepDraft(null);
    setLink(recorded);
    announce(t('bind.done'));
  };
  return (
    <>
      <h1>{t('bind.title')}</h1>
      <Progress stage={stage} />
      {stage === 'account' && <p class="lead">{t('bind.about')}</p>}
      {stage === 'account' && <AccountStep wanted={asked} onNamed={setNamed} onDraft={start} />}
      {stage === 'key' && <KeyAndSignature wanted={named!} onDraft={start} onOther={startOver} />}
      {stage === 'publish' && (
        <PublishStep draft={draft!} isResumed={draft === resumed} onDone={finish} onStartOver={startOver} />
      )}
      {link && <Done link={link} onAnother={startOver} />}
    </>
  );
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

function Done({ link: { avatar, platform, identity }, onAnother }: { link: RecordedLink; onAnother: () => void }) {
  const name = <Identity name={identity} />;
  return (
    <>
      <section class="done">
        <Seal avatar={avatar} size={96} />
        <div>
          <h2 tabIndex={-1} ref={focusOnAppearance}>
            {t('bind.done')}
          </h2>
          <p>{rich('bind.done_text', { identity: name, platform: platformName(platform) })}</p>
          <ul class="row">
            <li>
              <a class="button" href={identityPath(platform, identity)}>
                {t('bind.see_binding')}
              </a>
            </li>
            <li>
              <a class="button" href={avatarPath(avatar)}>
                {t('bind.see_key')}
              </a>
            </li>
            <li>
              <button type="button" onClick={onAnother}>
                {t('bind.bind_another')}
              </button>
            </li>
          </ul>
        </div>
      </section>
      <section>
        <h2>{t('bind.share')}</h2>
        <Share platform={platform} identity={identity} avatar={avatar} />
      </section>
    </>
  );
}
