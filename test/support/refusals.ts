import { DataSource } from 'typeorm';
import type { Answer, RunningApp } from './app.js';

/** What the service has stored, counted. */
export interface RowCounts {
  links: number;
  proofs: number;
  events: number;
}

export async function countRows({ app }: RunningApp): Promise<RowCounts> {
  const rows: RowCounts[] = await app.get(DataSource).query(`
    select (select count(*)::int from chain_link) as links,
           (select count(*)::int from proof) as proofs,
           (select count(*)::int from domain_event) as events`);
  return rows[0]!;
}

/** How a request is refused; `message` is a part of the sentence that helps the caller. */
export interface Refusal {
  status?: number;
  code: string;
  message: RegExp | string;
}

/** Asserts the status, and that the body is `{ message, code }` and nothing else (docs/design/decisions.md 4). */
export function expectRefusal(answer: Pick<Answer, 'status' | 'body'>, { status = 400, code, message }: Refusal): void {
  expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(patternOf(message)) } });
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
}

/** Asserts that the request is refused and that it leaves no row behind. */
export async function expectRefused(running: RunningApp, send: () => Promise<Answer>, refusal: Refusal): Promise<void> {
  const before = await countRows(running);

  const answer = await send();

  expectRefusal(answer, refusal);
  expect(await countRows(running)).toEqual(before);
}

function patternOf(message: RegExp | string): RegExp {
  return typeof message === 'string' ? new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : message;
}
