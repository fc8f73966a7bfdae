import type { IdentityGroup } from '@signet/sdk';
import { bindingKey } from '@signet/verify';
import { useEffect, useState } from 'preact/hooks';
import { Share } from '../bind/share.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { Seal } from '../parts/seal.js';
import { client } from '../shell/api.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, type Place } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { AllHolders } from './all-holders.js';
import { BindingDetails } from './binding-card.js';
import { useBindings } from './use-bindings.js';
import { useVersions } from './use-live.js';

/** Avatars that hold one identity and are shown; there are seldom two. */
const SHOWN = 10;

/** `/p/<platform>/<identity>`: which keys hold this name, and how that was proved. */
export default function IdentityView({ parts: [platform = '', ...rest] }: Place) {
  const identity = rest.join('/');
  useTitle(`${cutInTheMiddle(identity, 30)} · ${platformName(platform)}`);
  const found = useAnswer(
    (signal) => client.proofs.find({ platform, identity, signal }).toArray({ limit: SHOWN }),
    [platform, identity],
  );
  return (
    <>
      <header class="identity-head">
        <p class="overline">
          <PlatformIcon platform={platform} /> {platformName(platform)}
        </p>
        <h1>
          <Identity name={identity} />
        </h1>
        <Homograph name={identity} />
      </header>
      {found.state === 'waiting' && <p class="waiting">{t('shell.loading')}</p>}
      {found.state === 'failed' && <Failure error={found.error} again={found.again} />}
      {found.state === 'there' && <Holders groups={found.value} platform={platform} identity={identity} />}
    </>
  );
}

interface Named {
  platform: string;
  identity: string;
}

function Holders({ groups, ...name }: Named & { groups: IdentityGroup[] }) {
  const versionOf = useVersions(
    groups.map(({ avatar }) => avatar),
    name.platform,
  );
  if (groups.length === 0) {
    return (
      <>
        <AllHolders groups={groups} {...name} />
        <a class="button" href={`/bind?${new URLSearchParams({ ...name }).toString()}`}>
          {t('bind.is_it_yours')}
        </a>
      </>
    );
  }
  return (
    <>
      {groups.length > 1 && <p>{t('look.several_keys', { count: groups.length })}</p>}
      <AllHolders groups={groups.length < SHOWN ? groups : null} {...name} />
      {groups.map((group) => (
        <Holder key={group.avatar} group={group} version={versionOf(group.avatar)} {...name} />
      ))}
    </>
  );
}

/** What can be done with a binding: shown elsewhere, and revoked by whoever holds the key. */
function Deeds({ platform, identity, avatar }: Named & { avatar: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="deeds">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('bind.share')}</summary>
        {isOpen && <Share platform={platform} identity={identity} avatar={avatar} />}
      </details>
      <a href={`/revoke/${encodeURIComponent(platform)}/${encodeURIComponent(identity)}?avatar=${avatar}`}>
        {t('bind.revoke_title')}
      </a>
    </div>
  );
}

/** One key that holds the name. */
function Holder({ group, version, platform, identity }: Named & { group: IdentityGroup; version: number }) {
  const { avatar } = group;
  const {
    group: listed,
    bindings,
    links,
    lookUp,
  } = useBindings({
    avatar,
    version,
    listed: group,
    list: async (signal) => {
      const groups = await client.proofs.find({ platform, identity, signal }).toArray({ limit: SHOWN });
      return groups.find((other) => other.avatar === avatar) ?? { ...group, proofs: [] };
    },
    isShown: (binding) => isNamed(binding, platform, identity),
  });
  useEffect(() => {
    for (const { made } of bindings) if (made) lookUp(made.item);
  }, [links.isComplete, bindings.length]);
  return (
    <article class="holder">
      <a class="holder-key" href={avatarPath(avatar)}>
        <Seal avatar={avatar} size={64} />
        <span>
          <span class="overline">{t('look.held_by')}</span>
          <code>{cutInTheMiddle(avatar, 22)}</code>
          <span class="small">{t('look.all_of_key', { count: group.proofs_total })}</span>
        </span>
      </a>
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

/** Names of accounts ignore case on most platforms, and the server answers the canonical one. */
function isNamed(binding: { platform: string; identity: string }, platform: string, identity: string): boolean {
  return binding.platform === platform && binding.identity.toLowerCase() === identity.toLowerCase();
}

/** Letters of several scripts in one name may be there to deceive; said, not judged. */
function Homograph({ name }: { name: string }) {
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  if (isPlain) return null;
  const isMixed = /\p{Script=Latin}/u.test(name) && /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(name);
  return <p class="caution">{t(isMixed ? 'look.mixed_letters' : 'look.other_letters')}</p>;
}
