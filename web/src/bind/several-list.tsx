import type { Draft, DraftState, Platform, RecordedLink } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { usePlatforms } from '../shell/platforms.js';
import { WalletStep } from './account-step.js';
import { PlatformSteps } from './platform-steps.js';
import { PublishStep } from './publish-step.js';
import {
  type Change,
  type Several,
  type SeveralItem,
  takenUp,
  withDraft,
  without,
  withRecorded,
  withSetAside,
} from './several.js';
import { SignStep } from './sign-step.js';

interface Props {
  several: Several;
  onChange: Change;
}

/** One list of what is to be published where. The one that is worked on is open; the others say what comes. */
export function SeveralList({ several, onChange }: Props) {
  const platforms = usePlatforms() ?? [];
  const { items, at } = several;
  // What was kept from before the page was loaded has not moved on.
  const [resumed] = useState(at);
  return (
    <ol class="several">
      {items.map((item, place) => (
        <li
          key={item.platform}
          class={item.state === 'done' ? 'done-item' : ''}
          aria-current={place === at ? 'step' : undefined}
        >
          <header>
            <PlatformIcon platform={item.platform} size={24} />
            <h2>
              <span class="platform">{platformName(item.platform)}</span> <Identity name={item.identity} />
            </h2>
            <span class="several-state">{t(place === at ? 'bind.several_now' : `bind.several_${item.state}`)}</span>
          </header>
          {place === at ? (
            <Current item={item} several={several} onChange={onChange} isResumed={resumed === at} />
          ) : (
            item.state !== 'done' && (
              <Waiting
                item={item}
                guide={platforms.find(({ platform }) => platform === item.platform)}
                onNow={() => onChange((now) => takenUp(now, place))}
                onDrop={() => onChange((now) => without(now, place))}
              />
            )
          )}
        </li>
      ))}
    </ol>
  );
}

interface WaitingProps {
  item: SeveralItem;
  guide: Platform | undefined;
  onNow: () => void;
  onDrop: () => void;
}

/** One that is not worked on now: what is to be done there, and the ways to do it now or not at all. */
function Waiting({ item: { platform, identity }, guide, onNow, onDrop }: WaitingProps) {
  const name = `${platformName(platform)} ${identity}`.trim();
  return (
    <>
      {guide && !WALLET_PLATFORMS.includes(platform) && (
        <details>
          <summary>{t('bind.what_comes')}</summary>
          <PlatformSteps platform={guide} identity={identity} />
        </details>
      )}
      <p class="row">
        <button type="button" onClick={onNow} aria-label={`${t('bind.several_take_up')}: ${name}`}>
          {t('bind.several_take_up')}
        </button>
        <button type="button" class="plain" onClick={onDrop} aria-label={`${t('bind.several_leave_out')}: ${name}`}>
          {t('bind.several_leave_out')}
        </button>
      </p>
    </>
  );
}

interface CurrentProps extends Props {
  item: SeveralItem;
  isResumed: boolean;
}

/** The one that is worked on: key, signature, publication. */
function Current({ item, several, onChange, isResumed }: CurrentProps) {
  const hasOthers = several.items.some((other) => other !== item && other.state === 'open');
  const keep = (draft: DraftState | null) => onChange((now) => withDraft(now, draft));
  return (
    <>
      {item.draft ? (
        <Publication key={item.draft.uuid} state={item.draft} isResumed={isResumed} keep={keep} onChange={onChange} />
      ) : (
        <Signature item={item} avatar={several.avatar} onDraft={(made) => keep(made.toJSON())} />
      )}
      <p class="row">
        <button type="button" onClick={() => onChange(withSetAside)}>
          {t(hasOthers ? 'bind.several_later' : 'bind.several_later_last')}
        </button>
      </p>
    </>
  );
}

interface PublicationProps extends Pick<Props, 'onChange'> {
  state: DraftState;
  isResumed: boolean;
  keep: (draft: DraftState | null) => void;
}

/** What was signed, until it is recorded. */
function Publication({ state, isResumed, keep, onChange }: PublicationProps) {
  const [draft] = useState(() => client.resume(state));
  const finish = (link: RecordedLink) => {
    onChange((now) => withRecorded(now, link));
    announce(t('bind.several_recorded', { platform: platformName(link.platform) }));
  };
  return <PublishStep draft={draft} isResumed={isResumed} keep={keep} onDone={finish} onStartOver={() => keep(null)} />;
}

interface SignatureProps {
  item: SeveralItem;
  /** The key that signed the ones before; null for any. */
  avatar: string | null;
  onDraft: (draft: Draft) => void;
}

function Signature({ item, avatar, onDraft }: SignatureProps) {
  const key = useCurrentKey();
  const guide = (usePlatforms() ?? []).find(({ platform }) => platform === item.platform);
  const isOther = key !== null && avatar !== null && key.signer.avatar !== avatar;
  if (WALLET_PLATFORMS.includes(item.platform) && !isOther) {
    return guide ? <WalletStep platform={guide} onDraft={onDraft} /> : null;
  }
  return (
    <>
      {(!key || isOther) && <KeyStep wanted={avatar ?? undefined} />}
      {key && !isOther && <SignStep key={key.signer.avatar} keyInUse={key} wanted={item} onDraft={onDraft} />}
    </>
  );
}
