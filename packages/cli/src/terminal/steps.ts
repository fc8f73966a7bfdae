/** Steps of checks, for people. What was checked here and what was not never share a sign. */
import type { Step, StepState, Verification } from '@signet/verify';
import { RefusedError } from '../exit.js';
import { type Printer, printable, type Style } from './printer.js';

const SIGNS: { [state in StepState]: { sign: string; style: Style } } = {
  ok: { sign: 'ok', style: 'green' },
  failed: { sign: 'FAILED', style: 'red' },
  not_checkable: { sign: 'not checkable', style: 'dim' },
};

/** A line for each step. */
export function showSteps(printer: Printer, steps: Step[]): void {
  for (const { state, detail } of steps) {
    const { sign, style } = SIGNS[state];
    printer.line(`${printer.styled(sign.padEnd(13), style)}  ${printable(detail)}`);
  }
}

/** Ends the run with 1 where something failed. @throws RefusedError (`verification_failed`) */
export function demand(result: Pick<Verification, 'ok' | 'steps'>, what: string): void {
  if (result.ok) return;
  const failures = result.steps.filter(({ state }) => state === 'failed').length;
  throw new RefusedError(`${what} does not verify: ${failures} checks failed.`, 'verification_failed');
}
