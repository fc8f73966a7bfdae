import type { KvContent } from '@signet/sdk';
import { applyMergePatch, findAvatarKey } from '@signet/verify';
import { useEffect, useId, useState } from 'preact/hooks';
import { SignedText, useConfirmation } from '../bind/signed-text.js';
import { t } from '../i18n/i18n.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';
import { WalletError } from '../keys/wallet-choice.js';
import { platformName } from '../parts/names.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { useServiceName } from '../shell/platforms.js';
import { NO_CHANGES, patchOf, ValueForm } from './value-form.js';

type Entry = KvContent['proofs'][number];

interface Props {
  keyInUse: KeyInUse;
  entries: Entry[];
  onChanged: (content: KvContent) => void;
}

/** Which entry is changed: the key's own, or one for an identity. */
interface Target {
  platform: string;
  identity: string;
}

/** What the field holds at first, and again after a change. */
const NO_PATCH = '{\n  \n}';

/** A change as names and values, or as a merge patch with what comes of it; and the text that is signed for it. */
export function PatchEditor({ keyInUse, entries, onChanged }: Props) {
  const id = useId();
  const targets = useTargets(keyInUse.signer.avatar, entries);
  const [index, setIndex] = useState(0);
  const [isJson, setJson] = useState(false);
  const [text, setText] = useState(NO_PATCH);
  const [changes, setChanges] = useState(NO_CHANGES);
  const target = targets[index];
  const current = entries.find((entry) => entry.platform === target?.platform && entry.identity === target.identity);
  const content = (current?.content ?? {}) as Record<string, unknown>;
  const patch = isJson ? readPatch(text) : patchOf(changes, content);
  const { sign, error, isBusy, confirmation } = useSigning(keyInUse, (all) => {
    onChanged(all);
    setText(NO_PATCH);
    setChanges(NO_CHANGES);
    announce(t('kv.changed'));
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (target && patch) void sign(target, patch);
  };
  return (
    <form class="fields patch-editor" onSubmit={submit}>
      {targets.length > 1 && (
        <>
          <label for={id}>{t('kv.entry')}</label>
          <select
            id={id}
            value={index}
            onChange={(event) => {
              setIndex(Number(event.currentTarget.value));
              setChanges(NO_CHANGES);
            }}
          >
            {targets.map(({ platform, identity }, number) => (
              <option key={`${platform} ${identity}`} value={number}>
                {isKey(identity) ? t('look.key_itself') : `${platformName(platform)}: ${identity}`}
              </option>
            ))}
          </select>
        </>
      )}
      <label class="check">
        <input type="checkbox" checked={isJson} onChange={(event) => setJson(event.currentTarget.checked)} />
        <span>{t('kv.as_json')}</span>
      </label>
      {isJson ? (
        <>
          <PatchField text={text} isPatch={patch !== null} onText={setText} />
          <h3>{t('kv.result')}</h3>
          <pre class="fixed" tabIndex={0} dir="ltr" aria-label={t('kv.result')}>
            {patch === null ? '…' : JSON.stringify(applyMergePatch(content, patch), null, 2)}
          </pre>
        </>
      ) : (
        <ValueForm
          key={index}
          content={content}
          changes={changes}
          isSelf={target !== undefined && isKey(target.identity)}
          onChanges={setChanges}
        />
      )}
      {!isJson && patch === null && <p class="quiet small">{t('kv.nothing_changed')}</p>}
      <button type="submit" class="primary" disabled={isBusy || patch === null || !target}>
        {t('kv.sign')}
      </button>
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
    </form>
  );
}

/** Signs and sends a patch once the person has agreed to its text. `onChanged` gets all content behind it. */
function useSigning(keyInUse: KeyInUse, onChanged: (content: KvContent) => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirmation = useConfirmation();
  const sign = async (target: Target, patch: object) => {
    setBusy(true);
    setError(null);
    try {
      const signer = confirming(keyInUse, confirmation);
      onChanged(await client.kv.patch({ ...target, patch, signer }));
    } catch (problem) {
      if (!confirmation.isCancelled(problem)) setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { sign, error, isBusy, confirmation };
}

interface PatchFieldProps {
  text: string;
  /** Whether the text can be applied. */
  isPatch: boolean;
  onText: (text: string) => void;
}

/** The field for the patch, and what is wrong with its text. */
function PatchField({ text, isPatch, onText }: PatchFieldProps) {
  const id = useId();
  return (
    <>
      <label for={`${id}-patch`}>{t('kv.patch')}</label>
      <p class="quiet small" id={`${id}-help`}>
        {t('kv.patch_help')}
      </p>
      <textarea
        id={`${id}-patch`}
        rows={8}
        dir="ltr"
        spellcheck={false}
        value={text}
        aria-describedby={`${id}-help ${id}-problem`}
        aria-invalid={!isPatch}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem-text" role="status">
        {isPatch ? '' : t('kv.not_json')}
      </p>
    </>
  );
}

/** The key's own entry, those that there are, and the identities that are bound. */
function useTargets(avatar: string, entries: Entry[]): Target[] {
  const serviceName = useServiceName();
  const [bound, setBound] = useState<Target[]>([]);
  useEffect(() => {
    client.proofs.of(avatar).then(
      (group) => setBound(group?.proofs ?? []),
      () => setBound([]),
    );
  }, [avatar]);
  const own = serviceName === null ? [] : [{ platform: serviceName, identity: findAvatarKey(avatar)!.uncompressed }];
  const all = [...own, ...entries, ...bound].map(({ platform, identity }) => ({ platform, identity }));
  return all.filter(
    (one, index) =>
      index === all.findIndex((other) => other.platform === one.platform && other.identity === one.identity),
  );
}

function isKey(identity: string): boolean {
  return findAvatarKey(identity) !== null;
}

/** A JSON object, or null. */
function readPatch(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
