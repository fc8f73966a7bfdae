import { t } from '../i18n/i18n.js';
import { useCurrentKey } from '../keys/key-in-use.js';
import { KeyStep } from '../keys/key-step.js';
import { readBindings } from '../look/use-bindings.js';
import { Failure } from '../parts/failure.js';
import { Identity, platformName } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { ServerSays } from '../parts/signs.js';
import { useAnswer } from '../shell/use-answer.js';
import { readRebound } from './rebound.js';
import { WhichKey } from './which-key.js';
import { KeyLink } from './words.js';

/** The door *I have only my accounts*: a new key, and the same accounts connected again. */
export default function AccountsDoor({ avatar }: { avatar: string | null }) {
  return (
    <>
      <p class="lead">{t('recovery.accounts_about')}</p>
      <WhichKey avatar={avatar} door="accounts" />
      {avatar !== null && (
        <>
          <KeyStep />
          <Again avatar={avatar} />
        </>
      )}
    </>
  );
}

/** The accounts of the old key: which another key holds now, and which are to be connected again. */
function Again({ avatar }: { avatar: string }) {
  const key = useCurrentKey();
  const isOld = key?.signer.avatar === avatar;
  const answer = useAnswer(
    async (signal) => {
      const proofs = (await readBindings(avatar, signal))?.proofs ?? [];
      return { proofs, rebound: await readRebound(avatar, proofs, signal) };
    },
    [avatar],
  );
  if (answer.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const { proofs, rebound } = answer.value;
  const holderOf = (one: { platform: string; identity: string }) =>
    rebound.moved.find(({ platform, identity }) => platform === one.platform && identity === one.identity)?.avatar;
  return (
    <section>
      <h2>{t('recovery.connect_again')}</h2>
      <p class="quiet">{t(proofs.length === 0 ? 'look.no_bindings' : 'recovery.connect_again_text')}</p>
      <ul class="accounts-again">
        {proofs.map((proof) => {
          const holder = holderOf(proof);
          const query = new URLSearchParams({ platform: proof.platform, identity: proof.identity });
          return (
            <li key={`${proof.platform} ${proof.identity}`}>
              <span class="named">
                <PlatformIcon platform={proof.platform} />
                <span>
                  <span class="platform">{platformName(proof.platform)}</span> <Identity name={proof.identity} />
                </span>
              </span>
              {holder === undefined ? (
                !isOld && (
                  <a class="button" href={`/bind?${query.toString()}`}>
                    {t('recovery.again')}
                  </a>
                )
              ) : (
                <ServerSays>
                  {t('recovery.held_now')} <KeyLink avatar={holder} />
                </ServerSays>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
