/**
 * The two kinds of statements of this page, which never share a sign: what the server says is in speech marks, what was
 * checked in this browser has a stamp. A stamp is green with a tick, red with a cross, or grey with a dash where there
 * is nothing at hand to check with; what is right and yet alarms has an exclamation mark.
 */
import type { StepState } from '@signet/verify';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/i18n.js';

/** What came of a check here; `waiting` while it is not finished. */
export type CheckState = StepState | 'waiting';

const DRAWINGS: Record<CheckState, string> = {
  ok: 'M4.6 8.3l2.3 2.3 4.5-5',
  failed: 'M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6',
  not_checkable: 'M5 8h6',
  waiting: 'M5 8h.01M8 8h.01M11 8h.01',
};

interface StampProps {
  state: CheckState;
  isNamed?: boolean;
  isUrgent?: boolean;
}

/** The stamp of a check, with its word for those who do not see it unless text beside it says the same. */
export function Stamp({ state, isNamed = true, isUrgent = false }: StampProps) {
  return (
    <span class={`stamp ${isUrgent ? 'urgent' : state}`}>
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        {state === 'failed' ? (
          <path class="ground" d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z" />
        ) : (
          <circle class="ground" cx="8" cy="8" r="7.2" />
        )}
        <path class="drawing" d={isUrgent ? 'M8 4.4v4.4M8 11.4h.01' : DRAWINGS[state]} />
      </svg>
      {isNamed && <span class="only-read">{t(`look.check_${state}`)}</span>}
    </span>
  );
}

interface CheckedProps {
  state: CheckState;
  /** Whether the sentence is right, and alarms. */
  isUrgent?: boolean;
  children: ComponentChildren;
}

/** A sentence about what was checked here. */
export function CheckedHere({ state, isUrgent = false, children }: CheckedProps) {
  return (
    <p class={`checked-here ${state}`}>
      <Stamp state={state} isUrgent={isUrgent} />
      <span>{children}</span>
    </p>
  );
}

/** A sentence that is only the word of the server. */
export function ServerSays({ children }: { children: ComponentChildren }) {
  return (
    <p class="server-says">
      <SpeechMark />
      <span>{children}</span>
    </p>
  );
}

/** The sign of what the server says. */
export function SpeechMark() {
  return (
    <svg class="speech" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <path d="M2 3.5h12v7.5H8.5L5.5 13.8V11H2z" />
    </svg>
  );
}

/** How the worst of several checks ends: one that failed, else one that could not be made, else ok. */
export function worstOf(states: readonly CheckState[]): CheckState {
  const order: CheckState[] = ['failed', 'waiting', 'not_checkable'];
  return order.find((state) => states.includes(state)) ?? 'ok';
}
