import type { KvContent } from '@signet/sdk';
import { applyMergePatch, findAvatarKey } from '@signet/verify';
import { useEffect, useId, useState } from 'preact/hooks';
import { SignedText, useConfirmation } from '../bind/signed-text.js';
import { t } from '../i18n/i18n.js';
import { confirming, type KeyInUse } from '../keys/key-in-use.js';
import { WalletError } from '../keys/key-step.js';
import { platformName } from '../parts/names.js';
import { announce } from '../shell/announce.js';
import { client, useServiceName } from '../shell/api.js';

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

/** A merge patch, the content that comes of it, and the text that is signed for it. */
export function PatchEditor({ keyInUse, entries, onChanged }: Props) {
  const id = useId();
  const targets = useTargets(keyInUse.signer.avatar, entries);
  const [index, setIndex] = useState(0);
  const [text, setText] = useState('{\n  \n}');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirmation = useConfirmation();
  const target = targets[index];
  const patch = readPatch(text);
  const current = entries.find((entry) => entry.platform === target?.platform && entry.identity === target.identity);
  const sign = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!target || !patch) return;
    setBusy(true);
    setError(null);
    try {
      const signer = confirming(keyInUse, confirmation.confirm);
      onChanged(await client.kv.patch({ ...target, patch, signer }));
      setText('{\n  \n}');
      announce(t('kv.changed'));
    } catch (problem) {
      if (!confirmation.isCancelled(problem)) setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="fields patch-editor" onSubmit={(event) => void sign(event)}>
      <label for={`${id}-entry`}>{t('kv.entry')}</label>
      <select id={`${id}-entry`} value={index} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
        {targets.map(({ platform, identity }, number) => (
          <option key={`${platform} ${identity}`} value={number}>
            {isKey(identity) ? t('kv.self') : `${platformName(platform)}: ${identity}`}
          </option>
        ))}
      </select>
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
        aria-invalid={patch === null}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem-text" role="status">
        {patch === null ? t('kv.not_json') : ''}
      </p>
      <h3>{t('kv.result')}</h3>
      <pre class="fixed" tabIndex={0} dir="ltr" aria-label={t('kv.result')}>
        {patch === null ? '…' : JSON.stringify(applyMergePatch(current?.content ?? {}, patch), null, 2)}
      </pre>
      <button type="submit" class="primary" disabled={isBusy || patch === null || !target}>
        {t('kv.sign')}
      </button>
      <SignedText confirmation={confirmation} />
      <WalletError error={error} />
    </form>
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
