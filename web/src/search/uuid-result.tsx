import { SignetError } from '@signet/sdk';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { avatarPath, navigate } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';

/** Leads from the uuid of a link or patch to the page of the key that signed it. */
export function UuidResult({ uuid }: { uuid: string }) {
  const answer = useAnswer(async (signal) => (await import('../log/log-check.js')).avatarOfUuid(uuid, signal), [uuid]);
  const avatar = answer.state === 'there' ? answer.value : null;
  useEffect(() => {
    if (avatar !== null) navigate(avatarPath(avatar), { replace: true });
  }, [avatar]);
  if (answer.state === 'failed' && isWithoutLog(answer.error)) {
    return <p class="quiet">{t('look.no_uuid_without_log')}</p>;
  }
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  return <p class="quiet">{t(answer.state === 'there' && avatar === null ? 'look.no_uuid' : 'look.searching')}</p>;
}

/** The log is what leads from a uuid to its key. */
function isWithoutLog(error: unknown): boolean {
  return error instanceof SignetError && error.code === 'no_log';
}
