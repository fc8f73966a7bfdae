import { SignetError, UnreachableError } from '@signet/sdk';
import { hasText, t } from '../i18n/i18n.js';

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

function messageOf(error: unknown): string {
  if (error instanceof UnreachableError) return t('shell.unreachable');
  return error instanceof Error ? error.message : String(error);
}

/** What to do next, by the code of the server's table; then what would help its operator. */
function adviceOf(error: unknown): string {
  if (!(error instanceof SignetError)) return '';
  const key = `shell.advice_${error.code}`;
  const advice = hasText(key) ? t(key) : t(error.retryable ? 'shell.advice_retry' : 'shell.advice_other');
  return error.requestId === undefined ? advice : `${advice} (${error.code}, ${error.requestId})`;
}
