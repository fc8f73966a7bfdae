import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { CopyButton } from '../parts/copy-button.js';
import { announce } from '../shell/announce.js';
import { adminCall } from './admin-api.js';
import type { Subscription, SubscriptionWithSecret } from './admin-answers.js';
import { type Column, Records } from './records.js';

/** The types of events that can be asked for (contract, Events). */
const EVENT_TYPES = [
  'proof.bound',
  'proof.revoked',
  'proof.invalidated',
  'proof.restored',
  'kv.patched',
  'link.archived',
];

const COLUMNS: Column<Subscription>[] = [
  ['url', ({ url }) => <bdi>{url}</bdi>],
  ['types', ({ types }) => (types.length === 0 ? t('console.all') : types.join(', '))],
  ['enabled', ({ enabled, disabled_reason: why }) => (enabled ? '✓' : <span class="trouble">✕ {why}</span>)],
];

/** Webhooks: add, change, pause, delete, rotate the secret, test. Those of the setting WEBHOOKS are changed there. */
export function WebhookPanel({ token }: { token: string }) {
  const [edited, setEdited] = useState<Subscription | 'new' | null>(null);
  const [shown, setShown] = useState<SubscriptionWithSecret | null>(null);
  const [changes, setChanges] = useState(0);
  const path = ({ id }: Subscription) => `subscriptions/${id}`;
  const showSecret = (answer: unknown) => setShown(answer as SubscriptionWithSecret);
  const enable = (enabled: boolean) => (row: Subscription) =>
    row.enabled === enabled ? null : { path: path(row), method: 'PATCH', body: { enabled } };
  return (
    <Records
      token={token}
      title={t('console.webhooks')}
      text={t('console.webhooks_text')}
      path="subscriptions"
      read={({ subscriptions }: { subscriptions: Subscription[] }) => subscriptions}
      columns={COLUMNS}
      nameOf={({ url }) => url}
      changes={changes}
      actions={[
        { text: t('console.test'), forOne: (row) => ({ path: `${path(row)}/test` }) },
        { text: t('console.change'), forOne: (row) => (row.configured ? null : () => setEdited(row)) },
        { text: t('console.pause'), forOne: enable(false) },
        { text: t('console.resume'), forOne: enable(true) },
        {
          text: t('console.rotate'),
          confirm: t('console.rotate_confirm'),
          forOne: (row) => (row.configured ? null : { path: `${path(row)}/rotate`, done: showSecret }),
        },
        {
          text: t('console.delete'),
          confirm: t('console.delete_confirm'),
          forOne: (row) => (row.configured ? null : { path: path(row), method: 'DELETE' }),
        },
      ]}
    >
      {shown && <Secret of={shown} close={() => setShown(null)} />}
      {edited === null ? (
        <button type="button" onClick={() => setEdited('new')}>
          {t('console.add')}
        </button>
      ) : (
        <WebhookForm
          key={edited === 'new' ? 'new' : edited.id}
          token={token}
          of={edited === 'new' ? null : edited}
          close={() => setEdited(null)}
          saved={(answer) => {
            if ('secret' in answer) showSecret(answer);
            setEdited(null);
            setChanges((count) => count + 1);
            announce(t('console.done'));
          }}
        />
      )}
    </Records>
  );
}

/** The secret of a subscription, which the server answers this once. */
function Secret({ of: { url, secret }, close }: { of: SubscriptionWithSecret; close: () => void }) {
  return (
    <div class="webhook-secret" role="status">
      <p>{t('console.secret_text')}</p>
      <p>
        <bdi>{url}</bdi>
      </p>
      <p>
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
      <button type="button" onClick={close}>
        {t('console.secret_kept')}
      </button>
    </div>
  );
}

interface WebhookFormProps {
  token: string;
  /** Null for a new one. */
  of: Subscription | null;
  close: () => void;
  saved: (answer: Subscription | SubscriptionWithSecret) => void;
}

function WebhookForm({ token, of, close, saved }: WebhookFormProps) {
  const [problem, setProblem] = useState('');
  const [format, setFormat] = useState(of?.format ?? 'standard');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => {
      const value = given.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const body = {
      url: text('url'),
      types: given.getAll('types').map(String),
      platform: text('platform'),
      avatar: text('avatar'),
      format: text('format'),
    };
    const path = of ? `subscriptions/${of.id}` : 'subscriptions';
    adminCall<Subscription | SubscriptionWithSecret>(token, path, { method: of ? 'PATCH' : 'POST', body }).then(
      saved,
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <form class="webhook-form" onSubmit={submit} aria-label={of ? t('console.change') : t('console.add')}>
      <label for="webhook-url">{t('console.column_url')}</label>
      <input
        id="webhook-url"
        name="url"
        type="url"
        required
        autocomplete="off"
        placeholder="https://hooks.example.org/signet"
        defaultValue={of?.url ?? ''}
      />
      <fieldset>
        <legend>{t('console.types_text')}</legend>
        {EVENT_TYPES.map((type) => (
          <label key={type} class="choice">
            <input type="checkbox" name="types" value={type} defaultChecked={of?.types.includes(type) ?? false} />{' '}
            {type}
          </label>
        ))}
      </fieldset>
      <label for="webhook-platform">{t('console.only_platform')}</label>
      <input id="webhook-platform" name="platform" autocomplete="off" defaultValue={of?.platform ?? ''} />
      <label for="webhook-avatar">{t('console.only_avatar')}</label>
      <input id="webhook-avatar" name="avatar" autocomplete="off" defaultValue={of?.avatar ?? ''} />
      <label for="webhook-format">{t('console.format')}</label>
      <select
        id="webhook-format"
        name="format"
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value)}
      >
        <option value="standard">Standard Webhooks</option>
        <option value="cloudevents">CloudEvents 1.0</option>
      </select>
      <p role="alert" class="form-problem">
        {problem}
      </p>
      <p>
        <button type="submit" class="primary">
          {t('console.save')}
        </button>{' '}
        <button type="button" onClick={close}>
          {t('console.cancel')}
        </button>
      </p>
    </form>
  );
}
