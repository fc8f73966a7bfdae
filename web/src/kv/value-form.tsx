import { isPicture, profileLine, profileName } from '@signet/verify/profile';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Seen } from '../parts/names.js';
import { ProfilePicture } from '../parts/profile-head.js';

/** Limits of `readProfile`. */
const MAX_NAME = 64;
const MAX_ABOUT = 160;

/** What is to be changed: members by their name, null for one that is to go. */
export interface Changes {
  profile: Record<string, string | null>;
  members: Record<string, string | null>;
}

export const NO_CHANGES: Changes = { profile: {}, members: {} };

/** Changes as a merge patch of what they really change in `content`; null where that is nothing. */
export function patchOf({ profile, members }: Changes, content: Record<string, unknown>): object | null {
  const changed = (wanted: Record<string, string | null>, there: Record<string, unknown>) =>
    Object.entries(wanted).filter(([name, value]) => (value === null ? name in there : there[name] !== value));
  const parts = changed(profile, membersOf(content['profile']));
  const patch = Object.fromEntries([
    ...changed(members, content),
    ...(parts.length > 0 ? [['profile', Object.fromEntries(parts)]] : []),
  ]) as object;
  return Object.keys(patch).length > 0 ? patch : null;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

interface Props {
  content: Record<string, unknown>;
  changes: Changes;
  /** Whether this is the key's own entry, which has a profile. */
  isSelf: boolean;
  onChanges: (changes: Changes) => void;
}

/** Content as names and values. What is not a text is shown as JSON and can be removed. */
export function ValueForm({ content, changes, isSelf, onChanges }: Props) {
  const { profile, members } = changes;
  const setProfile = (name: string, value: string | null) =>
    onChanges({ ...changes, profile: { ...profile, [name]: value } });
  const setMember = (name: string, value: string | null) =>
    onChanges({ ...changes, members: { ...members, [name]: value } });
  const isListed = (name: string) => (members[name] !== null || !(name in members)) && !(isSelf && name === 'profile');
  const names = [...new Set([...Object.keys(content), ...Object.keys(members)])].filter(isListed);
  return (
    <>
      {isSelf && <ProfileFields there={membersOf(content['profile'])} changes={profile} onChange={setProfile} />}
      <fieldset class="values">
        <legend>{t('kv.more')}</legend>
        {names.map((name) => (
          <ValueRow key={name} name={name} value={members[name] ?? content[name]} onValue={setMember} />
        ))}
        <NewValue onValue={setMember} />
      </fieldset>
    </>
  );
}

interface ProfileProps {
  there: Record<string, unknown>;
  changes: Record<string, string | null>;
  onChange: (name: string, value: string | null) => void;
}

function ProfileFields({ there, changes, onChange }: ProfileProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const now = (name: string) => (name in changes ? changes[name] : there[name]);
  const textOf = (name: string) => (typeof now(name) === 'string' ? (now(name) as string) : '');
  const picture = now('picture');
  const choose = async (file: File | undefined) => {
    if (!file) return;
    try {
      const { smallPicture } = await import('./small-picture.js');
      onChange('picture', await smallPicture(file));
      setProblem('');
    } catch {
      setProblem(t('kv.picture_unusable'));
    }
  };
  return (
    <fieldset class="values">
      <legend>{t('kv.profile')}</legend>
      <p class="quiet small">{t('kv.profile_text')}</p>
      <label for={`${id}-name`}>{t('kv.profile_name')}</label>
      <input
        id={`${id}-name`}
        value={textOf('name')}
        maxLength={MAX_NAME}
        dir="auto"
        autocomplete="off"
        aria-invalid={isHidden(profileName, textOf('name')) || undefined}
        aria-describedby={`${id}-name-help ${id}-name-problem`}
        onInput={(event) => onChange('name', event.currentTarget.value.trim() || null)}
      />
      <p class="quiet small" id={`${id}-name-help`}>
        {t('kv.name_help')}
      </p>
      <p class="problem-text" role="status" id={`${id}-name-problem`}>
        {isHidden(profileName, textOf('name')) && t('kv.not_shown')}
      </p>
      <label for={`${id}-about`}>{t('kv.profile_about')}</label>
      <input
        id={`${id}-about`}
        value={textOf('about')}
        maxLength={MAX_ABOUT}
        dir="auto"
        autocomplete="off"
        aria-invalid={isHidden(profileLine, textOf('about')) || undefined}
        aria-describedby={`${id}-about-problem`}
        onInput={(event) => onChange('about', event.currentTarget.value.trim() || null)}
      />
      <p class="problem-text" role="status" id={`${id}-about-problem`}>
        {isHidden(profileLine, textOf('about')) && t('kv.not_shown')}
      </p>
      <label for={`${id}-picture`}>{t('kv.profile_picture')}</label>
      <div class="row">
        {isPicture(picture) && <ProfilePicture picture={picture} size={64} />}
        <input
          id={`${id}-picture`}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={`${id}-picture-help`}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        {typeof picture === 'string' && (
          <button type="button" class="plain" onClick={() => onChange('picture', null)}>
            {t('kv.remove_picture')}
          </button>
        )}
      </div>
      <p class="quiet small" id={`${id}-picture-help`}>
        {t('kv.picture_help')}
      </p>
      <p class="problem-text" role="status">
        {problem}
      </p>
    </fieldset>
  );
}

/** Whether a text would be left out of the profile. */
function isHidden(read: (value: unknown) => string | null, text: string): boolean {
  return text !== '' && read(text) === null;
}

interface RowProps {
  name: string;
  value: unknown;
  onValue: (name: string, value: string | null) => void;
}

function ValueRow({ name, value, onValue }: RowProps) {
  const id = useId();
  return (
    <div class="value-row">
      <label for={id}>
        <bdi>
          <Seen text={name} />
        </bdi>
      </label>
      {typeof value === 'string' ? (
        <input
          id={id}
          value={value}
          dir="auto"
          autocomplete="off"
          onInput={(event) => onValue(name, event.currentTarget.value)}
        />
      ) : (
        <output id={id} dir="ltr">
          <code>{JSON.stringify(value)}</code>
        </output>
      )}
      <button type="button" class="plain" onClick={() => onValue(name, null)}>
        {t('kv.remove', { name })}
      </button>
    </div>
  );
}

/** A name and a value that are put into the list together. */
function NewValue({ onValue }: { onValue: RowProps['onValue'] }) {
  const id = useId();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const add = () => {
    onValue(name.trim(), value);
    setName('');
    setValue('');
  };
  return (
    <div class="value-row">
      <label class="only-read" for={`${id}-name`}>
        {t('kv.value_name')}
      </label>
      <input
        id={`${id}-name`}
        class="value-name"
        value={name}
        placeholder={t('kv.value_name')}
        autocomplete="off"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <label class="only-read" for={`${id}-value`}>
        {t('kv.value')}
      </label>
      <input
        id={`${id}-value`}
        value={value}
        placeholder={t('kv.value')}
        dir="auto"
        autocomplete="off"
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <button type="button" disabled={name.trim() === ''} onClick={add}>
        {t('kv.add_value')}
      </button>
    </div>
  );
}
