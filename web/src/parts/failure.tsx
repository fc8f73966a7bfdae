import { SignetError, UnreachableError } from '@signet/sdk';
import { keyFor, t } from '../i18n/i18n.js';

/** A request that failed: the sentence of the server, what to do next, and the id that its operator can find. */
export function Failure({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  return (
    <div class="failure" role="alert">
      <p>{messageOf(error)}</p>
      <p class="quiet small">{adviceOf(error)}</p>
      {again && (
        <button type="button" onClick={again}>
          {t('shell.try_again')}
        </button>
      )}
    </div>
  );
}

/**
 * What an error says. Wallets reject with whatever they have: errors, objects with a message, words, and nothing; what
 * says nothing becomes a sentence of this page.
 */
export function messageOf(error: unknown): string {
  if (error instanceof UnreachableError) return t('shell.unreachable');
  const said: unknown = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return typeof said === 'string' && said.trim() !== '' ? said : t('shell.failed_in_silence');
}

/** What to do next, by the code of the server's table; then what would help its operator. */
function adviceOf(error: unknown): string {
  if (!(error instanceof SignetError)) return '';
  const isFinding = error.code === 'log_fork' || error.code === 'receipt_broken';
  const ownAdvice = keyFor('shell.advice_', isFinding ? 'verification_failed' : error.code);
  const advice = t(ownAdvice ?? (error.retryable ? 'shell.advice_retry' : 'shell.advice_other'));
  return error.requestId === undefined ? advice : `${advice} (${error.code}, ${error.requestId})`;
}
