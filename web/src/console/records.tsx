import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t, type TextKey } from '../i18n/i18n.js';
import { announce } from '../shell/announce.js';
import { useAnswer } from '../shell/use-answer.js';
import { adminCall } from './admin-api.js';

/** Name of a column (a text `console.column_<name>`), and what it shows of a row. */
export type Column<Row> = [string, (row: Row) => ComponentChildren];

/** What a button does: one admin call. */
interface Call {
  path: string;
  /** POST when absent. */
  method?: string;
  body?: object;
}

interface Action<Row> {
  text: string;
  /** For the rows one by one, or for all of them together. */
  forOne?: (row: Row) => Call;
  forAll?: () => Call;
}

interface RecordsProps<Answer, Row> {
  token: string;
  title: string;
  path: string;
  read: (answer: Answer) => Row[];
  columns: Column<Row>[];
  /** Names a row for people who hear its buttons. */
  nameOf: (row: Row) => string;
  actions?: Action<Row>[];
}

/** Milliseconds between two readings. */
const EVERY_MS = 10_000;

/** One list of the admin API as a table, read again every few seconds, with buttons for what can be done. */
export function Records<Answer, Row>(props: RecordsProps<Answer, Row>) {
  const { token, title, path, read, columns, nameOf, actions = [] } = props;
  const [version, setVersion] = useState(0);
  const readAgain = () => setVersion((count) => count + 1);
  const answer = useAnswer((signal) => adminCall<Answer>(token, path, { signal }), [token, path], version);
  const { run, outcome } = useCalls(token, readAgain);
  useEffect(() => {
    const timer = setInterval(readAgain, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const rows = answer.state === 'there' ? read(answer.value) : [];
  return (
    <section class="records" aria-label={title}>
      <h2>{title}</h2>
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
    </section>
  );
}

/** Makes admin calls. `outcome` is the sentence about the last one; `then` is called behind each. */
function useCalls(token: string, then: () => void): { run: (call: Call) => void; outcome: string } {
  const [outcome, setOutcome] = useState('');
  const run = ({ path, method = 'POST', body }: Call) => {
    adminCall(token, path, { method, ...(body !== undefined && { body }) })
      .then(
        () => t('console.done'),
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
                {t(`console.column_${name}` as TextKey)}
              </th>
            ))}
            {rowActions.length > 0 && <th scope="col">{t('console.column_actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={nameOf(row)}>
              {columns.map(([name, show]) => (
                <td key={name}>{show(row)}</td>
              ))}
              {rowActions.length > 0 && (
                <td>
                  {rowActions.map(({ text, forOne }) => (
                    <button key={text} type="button" class="plain" onClick={() => forOne && run(forOne(row))}>
                      {text} <span class="only-read">{nameOf(row)}</span>
                    </button>
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
