/** What came of one check. "Not checkable" is not a finding: nothing that is at hand could show it either way. */
export type StepState = 'ok' | 'failed' | 'not_checkable';

/** The checks that there are, by stable words. */
export type StepName =
  | 'all'
  | 'answer'
  | 'avatar'
  | 'binding'
  | 'bindings'
  | 'body'
  | 'canonical_text'
  | 'commit'
  | 'complete'
  | 'consistency'
  | 'content'
  | 'cosignature'
  | 'data_item'
  | 'did'
  | 'document'
  | 'due'
  | 'entry'
  | 'erased'
  | 'evidence'
  | 'expected'
  | 'fields'
  | 'file'
  | 'headers'
  | 'held'
  | 'inclusion'
  | 'link'
  | 'log'
  | 'log_history'
  | 'log_key'
  | 'log_signature'
  | 'logged'
  | 'logged_in_time'
  | 'map_answer'
  | 'map_entry'
  | 'map_holder'
  | 'map_holders'
  | 'map_key'
  | 'map_last'
  | 'map_proof'
  | 'map_size'
  | 'map_value'
  | 'members'
  | 'platform_end'
  | 'platform_proof'
  | 'post'
  | 'prev'
  | 'previous_archive_id'
  | 'previous_uuid'
  | 'proof'
  | 'receipt'
  | 'receipt_signature'
  | 'record'
  | 'rules'
  | 'seen'
  | 'shape'
  | 'signature'
  | 'successor_signature'
  | 'time'
  | 'uuid'
  | 'wallet_signature'
  | 'witnesses';

/** One check, for programs by its name and for people by its sentence. */
export interface Step {
  name: StepName;
  state: StepState;
  /** One sentence. Names what was seen and expected; never holds more than 200 characters of what was checked. */
  detail: string;
}

/** What came of all checks of one thing. */
export interface Verification {
  /** Nothing failed. What could not be checked is among the steps. */
  ok: boolean;
  /** Every check was made, and none failed. */
  complete: boolean;
  steps: Step[];
}

export function ok(name: StepName, detail: string): Step {
  return { name, state: 'ok', detail };
}

export function failed(name: StepName, detail: string): Step {
  return { name, state: 'failed', detail };
}

export function notCheckable(name: StepName, detail: string): Step {
  return { name, state: 'not_checkable', detail };
}

/** `ok` with the first sentence, or `failed` with the second. */
export function checked(name: StepName, isGood: boolean, good: string, bad: string): Step {
  return isGood ? ok(name, good) : failed(name, bad);
}

export function verificationOf(steps: Step[]): Verification {
  return {
    ok: steps.every(({ state }) => state !== 'failed'),
    complete: steps.every(({ state }) => state === 'ok'),
    steps,
  };
}

/**
 * What `check` returns. Where it throws, because what it is given is nothing that JSON holds, or an option is of a
 * wrong type: `rest` and one failed step `shape`.
 */
export function withoutThrowing<Result extends Verification>(
  check: () => Result,
  rest: Omit<Result, keyof Verification>,
): Result {
  try {
    return check();
  } catch {
    return { ...rest, ...verificationOf([failed('shape', 'It cannot be read.')]) } as Result;
  }
}

/** The first step that failed, or undefined. */
export function firstFailure({ steps }: Verification): Step | undefined {
  return steps.find(({ state }) => state === 'failed');
}

const MAX_SHOWN = 200;

/** A value short enough for a sentence. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
