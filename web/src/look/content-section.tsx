import { type KvPatch, type KvContent, type Profile } from '@signet/sdk';
import { canonicalJson, findAvatarKey, replayPatches, type SignedPatch } from '@signet/verify';
import type { Succession } from '@signet/verify/key-events';
import { rich, t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { cutInTheMiddle, Identity, platformName } from '../parts/names.js';
import { CheckedHere, ServerSays, type CheckState } from '../parts/signs.js';
import { shareOutPictures, ValueList, withoutMember } from '../parts/value-list.js';
import { client } from '../shell/api.js';
import type { KeysRead } from '../recovery/keys-of.js';
import { type Asked, useAnswer } from '../shell/use-answer.js';
import { isUnsigned, PatchChain } from '../chain/chain-list.js';
import { identityItem, profileItem, useHidden } from './hidden.js';
import { HiddenNotice } from './hidden-notice.js';
import { useOneMoment } from './one-moment.js';
import { ownPatches } from './use-profile.js';
import { type CheckedList, readPatches, usePatches } from '../chain/use-chain.js';

type Entry = Pick<KvContent['proofs'][number], 'platform' | 'identity' | 'content' | 'incomplete'>;

interface ContentProps {
  avatar: string;
  /** Of `useContent`. */
  read: ReturnType<typeof useContent>;
  /** What the head of the page shows already; null where it shows none. */
  profile: Profile | null;
}

/** What a key has written, what its signed patches add up to, and the patches themselves. */
export function ContentSection({ avatar, read: { content, patches, entries: all, state }, profile }: ContentProps) {
  const entries = profile ? withoutProfile(all, avatar, profile) : all;
  const hasPatches = patches.items.length > 0;
  const signed = patches.items.length;
  const erased = patches.items.filter(({ item }) => item.erased).length;
  // What an erased change said is not known, so nothing shows that this is all.
  const isGapped = state === 'ok' && erased > 0;
  const apps = appsOf(patches.items);
  const pictures = shareOutPictures(entries.map((entry) => entry.content));
  return (
    <section class="content">
      <h2>{t('look.content')}</h2>
      {patches.error !== undefined && <Failure error={patches.error} />}
      {content.state === 'failed' && <Failure error={content.error} again={content.again} />}
      {patches.isComplete && !hasPatches && <p class="quiet">{t('look.no_content')}</p>}
      <p>
        <a href={`/kv/${avatar}`}>{t('kv.change_button')}</a>
      </p>
      {hasPatches && (
        <>
          <CheckedHere state={isGapped ? 'not_checkable' : state}>
            {isGapped ? t('look.content_erased', { count: erased }) : t(`look.content_${state}`, { count: signed })}
          </CheckedHere>
          {apps.length > 0 && state === 'ok' && (
            <p class="quiet small">{rich('look.content_apps', { apps: <bdi>{apps.join(', ')}</bdi> })}</p>
          )}
          <ul class="entries">
            {entries.map((entry, place) => (
              <li key={`${entry.platform} ${entry.identity}`}>
                {isOwn(entry.identity, avatar) ? (
                  <OwnEntry entry={entry} avatar={avatar} pictures={pictures[place]!} />
                ) : (
                  <NamedEntry entry={entry} pictures={pictures[place]!} />
                )}
              </li>
            ))}
          </ul>
          <details class="patches">
            <summary>{t('look.patches', { count: patches.items.length })}</summary>
            <PatchChain patches={patches.items} />
          </details>
        </>
      )}
    </section>
  );
}

interface EntryProps {
  entry: KvContent['proofs'][number];
  pictures: number;
}

/** What a key has written of itself, without a profile that the operator hides: the head of the page says so. */
function OwnEntry({ entry, avatar, pictures }: EntryProps & { avatar: string }) {
  const hidden = useHidden(profileItem(avatar));
  if (hidden === undefined) return null;
  return (
    <>
      <h3>{t('look.key_itself')}</h3>
      {entry.incomplete && <p class="caution">{t('look.entry_incomplete')}</p>}
      <ValueList content={hidden ? withoutMember(entry.content, 'profile') : entry.content} pictures={pictures} />
    </>
  );
}

/** What was written under an account, unless the operator hides that. */
function NamedEntry({ entry: { platform, identity, content, is_bound: isBound, incomplete }, pictures }: EntryProps) {
  const hidden = useHidden(identityItem(platform, identity));
  if (hidden === undefined) return null;
  if (hidden) return <HiddenNotice hidden={hidden} />;
  return (
    <>
      <h3>
        <span class="platform">{platformName(platform)}</span> <Identity name={identity} />
      </h3>
      <ServerSays>{t(isBound ? 'look.entry_bound' : 'look.entry_not_bound')}</ServerSays>
      {incomplete && <p class="caution">{t('look.entry_incomplete')}</p>}
      <ValueList content={content} pictures={pictures} />
    </>
  );
}

/** The apps whose keys signed changes, by the origins of their pages, or else by their keys. */
function appsOf(patches: CheckedList<KvPatch>['items']): string[] {
  const signing = patches.flatMap(({ app }) => (app ? [app.origin ?? cutInTheMiddle(app.key, 22)] : []));
  return [...new Set(signing)];
}

/** Whether an entry is that of the key itself, which no platform could bind to it. */
function isOwn(identity: string, avatar: string): boolean {
  return findAvatarKey(identity)?.compressed === avatar;
}

/** Entries without the members of a profile that are shown elsewhere, and without what is empty then. */
function withoutProfile<Shown extends Entry>(entries: Shown[], avatar: string, profile: Profile): Shown[] {
  return entries.flatMap((entry) => {
    if (!isOwn(entry.identity, avatar)) return [entry];
    const { profile: written, ...rest } = entry.content as { profile?: Record<string, unknown> };
    const isHidden = (name: string) => profile[name as keyof Profile] === written?.[name];
    const left = Object.fromEntries(Object.entries(written ?? {}).filter(([name]) => !isHidden(name)));
    const content = { ...rest, ...(Object.keys(left).length > 0 && { profile: left }) };
    return Object.keys(content).length > 0 ? [{ ...entry, content }] : [];
  });
}

/**
 * What the server shows, and the signed patches, both read again where they do not add up.
 * @param keys what the Avatar said about its keys: where another one has come after it, content is that of the last
 *   change which its owner names
 */
export function useContent(avatar: string, version: number, keys: Asked<KeysRead | null>) {
  const areKeysRead = keys.state !== 'waiting';
  const succession = (keys.state === 'there' && keys.value?.ok && keys.value.state.succession) || null;
  const stateWith = (patches: CheckedList<KvPatch>, entries: Entry[]) =>
    areKeysRead ? stateOf(patches, entries, succession) : 'waiting';
  const read = usePatches(avatar, version);
  const hasPatches = read.items.length > 0;
  // Without patches there is no content to ask for.
  const content = useAnswer(
    async (signal) => (hasPatches ? entriesOf(avatar, signal) : null),
    [avatar, hasPatches],
    version,
  );
  const { pair, moment } = useOneMoment(
    content.state === 'there' && content.value ? { outer: content.value, inner: read } : null,
    {
      outer: (signal) => entriesOf(avatar, signal),
      inner: (signal) => readPatches(avatar, signal),
      isSame: (one, other) => textOf(one) === textOf(other),
      // A patch that is wrong by itself is wrong whatever the content is.
      contradicts: ({ outer, inner }) => inner.items.every(({ ok }) => ok) && stateWith(inner, outer) === 'failed',
    },
    { name: `${avatar} ${version}`, isFresh: read.version === version && read.isComplete },
  );
  const unsettled: CheckState = moment === 'reading' ? 'waiting' : 'not_checkable';
  const state = !pair ? 'waiting' : moment === 'settled' ? stateWith(pair.inner, pair.outer) : unsettled;
  return { content, patches: pair?.inner ?? read, entries: pair?.outer ?? [], state };
}

async function entriesOf(avatar: string, signal: AbortSignal): Promise<KvContent['proofs']> {
  return (await client.kv.get(avatar, { signal }))?.proofs ?? [];
}

/** Whether verified patches add up to what the server shows. */
function stateOf(
  { items, isComplete, error }: CheckedList<KvPatch>,
  entries: Entry[],
  succession: Pick<Succession, 'since_patch'> | null,
): CheckState {
  if (items.some(({ ok }) => !ok)) return 'failed';
  if (error !== undefined || items.some(isUnsigned)) return 'not_checkable';
  if (!isComplete) return 'waiting';
  const patches = items.map(({ item }) => item as SignedPatch);
  const replayed = replayPatches(ownPatches(patches, succession));
  return textOf(replayed as Entry[]) === textOf(entries) ? 'ok' : 'failed';
}

function textOf(entries: Entry[]): string {
  return canonicalJson(
    entries
      .map(({ platform, identity, content, incomplete = false }) => [
        ...[platform, identity, canonicalJson(content)],
        String(incomplete),
      ])
      .sort(),
  );
}
