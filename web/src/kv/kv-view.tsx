import type { KvContent } from '@signet/sdk';
import { findAvatarKey } from '@signet/verify';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { type Hidden, identityItem, keyItem, profileItem, useHidden } from '../look/hidden.js';
import { HiddenNotice } from '../look/hidden-notice.js';
import { Failure } from '../parts/failure.js';
import { Identity, KeyText, platformName } from '../parts/names.js';
import { Problem } from '../parts/problem.js';
import { Seal } from '../parts/seal.js';
import { shareOutPictures, ValueList, withoutMember } from '../parts/value-list.js';
import { client } from '../shell/api.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, navigate, type Place } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { PatchEditor } from './patch-editor.js';

type Entry = KvContent['proofs'][number];

/** `/kv/<key>`: the content of an Avatar, and patches for whoever holds its key. `/kv` asks for the key first. */
export default function KvView({ parts: [text], query }: Place) {
  useTitle(t('kv.title'));
  const key = useCurrentKey();
  useEffect(() => {
    if (text === undefined && key) navigate(`/kv/${key.signer.avatar}`, { replace: true });
  }, [text, key]);
  if (text === undefined) {
    return (
      <>
        <h1>{t('kv.title')}</h1>
        <p class="quiet">{t('kv.about')}</p>
        <KeyStep />
      </>
    );
  }
  const avatar = findAvatarKey(text.startsWith('0x') ? text : `0x${text}`)?.compressed;
  return avatar ? (
    <Content avatar={avatar} isChanging={query.has('change')} />
  ) : (
    <Problem title={t('kv.no_key')} text={t('kv.no_key_text')} />
  );
}

/** `isChanging`: whether the form is open from the start, as where somebody is asked for a name. */
function Content({ avatar, isChanging }: { avatar: string; isChanging: boolean }) {
  const key = useCurrentKey();
  const hidden = useHidden(keyItem(avatar));
  const [isEditing, setEditing] = useState(isChanging);
  const [changed, setChanged] = useState<KvContent | null>(null);
  const content = useAnswer((signal) => contentOf(avatar, signal), [avatar]);
  const entries = changed?.proofs ?? (content.state === 'there' ? (content.value?.proofs ?? []) : []);
  const pictures = shareOutPictures(entries.map((entry) => entry.content));
  const isOwn = key?.signer.avatar === avatar;
  return (
    <>
      <h1>{t('kv.title')}</h1>
      <div class="key-shown">
        <Seal avatar={avatar} size={72} />
        <div>
          <KeyText value={avatar} />
          <p>
            <a href={avatarPath(avatar)}>{t('kv.see_page')}</a>
          </p>
        </div>
      </div>
      <section class="entries">
        <h2>{t('kv.content')}</h2>
        {content.state === 'waiting' && <p class="waiting">{t('shell.loading')}</p>}
        {content.state === 'failed' && <Failure error={content.error} again={content.again} />}
        {content.state === 'there' && entries.length === 0 && <p class="quiet">{t('kv.empty')}</p>}
        {hidden && <HiddenNotice hidden={hidden} />}
        {(hidden === null ? entries : []).map((entry, place) => (
          <EntryShown
            key={`${entry.platform} ${entry.identity}`}
            entry={entry}
            avatar={avatar}
            pictures={pictures[place]!}
          />
        ))}
      </section>
      <section class="edit">
        <h2>{t('kv.change')}</h2>
        {!isEditing && (
          <button type="button" onClick={() => setEditing(true)}>
            {t('kv.change_button')}
          </button>
        )}
        {isEditing && <KeyStep wanted={avatar} />}
        {isEditing && isOwn && content.state === 'there' && (
          <PatchEditor keyInUse={key} entries={entries} onChanged={setChanged} />
        )}
      </section>
    </>
  );
}

/** Null where nothing was written: the content of such a key is a 404, which browsers write into their consoles. */
async function contentOf(avatar: string, signal: AbortSignal): Promise<KvContent | null> {
  const { total } = await client.kv.chain(avatar, { signal }).page(1);
  return total === 0 ? null : client.kv.get(avatar, { signal });
}

interface EntryProps {
  entry: Entry;
  avatar: string;
  pictures: number;
}

/** One entry, unless the operator hides its account, or the profile that it holds. */
function EntryShown(props: EntryProps) {
  const { platform, identity } = props.entry;
  const isSelf = findAvatarKey(identity)?.compressed === props.avatar;
  const hidden = useHidden(isSelf ? profileItem(props.avatar) : identityItem(platform, identity));
  if (hidden === undefined) return null;
  if (hidden && !isSelf) return <HiddenNotice hidden={hidden} />;
  return <ShownEntry {...props} isSelf={isSelf} hidden={hidden} />;
}

/** `hidden`: what hides the profile of the key's own entry. */
function ShownEntry({
  entry: { platform, identity, content, is_bound: isBound },
  pictures,
  isSelf,
  hidden,
}: EntryProps & { isSelf: boolean; hidden: Hidden | null }) {
  return (
    <article class="entry">
      <h3>
        {isSelf ? (
          t('look.key_itself')
        ) : (
          <>
            {platformName(platform)} <Identity name={identity} />
          </>
        )}
      </h3>
      {!isBound && <p class="quiet small">{t('kv.not_bound')}</p>}
      {hidden && <HiddenNotice hidden={hidden} />}
      <ValueList content={hidden ? withoutMember(content, 'profile') : content} pictures={pictures} />
    </article>
  );
}
