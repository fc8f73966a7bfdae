import type { ProofRecord } from '@signet/sdk';
import { t } from '../i18n/i18n.js';

const WEEK_SECONDS = 7 * 24 * 3600;

/** A binding of this week says so: who takes a name that looks like another has not had it for long. */
export function NewNotice({ proof }: { proof: Pick<ProofRecord, 'created_at'> | null }) {
  if (!proof || Date.now() / 1000 - Number(proof.created_at) > WEEK_SECONDS) return null;
  return <p class="quiet small">{t('look.new_binding')}</p>;
}
