import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { cutInTheMiddle, Seen } from '../parts/names.js';
import { Time } from '../parts/time.js';
import { announce } from '../shell/announce.js';
import type { HiddenRow } from './admin-answers.js';
import { adminCall } from './admin-api.js';
import { type Column, Records } from './records.js';

const nameOf = ({ kind, platform, identity, avatar }: HiddenRow) =>
  kind === 'identity' ? `${platform}:${identity}` : `${kind}:${avatar}`;

const COLUMNS: Column<HiddenRow>[] = [
  [
    'name',
    (row) => (
      <bdi title={nameOf(row)}>
        <Seen text={row.kind === 'identity' ? nameOf(row) : `${row.kind}:${cutInTheMiddle(row.avatar ?? '', 22)}`} />
      </bdi>
    ),
  ],
  ['reason', ({ reason, lifted_reason: lifted }) => <bdi>{lifted === '' ? reason : `${reason} → ${lifted}`}</bdi>],
  ['hidden', ({ hidden_at: at }) => <Time seconds={at} />],
  ['lifted', ({ lifted_at: at }) => (at === '' ? '–' : <Time seconds={at} />)],
];

/** What is hidden from the page, and was: hide something, and show it again. Nothing is erased by it. */
export function HidingPanel({ token }: { token: string }) {
  const [lifted, setLifted] = useState<HiddenRow | null>(null);
  const [changes, setChanges] = useState(0);
  const saved = () => {
    setLifted(null);
    setChanges((count) => count + 1);
    announce(t('console.done'));
  };
  return (
    <Records
      token={token}
      title={t('console.hiding')}
      text={t('console.hiding_text')}
      path="hidden"
      read={({ hidden }: { hidden: HiddenRow[] }) => hidden}
      columns={COLUMNS}
      nameOf={nameOf}
      changes={changes}
      actions={[
        { text: t('console.show_again'), forOne: (row) => (row.lifted_at === '' ? () => setLifted(row) : null) },
      ]}
    >
      {lifted ? (
        <ReasonForm
          key={lifted.id}
          title={`${t('console.show_again')}: ${nameOf(lifted)}`}
          send={(reason) => adminCall(token, `hidden/${lifted.id}/lift`, { method: 'POST', body: { reason } })}
          saved={saved}
        />
      ) : (
        <ReasonForm
          key={`hide ${changes}`}
          title={t('console.hide')}
          hasName
          send={(reason, name) => adminCall(token, 'hidden', { method: 'POST', body: { ...readName(name), reason } })}
          saved={saved}
        />
      )}
    </Records>
  );
}

/** `github:alice`, `key:0x…` or `profile:0x…`. */
function readName(text: string): object {
  const [kind = '', ...rest] = text.trim().split(':');
  const value = rest.join(':');
  return kind === 'key' || kind === 'profile'
    ? { kind, avatar: value }
    : { kind: 'identity', platform: kind, identity: value };
}

interface ReasonProps {
  title: string;
  hasName?: boolean;
  send: (reason: string, name: string) => Promise<unknown>;
  saved: () => void;
}

function ReasonForm({ title, hasName = false, send, saved }: ReasonProps) {
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const textOf = (name: string) => (fields.get(name) as string | null) ?? '';
    send(textOf('reason'), textOf('name')).then(saved, (error: Error) => setProblem(error.message));
  };
  return (
    <form class="hiding-form" onSubmit={submit} aria-label={title}>
      {hasName && (
        <label>
          <span>{t('console.hide_name')}</span>
          <input name="name" required placeholder="github:alice, key:0x…, profile:0x…" dir="ltr" spellcheck={false} />
        </label>
      )}
      <label>
        <span>{t('console.hide_reason')}</span> <input name="reason" required maxLength={200} />
      </label>
      <button type="submit">{title}</button>
      <p role="alert" class="form-problem">
        {problem}
      </p>
    </form>
  );
}
