import { readProfile } from '@signet/sdk';
import { findAvatarKey } from '@signet/verify';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { CopyButton } from '../parts/copy-button.js';
import { cutInTheMiddle, platformName } from '../parts/names.js';
import { Problem } from '../parts/problem.js';
import { ProfilePicture, ProfileWords } from '../parts/profile-head.js';
import { Seal } from '../parts/seal.js';
import { ShowCode } from '../parts/show-code.js';
import { CheckedHere, ServerSays, worstOf, type CheckState } from '../parts/signs.js';
import { TellMe } from '../push/tell-me.js';
import { useAnnounced } from '../shell/announce.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, type Place } from '../shell/router.js';
import { serviceLink } from '../shell/service.js';
import { BindingRow } from './binding-card.js';
import { CompletenessVerdict } from './completeness-verdict.js';
import { identityItem, keyItem, profileItem, useAllHidden, useHidden } from './hidden.js';
import { HiddenNotice } from './hidden-notice.js';
import { LinkChain } from '../chain/chain-list.js';
import { ContentSection, useContent } from './content-section.js';
import { ExportButton } from './export-button.js';
import { LiveList } from './live-list.js';
import type { ShownStep } from '../parts/steps.js';
import { readBindings, useBindings } from './use-bindings.js';
import type { CheckedList } from '../chain/use-chain.js';
import { useComplete } from '../chain/use-complete.js';
import { lazy } from '../shell/lazy.js';
import { useLive } from './use-live.js';

/** Loaded for keys that said something about themselves, and behind what most people come for. */
const KeyBanner = lazy(() => import('../recovery/key-banner.js'), null);
const ReboundNote = lazy(() => import('../recovery/rebound-note.js'), null);

