import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { readBindings } from '../look/use-bindings.js';
import { client } from '../shell/api.js';
import { useAnswer } from '../shell/use-answer.js';
import './style.js';

/** Bindings from which on a key is worth a recovery key. */
const WORTH = 3;
const TOLD = 'signet-recovery-told';

/** Tells whoever has a third account, or a new passkey, without recovery keys what they are, once for each key. */
export default function RecoveryHint({ avatar }: { avatar: string }) {
  const [wasTold] = useState(() => isTold(avatar));
  const key = useCurrentKey();
  // A passkey lives and dies with this host name, so nothing is waited for.
  const isPasskey = key?.kind === 'passkey' && key.isNew === true;
  const least = isPasskey ? 1 : WORTH;
  const answer = useAnswer(async (signal) => !wasTold && (await isUnprepared(avatar, least, signal)), [avatar, least]);
  const isShown = answer.state === 'there' && answer.value;
  useEffect(() => {
    if (isShown) noteTold(avatar);
  }, [isShown, avatar]);
  if (!isShown) return null;
  return (
    <section class="recovery-hint">
      <p>{t(isPasskey ? 'recovery.hint_passkey' : 'recovery.hint')}</p>
      <a class="button" href={`/recovery/${avatar}`}>
        {t('recovery.choose')}
      </a>
    </section>
  );
}

/** Whether the key holds enough, and never said anything about recovery keys. */
async function isUnprepared(avatar: string, least: number, signal: AbortSignal): Promise<boolean> {
  const group = await readBindings(avatar, signal);
  if ((group?.proofs_total ?? 0) < least) return false;
  return (await client.keys.chain(avatar, { signal }).page(1)).total === 0;
}

/** A browser may forbid storage; then it is told again on the next visit. */
function isTold(avatar: string): boolean {
  try {
    return localStorage.getItem(`${TOLD} ${avatar}`) !== null;
  } catch {
    return false;
  }
}

function noteTold(avatar: string): void {
  try {
    localStorage.setItem(`${TOLD} ${avatar}`, 'yes');
  } catch {
    // Nothing is lost.
  }
}
