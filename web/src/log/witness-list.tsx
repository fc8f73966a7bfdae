import type { LogStatus } from '@signet/sdk';
import { rich, t } from '../i18n/i18n.js';
import { CopyButton } from '../parts/copy-button.js';
import { Seen } from '../parts/names.js';
import { CheckedHere, ServerSays } from '../parts/signs.js';
import { Time } from '../parts/time.js';
import type { CheckedWitness } from './read-log.js';

/** Who signs that the log has one history: by the word of the server, and by the signature that was checked here. */
export function WitnessList({ status, witnesses }: { status: LogStatus; witnesses: CheckedWitness[] }) {
  if (witnesses.length === 0) return <p class="caution">{t('log.no_witnesses')}</p>;
  return (
    <>
      {status.policy_met !== null && (
        <ServerSays>
          {status.cosigned ? (
            <strong class="state">{t('log.policy_met', { count: status.cosigned.size })}</strong>
          ) : (
            <strong class="state invalid">{t('log.policy_not_met')}</strong>
          )}
        </ServerSays>
      )}
      <ul class="entries">
        {witnesses.map((witness) => (
          <Witness key={witness.verifier_key} witness={witness} />
        ))}
      </ul>
    </>
  );
}

function Witness({ witness }: { witness: CheckedWitness }) {
  const { name, verifier_key: key, checked, signedAt, size, cosigned_at: cosignedAt, lag, problem } = witness;
  return (
    <li>
      <h3>
        <bdi>
          <Seen text={name} />
        </bdi>
      </h3>
      <CheckedHere state={checked}>
        {signedAt === null
          ? t(reasonOf(witness))
          : rich('log.witness_signed', { time: <Time seconds={signedAt} exact /> })}
      </CheckedHere>
      <ServerSays>
        {cosignedAt === 0
          ? t('log.witness_never')
          : rich('log.witness_last', { count: size, time: <Time seconds={cosignedAt} exact /> })}
        {lag > 0 && cosignedAt > 0 && <> {t('log.witness_lag', { count: lag })}</>}
        {problem !== '' && (
          <>
            {' '}
            <span lang="en">({problem})</span>
          </>
        )}
      </ServerSays>
      <p class="witness-key small quiet">
        <code>{key}</code> <CopyButton text={key} />
      </p>
    </li>
  );
}

/** Why no signature of a witness is shown as correct. */
function reasonOf({ checked, isLookedFor }: CheckedWitness) {
  if (!isLookedFor) return 'look.check_not_checkable';
  return checked === 'failed' ? 'log.witness_wrong' : 'log.witness_not_here';
}
