import type { Check } from '@signet/sdk';
import { WALLET_PLATFORMS } from '@signet/verify';
import { useState } from 'preact/hooks';
import { rich, t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { LettersNotice } from '../parts/letters-notice.js';
import { Identity, platformName, Seen } from '../parts/names.js';
import { PlatformIcon } from '../parts/platform-icon.js';
import { CheckedHere, ServerSays } from '../parts/signs.js';
import { FoldedSteps, type ShownStep, StepList } from '../parts/steps.js';
import { Time } from '../parts/time.js';
import { SeenByOthers } from '../observers/seen-by-others.js';
import { OwnLook } from '../own-look/own-look.js';
import { client } from '../shell/api.js';
import { lazy } from '../shell/lazy.js';
import { identityPath } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { type Binding, isWalletSignatureChecked } from './bindings.js';
import type { Checked } from '../chain/use-chain.js';
import { identityItem, useHidden } from './hidden.js';
import { HiddenNotice } from './hidden-notice.js';
import { HistoryStrip } from './history-strip.js';
import { NewNotice } from './new-notice.js';
import { isWebPage, postPage } from './post-link.js';
import { goneSince } from '@signet/verify/bindings';
import { serverState } from './server-state.js';

/** The newest checks; older ones do not change what is said of the state. */
async function newestChecks({ platform, identity, avatar, proof }: Binding, signal: AbortSignal): Promise<Check[]> {
  if (!proof || WALLET_PLATFORMS.includes(platform)) return [];
  return (await client.proofs.history({ platform, identity, avatar }, { signal }).page(1)).items;
}

/** One line of the list of an Avatar's bindings, unless the operator hides its account. */
export function BindingRow({ binding, ...rest }: { binding: Binding; version: number; others: string[] }) {
  const hidden = useHidden(identityItem(binding.platform, binding.identity));
  if (hidden === undefined) return null;
  if (!hidden) return <ShownRow binding={binding} {...rest} />;
  return (
    <li class="binding">
      <HiddenNotice hidden={hidden} />
    </li>
  );
}

/** Name, what the server says, what was checked here. */
function ShownRow({ binding, version, others }: { binding: Binding; version: number; others: string[] }) {
  const { platform, identity, avatar, made } = binding;
  const history = useAnswer((signal) => newestChecks(binding, signal), [platform, identity, avatar], version);
  return (
    <li class={binding.isVoid ? 'binding void' : 'binding'}>
      <h3>
        <PlatformIcon platform={platform} />{' '}
        <a href={identityPath(platform, identity)}>
          <span class="platform">{platformName(platform)}</span> <Identity name={identity} />
        </a>
      </h3>
      <LettersNotice name={identity} others={others} />
      <NewNotice proof={binding.proof} />
      <ServerState binding={binding} history={history.state === 'there' ? history.value : []} />
      <Verdict binding={binding} />
      {made && !made.ok && <StepList steps={made.steps.filter(({ state }) => state === 'failed')} />}
    </li>
  );
}

/** All that is known of one binding. */
export function BindingDetails({ binding, version }: { binding: Binding; version: number }) {
  const { platform, identity, avatar, made, proof } = binding;
  const history = useAnswer((signal) => newestChecks(binding, signal), [platform, identity, avatar], version);
  const checks = history.state === 'there' ? history.value : [];
  const isWallet = WALLET_PLATFORMS.includes(platform);
  const page = postOf(binding);
  const [post, setPost] = useState<ShownStep | null>(null);
  return (
    <>
      <section class="said">
        <h3>{t('look.server_says')}</h3>
        <ServerState binding={binding} history={checks} />
        <NewNotice proof={binding.proof} />
        <dl class="facts">
          {proof && (
            <>
              <dt>{t('look.bound_on')}</dt>
              <dd>
                <Time seconds={proof.created_at} exact />
              </dd>
              <dt>{t('look.last_checked')}</dt>
              <dd>{isWallet ? t('look.wallets_do_not_age') : <Time seconds={proof.last_checked_at} exact />}</dd>
            </>
          )}
          {page !== null && (
            <>
              <dt>{t('look.post')}</dt>
              <dd>
                <a href={page} target="_blank" rel="noopener noreferrer nofollow">
                  {page}
                </a>
              </dd>
            </>
          )}
        </dl>
        {!isWallet && proof && (
          <>
            {history.state === 'failed' ? <Failure error={history.error} /> : <HistoryStrip checks={checks} />}
            <EvidenceFacts binding={binding} />
          </>
        )}
      </section>
      <section class="checked">
        <h3>{t('look.checked_here')}</h3>
        <Verdict binding={binding} onPost={setPost} />
        <SeenByOthers binding={binding} />
        {made && <FoldedSteps steps={made.steps.map((step) => (step.name === 'post' ? (post ?? step) : step))} />}
      </section>
    </>
  );
}

function ServerState({ binding, history }: { binding: Binding; history: Check[] }) {
  const { proof, isVoid } = binding;
  if (proof && isVoid) return <ServerSays>{t('look.void')}</ServerSays>;
  const state = serverState(proof, history);
  return (
    <ServerSays>
      <strong class={`state ${state}`}>{t(`look.state_${state}`)}</strong>{' '}
      {proof && stateDetail(state, binding, history)}
    </ServerSays>
  );
}

function stateDetail(state: string, { platform, proof }: Binding, history: Check[]) {
  if (!proof) return null;
  const since = goneSince(history);
  if (state === 'gone' && since !== null) return rich('look.since', { time: <Time seconds={since} /> });
  if (state === 'invalid' || state === 'gone') return <span lang="en">{proof.invalid_reason}</span>;
  if (WALLET_PLATFORMS.includes(platform))
    return rich('look.signed_time', { time: <Time seconds={proof.created_at} /> });
  return rich('look.seen_time', { time: <Time seconds={proof.last_checked_at} /> });
}

/** What was checked here, and what only the platform, or the chain of a contract wallet, can show. */
function Verdict({ binding, onPost }: { binding: Binding; onPost?: ((post: ShownStep | null) => void) | undefined }) {
  return (
    <>
      <CheckedHere state={binding.checked}>{checkedSentence(binding)}</CheckedHere>
      {binding.checked === 'ok' && !isWalletSignatureChecked(binding) && (
        <OtherHalf binding={binding} onPost={onPost} />
      )}
      {binding.made?.item.extra.rel === 'me' && <p class="quiet small">{t('look.points_to_key')}</p>}
    </>
  );
}

/** Whether the account agreed: this browser may look at its platform; a contract wallet no page can ask. */
function OtherHalf({ binding, onPost }: { binding: Binding; onPost?: ((post: ShownStep | null) => void) | undefined }) {
  if (WALLET_PLATFORMS.includes(binding.platform)) {
    return <CheckedHere state="not_checkable">{t('steps.wallet_signature_not_checkable')}</CheckedHere>;
  }
  return <OwnLook binding={binding} post={postOf(binding)} onPost={onPost} />;
}

/** The page of the post, where there is one. */
function postOf({ platform, identity, made }: Binding): string | null {
  return postPage({ platform, identity, location: made?.item.proof_location ?? '' });
}

function checkedSentence(binding: Binding): string {
  const { checked, made, proof } = binding;
  if (checked === 'waiting') return t('look.checking');
  if (binding.isVoid && checked !== 'failed') return t('look.signed_after_theft');
  if (checked === 'not_checkable') return t('look.chain_not_read');
  if (!made) return t('look.no_link');
  if (checked === 'failed') return failureOf(made) ?? t('look.link_fails');
  if (!proof) return t('look.left_out');
  return t(isWalletSignatureChecked(binding) ? 'look.both_signed' : 'look.key_signed');
}

/** Why a link fails that was signed as it should be: the log alone does not bear it out. Null for others. */
function failureOf({ steps }: Checked<unknown>): string | null {
  const failed = steps.filter(({ state }) => state === 'failed');
  return failed.every(({ name }) => name === 'log') ? (failed[0]?.text ?? t('look.link_not_in_log')) : null;
}

/** Platforms that sign what they show, of which the proof may have been kept. */
const SIGNING_PLATFORMS = ['dns', 'bluesky'];
const PlatformProof = lazy(() => import('./platform-proof.js'));

function EvidenceFacts({ binding: { platform, identity, avatar, made } }: { binding: Binding }) {
  const [isOpened, setOpened] = useState(false);
  const answer = useAnswer(
    (signal) => client.proofs.evidence({ platform, identity, avatar }, { signal }),
    [platform, identity, avatar],
  );
  if (answer.state !== 'there') return null;
  const { url, seen_at, sha256, account_id, matched_text } = answer.value;
  return (
    <details class="evidence" onToggle={() => setOpened(true)}>
      <summary>{t('look.evidence')}</summary>
      {isOpened && made && SIGNING_PLATFORMS.includes(platform) && (
        <PlatformProof avatar={avatar} link={made.item} evidence={answer.value} />
      )}
      <dl class="facts">
        <dt>{t('look.evidence_read')}</dt>
        <dd>
          {isWebPage(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {url}
            </a>
          ) : (
            <bdi>
              <Seen text={url} />
            </bdi>
          )}
        </dd>
        <dt>{t('look.evidence_when')}</dt>
        <dd>
          <Time seconds={seen_at} exact />
        </dd>
        {account_id !== '' && (
          <>
            <dt>{t('look.account_id')}</dt>
            <dd>
              <code>{account_id}</code>
            </dd>
          </>
        )}
        <dt>SHA-256</dt>
        <dd>
          <code>{sha256}</code>
        </dd>
      </dl>
      {matched_text !== '' && (
        <pre dir="auto">
          <Seen text={matched_text} isLong />
        </pre>
      )}
    </details>
  );
}
