import type { IdentityGroup } from '@signet/sdk';
import { holdsPrivateKey } from '@signet/verify/internal';
import { bindingKey } from '@signet/verify/internal/chains';
import { withUnseen } from '@signet/verify/unseen';
import { useEffect, useState } from 'preact/hooks';
import { Share } from '../bind/share.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { LettersNotice, LikeNotice } from '../parts/letters-notice.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { ProfilePicture, ProfileWords } from '../parts/profile-head.js';
import { Seal } from '../parts/seal.js';
import { ShowCode } from '../parts/show-code.js';
import { SearchField } from '../search/search-field.js';
import { useTitle } from '../shell/frame.js';
import { usePlatforms } from '../shell/platforms.js';
import { avatarPath, identityPath, type Place } from '../shell/router.js';
import { useLatest } from '../shell/stable.js';
import { useAnswer } from '../shell/use-answer.js';
import { AllHolders } from './all-holders.js';
import { BindingDetails } from './binding-card.js';
import { identityItem, keyItem, useHidden } from './hidden.js';
import { HiddenNotice } from './hidden-notice.js';
import { HoldNote } from './hold-note.js';
import { isNamed, type Name, readHolders } from './holders.js';
import { AccountBehind, AccountName, AccountsOfName } from '../search/account-name.js';
import { isDoubtful, isNameOfAccount, problemOfName } from '../search/impossible-name.js';
import { readBindings, useBindings } from './use-bindings.js';
import { useVersions } from './use-live.js';
import { useProfile } from './use-profile.js';

/** Keys that are shown at once; the next ones come by a button. */
const SHOWN = 10;

/** `/p/<platform>/<identity>`: which keys hold this name, and how that was proved. */
export default function IdentityView({ parts: [platform = '', ...rest] }: Place) {
  const identity = rest.join('/');
  return holdsPrivateKey(identity) ? <PrivateKeyNamed /> : <NamedView platform={platform} identity={identity} />;
}

/** A private key in the place of a name: taken out of the address, and not shown. */
function PrivateKeyNamed() {
  useTitle('');
  useEffect(() => history.replaceState(null, '', '/'), []);
  return <SearchField text="" problem={t('look.private_key')} />;
}

function NamedView({ platform, identity }: Name) {
  useTitle(`${withUnseen(cutInTheMiddle(identity, 30))} · ${platformName(platform)}`);
  return (
    <>
      <header class="identity-head">
        <p class="overline">
          <PlatformIcon platform={platform} /> {platformName(platform)}
        </p>
        <h1>
          <Identity name={identity} />
        </h1>
        <LettersNotice name={identity} isPage />
        {!isDoubtful({ platform, identity }) && <AccountName platform={platform} identity={identity} />}
        <ShowCode
          label={t('look.show_code')}
          address={location.origin + identityPath(platform, identity)}
          card={{ title: identity, lines: [platformName(platform)] }}
        />
      </header>
      <NamedKeys platform={platform} identity={identity} />
    </>
  );
}

/** The keys that hold a name, or a field for another name where this one cannot be any on its platform. */
function NamedKeys(name: Name) {
  const platforms = usePlatforms();
  const hidden = useHidden(identityItem(name.platform, name.identity));
  const guide = platforms?.find(({ platform }) => platform === name.platform);
  const problem = problemOfName(name, guide);
  if (isNameOfAccount(name, guide)) return <AccountBehind {...name} />;
  if (problem !== null) return <SearchField text={`${name.platform}:${name.identity}`} problem={problem} />;
  if (hidden) return <HiddenNotice hidden={hidden} />;
  if (hidden === undefined || (platforms === null && isDoubtful(name)))
    return <p class="waiting">{t('shell.loading')}</p>;
  return <Keys {...name} />;
}

