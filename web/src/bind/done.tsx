/** Behind a binding: what a person does with it next. Loaded when something is recorded. */
import type { RecordedLink } from '@signet/sdk';
import { loadAreas, rich, t } from '../i18n/i18n.js';
import { KeepWords } from '../keys/keep-words.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { useProfile } from '../look/use-profile.js';
import { CopyButton } from '../parts/copy-button.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { focusOnAppearance } from '../shell/focus.js';
import { lazy } from '../shell/lazy.js';
import { knownPlatform, usePlatforms } from '../shell/platforms.js';
import { avatarPath, identityPath } from '../shell/router.js';
import { API_URL } from '../shell/service.js';
import './late-style.js';
import { Share } from './share.js';

const RecoveryHint = lazy(async () => {
  const [hint] = await Promise.all([import('../recovery/hint.js'), loadAreas(['recovery'])]);
  return hint;
}, null);

const CodePanel = lazy(async () => ({ default: (await import('../parts/code-panel.js')).CodePanel }), null);

/** The platform whose servers follow links with `rel="me"`. */
const FEDIVERSE = 'activitypub';

/** What was bound. */
export type Bound = Pick<RecordedLink, 'avatar' | 'platform' | 'identity'>;

interface Props {
  /** All that was bound, by one key; the newest last. */
  bound: Bound[];
  /** What is said besides, a sentence. */
  text?: string | undefined;
  onAnother: () => void;
}

/** That it is bound, the link to send, the name to add, and what to keep. */
export default function Done({ bound, text, onAnother }: Props) {
  const { avatar, platform, identity } = bound.at(-1)!;
  const key = useCurrentKey();
  const words = key?.signer.avatar === avatar ? key.words : undefined;
  return (
    <>
      <Outcome bound={bound} text={text} onAnother={onAnother} />
      <SendLink bound={bound} />
      {words && (
        <section>
          <h2>{t('bind.keep_title')}</h2>
          <p>{t('bind.keep_text')}</p>
          <KeepWords words={words} avatar={avatar} />
        </section>
      )}
      <RecoveryHint avatar={avatar} />
      <Tick bound={bound} />
      <details class="foldable">
        <summary>{t('bind.share')}</summary>
        <div class="folded">
          <Share platform={platform} identity={identity} avatar={avatar} />
        </div>
      </details>
    </>
  );
}

/**
 * Where the address of the key gets a tick. Mastodon gives it to pages that lead back to the profile, which this one
 * does once the account there is bound: what else was bound changes nothing.
 */
function Tick({ bound }: { bound: Bound[] }) {
  usePlatforms();
  const isBound = bound.some(({ platform }) => platform === FEDIVERSE);
  if (!isBound && !knownPlatform(FEDIVERSE)) return null;
  const address = API_URL + avatarPath(bound.at(-1)!.avatar);
  return (
    <section>
      <h2>{t('bind.tick')}</h2>
      <p>{t(isBound ? 'bind.tick_text' : 'bind.tick_later')}</p>
      <p class="actions">
        <code>{address}</code>
        <CopyButton text={address} />
      </p>
    </section>
  );
}

/** That it is bound, and where that can be seen. */
function Outcome({ bound, text, onAnother }: Props) {
  const { avatar, platform, identity } = bound.at(-1)!;
  return (
    <section class="done stamped">
      <Seal avatar={avatar} size={96} />
      <div>
        <h2 tabIndex={-1} ref={focusOnAppearance}>
          {t('bind.done')}
        </h2>
        {text !== undefined && <p>{text}</p>}
        {bound.length > 1 ? (
          <Names bound={bound} />
        ) : (
          <p>{rich('bind.done_text', { identity: <Identity name={identity} />, platform: platformName(platform) })}</p>
        )}
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
  );
}

function Names({ bound }: { bound: Bound[] }) {
  return (
    <ul class="names">
      {bound.map(({ platform, identity }) => (
        <li key={`${platform} ${identity}`}>
          <span class="platform">{platformName(platform)}</span>{' '}
          <a href={identityPath(platform, identity)}>
            <Identity name={identity} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The address of the key, to send, scan, print and save; and the name and picture that it would show. */
function SendLink({ bound }: { bound: Bound[] }) {
  const { avatar } = bound.at(-1)!;
  const profile = useProfile(avatar);
  return (
    <section>
      <h2>{t('bind.send_title')}</h2>
      <p>{t('bind.send_text')}</p>
      <CodePanel
        address={location.origin + avatarPath(avatar)}
        card={{
          title: profile?.name ? `“${profile.name}”` : cutInTheMiddle(avatar, 22),
          lines: bound.map(({ platform, identity }) => `${platformName(platform)}: ${identity}`),
          avatar,
          picture: profile?.picture ?? null,
        }}
      />
      {!profile?.name && (
        <p class="row">
          {t('bind.add_name_text')}
          <a class="button" href={`/kv/${avatar}?change=profile`}>
            {t('bind.add_name')}
          </a>
        </p>
      )}
    </section>
  );
}
