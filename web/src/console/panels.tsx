import { t } from '../i18n/i18n.js';
import { Time } from '../parts/time.js';
import type {
  Archive,
  Circuit,
  DayOfUse,
  DeadLetter,
  Delivery,
  ParkedEvent,
  Queue,
  RecheckProgress,
} from './admin-answers.js';
import { Plots } from './plots.js';
import { type Column, Records } from './records.js';
import { HidingPanel } from './hiding-panel.js';
import { WebhookPanel } from './webhook-panel.js';

/** Everything that an operator looks at, a panel each. */
export function ConsolePanels({ token, leave }: { token: string; leave: () => void }) {
  return (
    <>
      <p>
        <button type="button" onClick={leave}>
          {t('console.leave')}
        </button>
      </p>
      <Plots />
      <CheckPanels token={token} />
      <HidingPanel token={token} />
      <WebhookPanels token={token} />
      <WorkPanels token={token} />
    </>
  );
}

/** Rechecks of posts, and the platforms that are not asked for a while. */
function CheckPanels({ token }: { token: string }) {
  return (
    <>
      <Records
        token={token}
        title={t('console.rechecks')}
        text={t('console.rechecks_text')}
        path="revalidation"
        read={({ total, platforms }: { total: RecheckProgress; platforms: Record<string, RecheckProgress> }) => [
          { name: t('console.all'), ...total },
          ...Object.entries(platforms).map(([name, progress]) => ({ name, ...progress })),
        ]}
        columns={RECHECKS}
        nameOf={({ name }) => name}
        actions={[
          {
            text: t('console.recheck_invalid'),
            forAll: () => ({ path: 'revalidation', body: { all_invalid: true } }),
          },
        ]}
      />
      <Records
        token={token}
        title={t('console.platform_use')}
        text={t('console.platform_use_text')}
        path="platform-use"
        read={({ days }: { days: DayOfUse[] }) => days}
        columns={PLATFORM_USE}
        nameOf={({ day, platform }) => `${day} ${platform}`}
      />
      <Records
        token={token}
        title={t('console.circuits')}
        text={t('console.circuits_text')}
        path="circuits"
        read={({ circuits }: { circuits: Circuit[] }) => circuits}
        columns={CIRCUITS}
        nameOf={({ key }) => key}
        actions={[{ text: t('console.reset'), forOne: ({ key }) => ({ path: 'circuits/reset', body: { key } }) }]}
      />
    </>
  );
}

/** Subscriptions to events, and what could not be delivered. */
function WebhookPanels({ token }: { token: string }) {
  return (
    <>
      <WebhookPanel token={token} />
      <Records
        token={token}
        title={t('console.deliveries')}
        text={t('console.deliveries_text')}
        path="deliveries"
        read={({ deliveries }: { deliveries: Delivery[] }) => deliveries}
        columns={DELIVERIES}
        nameOf={({ id }) => id}
        actions={[{ text: t('console.redeliver'), forOne: ({ id }) => ({ path: `deliveries/${id}/replay` }) }]}
      />
      <Records
        token={token}
        title={t('console.dead_letters')}
        text={t('console.dead_letters_text')}
        path="dead-letters"
        read={({ dead_letters }: { dead_letters: DeadLetter[] }) => dead_letters}
        columns={DEAD_LETTERS}
        nameOf={({ id }) => id}
        actions={[
          { text: t('console.replay'), forOne: ({ id }) => ({ path: `dead-letters/${id}/replay` }) },
          { text: t('console.forget'), forOne: ({ id }) => ({ path: `dead-letters/${id}`, method: 'DELETE' }) },
        ]}
      />
    </>
  );
}

