/** Steps of checks, for people. What was checked here and what was not never share a sign. */
import { VerificationError } from '@signet/sdk';
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

/**
 * Ends a command that was to check something with 1 where that does not verify.
 * @throws RefusedError (`verification_failed`)
 */
export function demand(result: Pick<Verification, 'ok' | 'steps'>, what: string): void {
  if (!result.ok) throw new RefusedError(sentence(result.steps, what), 'verification_failed');
}

/** Ends a command that was asked something else with 4 where its answer does not verify. @throws VerificationError */
export function demandAnswer({ ok, steps }: Pick<Verification, 'ok' | 'steps'>, what: string): void {
  if (!ok) throw new VerificationError(sentence(steps, what), steps);
}

function sentence(steps: Step[], what: string): string {
  const [first, ...others] = steps.filter(({ state }) => state === 'failed');
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${what} does not verify: ${first?.detail ?? 'a check failed.'}${more}`;
}
