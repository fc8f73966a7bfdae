import { WALLET_PLATFORMS } from '@signet/verify';
import { useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { confirming, useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { WalletError } from '../keys/wallet-choice.js';
import { Identity, platformName } from '../parts/names.js';
import { Problem } from '../parts/problem.js';
import { announce } from '../shell/announce.js';
import { client } from '../shell/api.js';
import { useTitle } from '../shell/frame.js';
import { avatarPath, type Place } from '../shell/router.js';
import { focusOnAppearance } from '../shell/focus.js';
import { SignedText, useConfirmation } from './signed-text.js';

/** `/revoke/<platform>/<identity>?avatar=<key>`: takes a binding back, by the key that made it. */
export default function RevokeView({ parts: [platform = '', identity = ''], query }: Place) {
  useTitle(t('bind.revoke_title'));
  const key = useCurrentKey();
  const [isDone, setDone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirmation = useConfirmation();
  if (platform === '' || identity === '') {
    return <Problem title={t('shell.unknown_page')} text={t('shell.unknown_page_text')} />;
  }
  const wanted = query.get('avatar') ?? undefined;
  const name = { identity: <Identity name={identity} />, platform: platformName(platform) };
  const revoke = async () => {
    setBusy(true);
    setError(null);
    try {
      await client.unbind({ platform, identity, signer: confirming(key!, confirmation) });
      setDone(true);
      announce(t('bind.revoked'));
    } catch (problem) {
      if (!confirmation.isCancelled(problem)) setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const isRightKey = key !== null && (wanted === undefined || wanted === key.signer.avatar);
  return (
    <>
      <h1>{t('bind.revoke_title')}</h1>
      {isDone ? (
        <section class="done">
          <div>
            <h2 tabIndex={-1} ref={focusOnAppearance}>
              {t('bind.revoked')}
            </h2>
            <p>{rich('bind.revoked_text', name)}</p>
            {!WALLET_PLATFORMS.includes(platform) && <p>{t('bind.revoked_post')}</p>}
            <a class="button" href={avatarPath(key!.signer.avatar)}>
              {t('bind.see_key')}
            </a>
          </div>
        </section>
      ) : (
        <>
          <p>{rich('bind.revoke_text', name)}</p>
          <KeyStep wanted={wanted} />
          {isRightKey && (
            <button type="button" class="primary" disabled={isBusy} onClick={() => void revoke()}>
              {t('bind.revoke')}
            </button>
          )}
          <SignedText confirmation={confirmation} />
          <WalletError error={error} />
        </>
      )}
    </>
  );
}