/** Work that waits: events, jobs and uploads. */
function WorkPanels({ token }: { token: string }) {
  return (
    <>
      <Records
        token={token}
        title={t('console.parked')}
        text={t('console.parked_text')}
        path="parked-events"
        read={({ parked_events }: { parked_events: ParkedEvent[] }) => parked_events}
        columns={PARKED}
        nameOf={({ handler, position }) => `${handler} ${position}`}
        actions={[
          { text: t('console.replay'), forOne: (event) => ({ path: `${parkedPath(event)}/replay` }) },
          { text: t('console.forget'), forOne: (event) => ({ path: parkedPath(event), method: 'DELETE' }) },
        ]}
      />
      <Records
        token={token}
        title={t('console.jobs')}
        text={t('console.jobs_text')}
        path="jobs"
        read={({ queues }: { queues: Queue[] }) => queues}
        columns={QUEUES}
        nameOf={({ queue }) => queue}
      />
      <Records
        token={token}
        title={t('console.archive')}
        text={t('console.archive_text')}
        path="archive"
        read={(archive: Archive) => [archive]}
        isOn={({ store }) => store !== 'none'}
        columns={ARCHIVE}
        nameOf={({ store }) => store}
      />
    </>
  );
}

function parkedPath({ handler, position }: ParkedEvent): string {
  return `parked-events/${encodeURIComponent(handler)}/${position}`;
}

/** A moment, or nothing for `""`. */
function moment(seconds: string) {
  return seconds === '' ? '' : <Time seconds={seconds} />;
}

const RECHECKS: Column<RecheckProgress & { name: string }>[] = [
  ['platform', ({ name }) => name],
  ['due', ({ due }) => due],
  ['done', ({ done }) => done],
  ['failed', ({ failed }) => failed],
  ['rate', ({ rate_per_minute: rate }) => rate],
];
const PLATFORM_USE: Column<DayOfUse>[] = [
  ['day', ({ day }) => day],
  ['platform', ({ platform }) => platform],
  ['requests', ({ requests }) => requests],
  ['paid_reads', ({ paid_reads }) => paid_reads],
  ['cost', ({ cost }) => cost ?? ''],
];
const CIRCUITS: Column<Circuit>[] = [
  ['host', ({ key }) => <bdi>{key}</bdi>],
  ['state', ({ state }) => <strong class={state === 'closed' ? '' : 'trouble'}>{state}</strong>],
  ['failures', ({ failures }) => failures],
  ['open_until', ({ open_until }) => moment(open_until)],
];
const DELIVERIES: Column<Delivery>[] = [
  ['type', ({ type }) => type],
  ['state', ({ status }) => <strong class={status === 'failed' ? 'trouble' : ''}>{status}</strong>],
  ['attempts', ({ attempts }) => attempts],
  ['last_answer', ({ last_status: status, last_error: error }) => error || (status === 0 ? '' : status)],
  ['last_attempt', ({ last_attempt_at }) => moment(last_attempt_at)],
  ['next_attempt', ({ next_attempt_at }) => moment(next_attempt_at)],
];
const DEAD_LETTERS: Column<DeadLetter>[] = [
  ['queue', ({ queue }) => queue],
  ['error', ({ error }) => <bdi>{error}</bdi>],
  ['failed_at', ({ failed_at }) => moment(failed_at)],
];
const PARKED: Column<ParkedEvent>[] = [
  ['listener', ({ handler }) => handler],
  ['position', ({ position }) => position],
  ['type', ({ type }) => type],
  ['error', ({ error }) => <bdi>{error}</bdi>],
  ['parked_at', ({ parked_at }) => moment(parked_at)],
];
const QUEUES: Column<Queue>[] = [
  ['queue', ({ queue }) => queue],
  ['waiting', ({ waiting }) => waiting],
  ['running', ({ running }) => running],
  ['dead', ({ dead }) => dead],
];
const ARCHIVE: Column<Archive>[] = [
  ['store', ({ store }) => store],
  ['confirmed', ({ confirmed }) => confirmed],
  ['unconfirmed', ({ unconfirmed }) => unconfirmed],
  ['unsent', ({ unsent }) => unsent],
  ['unsigned', ({ unsigned }) => unsigned],
  ['oldest', ({ oldest_signed_at }) => moment(oldest_signed_at)],
  [
    'balance',
    ({ wallet_balance: balance, is_balance_low: isLow }) => <span class={isLow ? 'trouble' : ''}>{balance}</span>,
  ],
  ['error', ({ last_error }) => <bdi>{last_error}</bdi>],
];
