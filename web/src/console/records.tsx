import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Named, t } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { useAnswer } from '../shell/use-answer.js';
import { adminCall } from './admin-api.js';

/** Name of a column (a text `console.column_<name>`), and what it shows of a row. */
export type Column<Row> = [Named<'console.column_'>, (row: Row) => ComponentChildren];

/** What a button does: one admin call, or something of the panel's own. */
export interface Call {
  path: string;
  /** POST when absent. */
  method?: string;
  body?: object;
  /** Gets the answer. */
  done?: (answer: unknown) => void;
}

export interface Action<Row> {
  text: string;
  /** For the rows one by one, or for all of them together; null where it cannot be done for this row. */
  forOne?: (row: Row) => Call | (() => void) | null;
  forAll?: () => Call;
  /** What the button asks before it does what cannot be taken back. */
  confirm?: string;
}

interface RecordsProps<Answer, Row> {
  token: string;
  title: string;
  /** One sentence that says what is listed. */
  text: string;
  path: string;
  read: (answer: Answer) => Row[];
  /** Whether there is something to show: what is switched off is left out. */
  isOn?: (answer: Answer) => boolean;
  columns: Column<Row>[];
  /** Names a row for people who hear its buttons. */
  nameOf: (row: Row) => string;
  actions?: Action<Row>[];
  /** Changes when the list is to be read again at once. */
  changes?: number;
  /** What stands below the list, such as a form. */
  children?: ComponentChildren;
}

/** Milliseconds between two readings. */
const EVERY_MS = 10_000;

/** One list of the admin API as a table, read again every few seconds, with buttons for what can be done. */
export function Records<Answer, Row>(props: RecordsProps<Answer, Row>) {
  const { token, title, text, path, read, isOn = () => true, columns, nameOf, actions = [], changes = 0 } = props;
  const [version, setVersion] = useState(0);
  const readAgain = () => setVersion((count) => count + 1);
  const answer = useAnswer((signal) => adminCall<Answer>(token, path, { signal }), [token, path], version + changes);
  const { run, outcome } = useCalls(token, readAgain);
  useEffect(() => {
    const timer = setInterval(readAgain, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (answer.state === 'there' && !isOn(answer.value)) return null;
  const rows = answer.state === 'there' ? read(answer.value) : [];
  return (
    <section class="records">
      <h2>{title}</h2>
      <p class="quiet small">{text}</p>
      {answer.state === 'failed' && <p class="trouble">{String((answer.error as Error).message)}</p>}
      {answer.state === 'there' && rows.length === 0 && <p class="quiet">{t('console.nothing')}</p>}
      {rows.length > 0 && (
        <RowTable title={title} columns={columns} nameOf={nameOf} actions={actions} rows={rows} run={run} />
      )}
      {actions.map(
        ({ text, forAll }) =>
          forAll && (
            <button key={text} type="button" onClick={() => run(forAll())}>
              {text}
            </button>
          ),
      )}
      {outcome !== '' && <p class="quiet small">{outcome}</p>}
      {props.children}
    </section>
  );
}

/** Makes admin calls. `outcome` is the sentence about the last one; `then` is called behind each. */
function useCalls(token: string, then: () => void): { run: (call: Call) => void; outcome: string } {
  const [outcome, setOutcome] = useState('');
  const run = ({ path, method = 'POST', body, done }: Call) => {
    adminCall(token, path, { method, ...(body !== undefined && { body }) })
      .then(
        (answer) => {
          done?.(answer);
          return t('console.done');
        },
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      .then((text) => {
        setOutcome(text);
        announce(text);
        then();
      })
      .catch(() => undefined);
  };
  return { run, outcome };
}

interface RowTableProps<Row> {
  title: string;
  columns: Column<Row>[];
  nameOf: (row: Row) => string;
  actions: Action<Row>[];
  rows: Row[];
  run: (call: Call) => void;
}

function RowTable<Row>({ title, columns, nameOf, actions, rows, run }: RowTableProps<Row>) {
  const rowActions = actions.filter((action) => action.forOne);
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(([name]) => (
              <th key={name} scope="col">
                {t(`console.column_${name}`)}
              </th>
            ))}
            {rowActions.length > 0 && <th scope="col">{t('console.column_actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={nameOf(row)}>
              {columns.map(([name, show]) => (
                <td key={name} data-column={t(`console.column_${name}`)}>
                  {show(row)}
                </td>
              ))}
              {rowActions.length > 0 && (
                <td class="row-actions">
                  {rowActions.map((action) => (
                    <RowButton key={action.text} action={action} row={row} name={nameOf(row)} run={run} />
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowButtonProps<Row> {
  action: Action<Row>;
  row: Row;
  name: string;
  run: (call: Call) => void;
}

/** What cannot be taken back takes a second press, on a button that says so. */
function RowButton<Row>({ action: { text, forOne, confirm }, row, name, run }: RowButtonProps<Row>) {
  const [isAsking, setAsking] = useState(false);
  const call = forOne?.(row);
  if (!call) return null;
  const press = () => {
    if (confirm !== undefined && !isAsking) return setAsking(true);
    setAsking(false);
    if (typeof call === 'function') call();
    else run(call);
  };
  return (
    <button type="button" class={isAsking ? 'trouble' : 'plain'} onClick={press} onBlur={() => setAsking(false)}>
      {isAsking ? confirm : text} <span class="only-read">{name}</span>
    </button>
  );
}
