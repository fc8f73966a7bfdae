/** Submits: never twice blindly, and never "failed" for what was recorded. */
import { BusyError, OutcomeUnknownError, RateLimitedError, SignetError, UnreachableError } from '../errors.js';
import type { Call, Transport } from '../transport.js';

/**
 * Sends a submit until its outcome is known. After an answer that was lost the server is asked whether the uuid is
 * recorded; only if it is not, the same body goes out again, and the server refuses a uuid that it has.
 * @returns the answer, or null where the submit is recorded and its answer was lost
 * @throws SignetError what the server refused; OutcomeUnknownError where the retries are used up
 */
export async function submit<Answer>(
  transport: Transport,
  call: Call & { signal?: AbortSignal | undefined },
  isRecorded: () => Promise<boolean>,
): Promise<Answer | null> {
  let mayBeRecorded = false;
  const endsAt = transport.endOfCall();
  for (let tries = 0; ; tries++) {
    let failure: unknown;
    try {
      return await transport.once<Answer>(call, endsAt);
    } catch (error) {
      failure = error;
    }
    if (!(failure instanceof SignetError)) throw failure;
    if (failure.code === 'already_recorded') return null;
    const isOpen = leavesOutcomeOpen(failure);
    mayBeRecorded ||= isOpen;
    if (mayBeRecorded && (await isRecorded().catch(rethrowOwn))) return null;
    if (!isOpen && !isRefusedUnseen(failure)) throw failure;
    if (await transport.waited(failure, tries, endsAt, call.signal)) continue;
    throw mayBeRecorded ? outcomeUnknown(failure) : failure;
  }
}

/** The request may have been carried out although its answer says or shows otherwise. */
function leavesOutcomeOpen(failure: SignetError): boolean {
  if (failure instanceof UnreachableError) return failure.wasSent;
  return ['invalid_answer', 'answer_too_large'].includes(failure.code) || failure.status >= 500;
}

/** Whether the request was refused before the server read it. */
function isRefusedUnseen(failure: SignetError): boolean {
  if (failure instanceof UnreachableError) return !failure.wasSent;
  return failure instanceof RateLimitedError || failure instanceof BusyError;
}

/** Returns false for a server that could not be asked, and throws errors that are not ours, such as an abort, again. */
function rethrowOwn(error: unknown): boolean {
  if (error instanceof SignetError) return false;
  throw error;
}

function outcomeUnknown(cause: SignetError): OutcomeUnknownError {
  const message = 'It was sent, and whether it was recorded could not be found out; submit the same draft again later.';
  return new OutcomeUnknownError(message, { code: 'outcome_unknown', retryable: true, cause });
}
