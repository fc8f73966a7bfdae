import type { LogStatus } from '@signet/sdk';
import { useState } from 'preact/hooks';
import { currentLanguage, t } from '../i18n/i18n.js';
import { CopyButton } from '../parts/copy-button.js';
import { Failure } from '../parts/failure.js';
import { CheckedHere, ServerSays, worstOf } from '../parts/signs.js';
import { StepList } from '../parts/steps.js';
import { Time } from '../parts/time.js';
import { API_URL } from '../shell/service.js';
import { useTitle } from '../shell/frame.js';
import { useAnswer } from '../shell/use-answer.js';
import { EntryList } from './entry-list.js';
import { rememberedHead } from './log-check.js';
import { checkHead, type CheckedHead, checkWitnesses, readLogStatus, rootText } from './read-log.js';
import { WitnessList } from './witness-list.js';

/** `/transparency`: the log of this server, its checkpoint checked here, its witnesses, its newest entries. */
export default function LogView() {
  useTitle(t('log.title'));
  const [version, setVersion] = useState(0);
  const answer = useAnswer(
    async (signal) => {
      const status = await readLogStatus(signal);
      return { status, head: status && (await checkHead(status, signal)) };
    },
    [],
    version,
  );
  return (
    <>
      <h1>{t('log.title')}</h1>
      <p class="lead">{t('log.text')}</p>
      {answer.state === 'waiting' && <p class="waiting">{t('log.checking')}</p>}
      {answer.state === 'failed' && <Failure error={answer.error} again={answer.again} />}
      {answer.state === 'there' &&
        (answer.value.status && answer.value.head ? (
          <Log status={answer.value.status} head={answer.value.head} again={() => setVersion(version + 1)} />
        ) : (
          <NoLog />
        ))}
    </>
  );
}

/** A server without a log, which is an alarm where this browser has seen one of it. */
function NoLog() {
  if (rememberedHead() === null) return <p class="caution">{t('log.none')}</p>;
  return <CheckedHere state="failed">{t('log.denied')}</CheckedHere>;
}

function Log({ status, head, again }: { status: LogStatus; head: CheckedHead; again: () => void }) {
  const { checkpoint, witnessed, steps, fork } = head;
  return (
    <>
      <div class="summary">
        <Verdict head={head} />
        {steps.length > 0 && <StepList steps={steps} />}
        <ServerState status={status} />
        <p>
          <button type="button" onClick={again}>
            {t('log.look_again')}
          </button>
        </p>
      </div>
      {fork && <Fork {...fork} />}
      <Facts status={status} head={head} />
      <section class="witnesses">
        <h2>{t('log.witnesses')}</h2>
        <p class="quiet">{t('log.witnesses_text')}</p>
        <WitnessList status={status} witnesses={checkWitnesses(status.witnesses, witnessed)} />
      </section>
      <section class="entries-of-log">
        <h2>{t('log.newest')}</h2>
        <p class="quiet">{t('log.newest_text')}</p>
        {checkpoint ? <EntryList checkpoint={checkpoint} /> : <p class="quiet">{t('log.no_entries')}</p>}
      </section>
      <Watch verifierKey={status.verifier_key} />
    </>
  );
}

/** One sentence for all that was checked of the checkpoint. */
function Verdict({ head: { checkpoint, steps } }: { head: CheckedHead }) {
  if (steps.length === 0) return <CheckedHere state="not_checkable">{t('log.nothing_signed')}</CheckedHere>;
  if (!checkpoint) return <CheckedHere state="failed">{t('log.not_ok')}</CheckedHere>;
  const isFirst = worstOf(steps.map(({ state }) => state)) !== 'ok';
  return <CheckedHere state="ok">{t(isFirst ? 'log.ok_first' : 'log.ok', { count: checkpoint.size })}</CheckedHere>;
}

/** How the log is, by the word of the server. */
function ServerState({ status: { state, problem, waiting } }: { status: LogStatus }) {
  if (state === 'refused') {
    return (
      <ServerSays>
        <strong class="state invalid">{t('log.refused')}</strong> <span lang="en">{problem}</span>
      </ServerSays>
    );
  }
  if (state === 'catching_up') return <ServerSays>{t('log.catching_up')}</ServerSays>;
  return <ServerSays>{t('log.waiting', { count: waiting })}</ServerSays>;
}

function Facts({ status, head: { checkpoint } }: { status: LogStatus; head: CheckedHead }) {
  return (
    <section class="said">
      <h2>{t('log.facts')}</h2>
      <dl class="facts log-facts">
        <dt>{t('log.origin')}</dt>
        <dd>
          <bdi>{status.origin}</bdi>
        </dd>
        <dt>{t('log.verifier_key')}</dt>
        <dd>
          <code>{status.verifier_key}</code> <CopyButton text={status.verifier_key} />
        </dd>
        {checkpoint && (
          <>
            <dt>{t('log.size')}</dt>
            <dd>{checkpoint.size.toLocaleString(currentLanguage())}</dd>
            <dt>{t('log.root')}</dt>
            <dd>
              <code>{rootText(checkpoint)}</code>
            </dd>
          </>
        )}
        {status.signed_at > 0 && (
          <>
            <dt>{t('log.signed_at')}</dt>
            <dd>
              <Time seconds={status.signed_at} exact />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Two notes that contradict each other: whoever has them can show to others what this log did. */
function Fork({ remembered, shown }: { remembered: string; shown: string }) {
  return (
    <section class="fork">
      <h2>{t('log.fork')}</h2>
      <p>{t('log.fork_text')}</p>
      {(
        [
          ['log.fork_remembered', remembered],
          ['log.fork_shown', shown],
        ] as const
      ).map(([name, note]) => (
        <div key={name}>
          <h3>{t(name)}</h3>
          <pre class="fixed" tabIndex={0} dir="ltr" aria-label={t(name)}>
            {note}
          </pre>
          <CopyButton text={note} label={t('log.copy_note')} />
        </div>
      ))}
    </section>
  );
}

/** Characters that mean nothing to a shell, so that no server can make a command of its own out of its name. */
const PLAIN_KEY = /^[\w./:@+=-]+$/;

/** The command that reads all of the log, with the key that this page has seen. */
function Watch({ verifierKey }: { verifierKey: string }) {
  if (!PLAIN_KEY.test(verifierKey)) return null;
  const command = `signet log audit ${API_URL} --log-key ${verifierKey}`;
  return (
    <section class="watch">
      <h2>{t('log.watch')}</h2>
      <p class="quiet">{t('log.watch_text')}</p>
      <div class="command">
        <pre class="fixed" tabIndex={0} dir="ltr" aria-label={t('log.watch')}>
          {command}
        </pre>
        <CopyButton text={command} label={t('log.copy_command')} />
      </div>
    </section>
  );
}