/** `/a/<key>`: all that one key has bound and written, checked here. */
export default function AvatarView({ parts: [text = ''] }: Place) {
  const key = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`);
  if (!key) return <Problem title={t('look.no_key')} text={t('look.no_key_text')} />;
  return <ShownAvatar avatar={key.compressed} />;
}

/** A key, unless the operator hides it. */
function ShownAvatar({ avatar }: { avatar: string }) {
  const hidden = useHidden(keyItem(avatar));
  if (hidden === undefined) return <p class="waiting">{t('shell.loading')}</p>;
  if (!hidden) return <Avatar avatar={avatar} />;
  return (
    <>
      <h1 class="key-title">
        <code title={avatar}>{cutInTheMiddle(avatar, 22)}</code>
      </h1>
      <HiddenNotice hidden={hidden} />
    </>
  );
}

/** Accounts that a printed card names. */
const ON_CARD = 5;

function Avatar({ avatar }: { avatar: string }) {
  useTitle(cutInTheMiddle(avatar, 14));
  const live = useLive(avatar);
  const { group, bindings, keys, ...logged } = useBindings({
    avatar,
    version: live.version,
    list: (signal) => readBindings(avatar, signal),
  });
  const { links, lookUp, isWithoutLog } = logged;
  const complete = useComplete({ ...logged, keys }, avatar);
  const content = useContent(avatar, live.version, keys);
  const isMoved = keys.state === 'there' && keys.value?.state.succession != null;
  // Only what the key has signed is shown as its owner's words.
  const hiddenProfile = useHidden(profileItem(avatar));
  const isNamed = content.state === 'ok' && hiddenProfile === null;
  const profile = isNamed ? readProfile({ avatar, proofs: content.entries }) : null;
  const names = bindings.map(({ identity }) => identity);
  const first = bindings.slice(0, ON_CARD);
  const hiddenNames = useAllHidden(first.map(({ platform, identity }) => identityItem(platform, identity)));
  const keyText = <code title={avatar}>{cutInTheMiddle(avatar, 22)}</code>;
  return (
    <>
      <header class="avatar-head">
        <Seal avatar={avatar} size={120} />
        {profile?.picture && <ProfilePicture picture={profile.picture} size={96} />}
        <div>
          <p class="overline">{profile?.name ? keyText : t('look.avatar')}</p>
          <h1 class={profile?.name ? undefined : 'key-title'}>{profile?.name ? <bdi>{profile.name}</bdi> : keyText}</h1>
          {profile && <ProfileWords profile={profile} />}
          {hiddenProfile && <HiddenNotice hidden={hiddenProfile} />}
          <p class="actions">
            <CopyButton text={avatar} label={t('look.copy_key')} />
            <ExportButton avatar={avatar} />
            <a class="button" href={`/recovery/${avatar}`}>
              {t('recovery.title')}
            </a>
            <a href={serviceLink(`${avatarPath(avatar)}.atom`)} data-reload>
              {t('look.news_feed')}
            </a>
            <a href={serviceLink(`${avatarPath(avatar)}.vcf`)} data-reload>
              {t('look.contact_card')}
            </a>
          </p>
          <ShowCode
            label={t('look.show_code')}
            address={location.origin + avatarPath(avatar)}
            card={{
              title: profile?.name ? `“${profile.name}”` : cutInTheMiddle(avatar, 22),
              lines: first
                .filter((_, place) => hiddenNames?.[place] === null)
                .map(({ platform, identity }) => `${platformName(platform)}: ${identity}`),
              avatar,
              picture: profile?.picture ?? null,
            }}
          />
          <TellMe key={avatar} avatar={avatar} />
        </div>
      </header>
      {keys.state === 'failed' && <Failure error={keys.error} />}
      {keys.state === 'there' && keys.value && <KeyBanner keys={keys.value} />}
      <Summary links={links} isWithoutLog={isWithoutLog} complete={complete} />
      <section class="bindings">
        <h2>{t('look.bindings')}</h2>
        {group.state === 'waiting' && <p class="waiting">{t('shell.loading')}</p>}
        {group.state === 'failed' && <Failure error={group.error} again={group.again} />}
        {group.state === 'there' && bindings.length === 0 && <p class="quiet">{t('look.no_bindings')}</p>}
        {group.state === 'there' && group.value && !isMoved && (
          <ReboundNote avatar={avatar} group={group.value} version={live.version} />
        )}
        <ul>
          {bindings.map((binding) => (
            <BindingRow
              key={`${binding.platform} ${binding.identity}`}
              binding={binding}
              version={live.version}
              others={names}
            />
          ))}
        </ul>
      </section>
      <section class="links">
        <h2>{t('look.chain')}</h2>
        <p class="quiet">{t('look.chain_text')}</p>
        {links.error !== undefined && <Failure error={links.error} />}
        <LinkChain links={links.items} onUnfold={lookUp} />
      </section>
      <ContentSection avatar={avatar} read={content} profile={profile} />
      <LiveList live={live} />
    </>
  );
}

/** The verdict on the whole chain, before anything is unfolded. */
function Summary({
  links,
  isWithoutLog,
  complete,
}: {
  links: CheckedList<{ erased?: unknown }>;
  isWithoutLog: boolean;
  complete: ShownStep | null;
}) {
  // What the log alone does not bear out was signed as it should be: LogSummary says it.
  const isFailed = ({ name, state }: ShownStep) => state === 'failed' && name !== 'log';
  const failed = links.items.filter(({ steps }) => steps.some(isFailed)).length;
  const count = links.items.length;
  const isWrongTime = ({ name, state }: ShownStep) => name === 'time' && state !== 'ok';
  const wrongTimes = links.items.filter(({ steps }) => steps.some(isWrongTime)).length;
  const state = stateOf(links, failed);
  const text = summaryText(links, failed);
  useAnnounced(state === 'waiting' ? null : text);
  return (
    <div class="summary">
      <CheckedHere state={state}>{text}</CheckedHere>
      {wrongTimes > 0 && (
        <CheckedHere state="not_checkable">{t('look.links_wrong_clock', { count: wrongTimes })}</CheckedHere>
      )}
      {isWithoutLog ? <CheckedHere state="not_checkable">{t('log.none')}</CheckedHere> : <LogSummary links={links} />}
      {complete && (
        <CompletenessVerdict
          step={complete}
          ok={count > 0 ? t('look.links_complete', { count }) : t('look.nothing_signed_proved')}
          failed={t('look.links_left_out')}
        />
      )}
      {links.isComplete && links.total > 0 && !complete && (
        <ServerSays>
          {t(isWithoutLog ? 'look.server_total_alone' : 'look.server_total', { count: links.total })}
        </ServerSays>
      )}
      {!links.isComplete && links.error === undefined && count > 0 && (
        <progress value={count} max={Math.max(links.total, count)} aria-label={t('look.checking')} />
      )}
    </div>
  );
}

/** What the log shows of the chain, once something was held against it. */
function LogSummary({ links: { items } }: { links: CheckedList<unknown> }) {
  const steps = items.flatMap(({ steps: own }) => own.filter(({ name }) => name === 'log'));
  const logged = steps.filter(({ state }) => state === 'ok').length;
  if (steps.length === 0) return null;
  const state = worstOf(steps.map((step) => step.state));
  const count = { count: items.length, asked: steps.length, logged };
  const denied = steps.find(({ text }) => text !== undefined)?.text;
  return (
    <CheckedHere state={state}>
      {denied ?? t(steps.length < items.length ? 'look.logged_in_part' : 'look.logged', count)}{' '}
      <a href="/transparency">{t('steps.about_log')}</a>
    </CheckedHere>
  );
}

function stateOf({ isComplete, error, items }: CheckedList<{ erased?: unknown }>, failed: number): CheckState {
  if (failed > 0) return 'failed';
  if (error !== undefined) return 'not_checkable';
  if (!isComplete) return 'waiting';
  return items.every(({ item }) => item.erased) ? 'not_checkable' : 'ok';
}

function summaryText({ isComplete, error, items }: CheckedList<{ erased?: unknown }>, failed: number): string {
  if (failed > 0) return t('look.links_fail', { count: failed });
  if (error !== undefined) return t('look.chain_not_read');
  if (!isComplete) return t('look.checking');
  const erased = items.filter(({ item }) => item.erased).length;
  if (erased > 0) return t('look.links_erased', { count: erased });
  return items.length === 0 ? t('look.no_links') : t('look.links_ok', { count: items.length });
}
