import { SignetError } from '@signet/sdk';
import { keyFor, t } from '../i18n/i18n.js';
import { WalletError } from '../keys/wallet-choice.js';
import { messageOf } from '../parts/failure.js';

/** What went wrong while something was said about keys: what the rules refuse has an advice of its own. */
export function KeyFailure({ error }: { error: unknown }) {
  const advice = error instanceof SignetError ? keyFor('recovery.advice_', error.code) : null;
  if (advice === null) return <WalletError error={error} />;
  return (
    <div class="failure" role="alert">
      <p>{t(advice)}</p>
      <p class="quiet small" lang="en">
        {messageOf(error)}
      </p>
    </div>
  );
}