/** The keys that hold a name, read again when something happens to one of them. */
function Keys(name: Name) {
  const [shown, setShown] = useState(SHOWN);
  // All that were shown: one that no longer holds the name stays in its place.
  const [seen, setSeen] = useState<IdentityGroup[]>([]);
  const { versionOf, sum } = useVersions(
    seen.map(({ avatar }) => avatar),
    name.platform,
  );
  const found = useAnswer((signal) => readHolders(name, shown, signal), [name.platform, name.identity], sum);
  const holders = found.state === 'there' ? found.value : null;
  const keys = withNew(seen, holders?.groups ?? []);
  useEffect(() => setSeen((old) => withNew(old, holders?.groups ?? [])), [holders]);
  if (found.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (found.state === 'failed') return <Failure error={found.error} again={found.again} />;
  if (!holders) return null;
  const drawn = keys.slice(0, shown);
  const more = Math.max(keys.length, holders.total) - drawn.length;
  const showMore = () => {
    setShown(drawn.length + SHOWN);
    if (!holders.isWhole) found.again();
  };
  return (
    <>
      {holders.total > 1 && <p>{t('look.several_keys', { count: holders.total })}</p>}
      <AllHolders holders={holders} {...name} />
      {holders.total === 0 && keys.length === 0 && <AccountsOfName identity={name.identity} />}
      {holders.total === 0 && keys.length === 0 && (
        <a class="button" href={`/bind?${new URLSearchParams({ ...name }).toString()}`}>
          {t('bind.is_it_yours')}
        </a>
      )}
      {drawn.map((group) => (
        <Holder key={group.avatar} group={group} version={versionOf(group.avatar)} {...name} />
      ))}
      {more > 0 && (
        <button type="button" onClick={showMore}>
          {t('look.show_more', { count: Math.min(SHOWN, more) })}
        </button>
      )}
    </>
  );
}

/** Keys that were shown before, as they are now, and behind them those that came. */
function withNew(old: IdentityGroup[], groups: IdentityGroup[]): IdentityGroup[] {
  const now = new Map(groups.map((group) => [group.avatar, group]));
  return [...new Map([...old.map((group) => [group.avatar, group] as const), ...now]).values()];
}

/** What can be done with a binding: shown elsewhere, and revoked by whoever holds the key. */
function Deeds({ platform, identity, avatar }: Name & { avatar: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="deeds">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('bind.share')}</summary>
        {isOpen && <Share platform={platform} identity={identity} avatar={avatar} />}
      </details>
      <details>
        <summary>{t('bind.is_it_your_key')}</summary>
        <p class="actions">
          <a
            class="button"
            href={`/revoke/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}?avatar=${avatar}`}
          >
            {t('bind.revoke_title')}
          </a>
        </p>
      </details>
    </div>
  );
}

/** One key that holds the name, unless the operator hides it. */
function Holder(props: Name & { group: IdentityGroup; version: number }) {
  const hidden = useHidden(keyItem(props.group.avatar));
  if (hidden === undefined) return null;
  return hidden ? <HiddenNotice hidden={hidden} /> : <ShownHolder {...props} />;
}

function ShownHolder({ group, version, platform, identity }: Name & { group: IdentityGroup; version: number }) {
  const { avatar } = group;
  const profile = useProfile(avatar, version);
  const {
    group: listed,
    bindings,
    links,
    lookUp,
  } = useBindings({
    avatar,
    version,
    listed: group,
    list: (signal) => readBindings(avatar, signal),
    isShown: (binding) => isNamed(binding, { platform, identity }),
  });
  const lookAllUp = useLatest(() => {
    for (const { made } of bindings) if (made) lookUp(made.item);
  });
  useEffect(() => lookAllUp.current(), [links.isComplete, bindings.length, lookAllUp]);
  return (
    <article class="holder">
      <h2>
        <a class="holder-key" href={avatarPath(avatar)}>
          <Seal avatar={avatar} size={64} />
          {profile?.picture && <ProfilePicture picture={profile.picture} size={56} />}
          <span>
            <span class="overline">{t('look.held_by')}</span>
            {profile?.name && <bdi class="profile-name">{profile.name}</bdi>}
            <code>{cutInTheMiddle(avatar, 22)}</code>
            <span class="small">{t('look.all_of_key', { count: group.proofs_total })}</span>
          </span>
        </a>
      </h2>
      {profile && <ProfileWords profile={profile} />}
      <LikeNotice name={identity} others={group.proofs.map((proof) => proof.identity)} />
      <HoldNote group={group} />
      {listed.state === 'waiting' && <p class="waiting">{t('shell.loading')}</p>}
      {listed.state === 'failed' && <Failure error={listed.error} again={listed.again} />}
      {listed.state === 'there' && bindings.length === 0 && <p class="quiet">{t('look.no_longer')}</p>}
      {bindings.map((binding) => (
        <div class="two-sides" key={bindingKey(binding)}>
          <BindingDetails binding={binding} version={version} />
          {binding.proof && <Deeds platform={binding.platform} identity={binding.identity} avatar={avatar} />}
        </div>
      ))}
    </article>
  );
}
