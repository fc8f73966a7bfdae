/** The log as a whole: what the server says of it, and what its newest checkpoint shows to this browser. */
import { LogForkError, LogReader, policyOfKey, readCosignedHead, relate } from '@signet/sdk/log';
import { type LogStatus, type LogWitness, NotFoundError, VerificationError } from '@signet/sdk';
import { type Checkpoint, cosignatureTime, encodeBase64, readVerifierKey } from '@signet/verify/log';
import type { CheckState } from '../parts/signs.js';
import type { ShownStep } from '../parts/steps.js';
import { checker, rememberedHead, transport } from './log-check.js';

/** A witness, and what its signature below the checkpoint at hand is worth. */
export interface CheckedWitness extends LogWitness {
  /** Not checkable where it has not signed that checkpoint. */
  checked: CheckState;
  /** UNIX seconds of the signature that was checked here; null without one. */
  signedAt: number | null;
  /** Whether there was a checkpoint below which it could be looked for. */
  isLookedFor: boolean;
}

/** What the newest checkpoint shows. */
export interface CheckedHead {
  /** `log_signature` and `consistency`. */
  steps: ShownStep[];
  /** Null where it is not to be relied on, or where there is none yet. */
  checkpoint: Checkpoint | null;
  /** The newest that enough witnesses have signed, if the log of the other one has signed it; else that one. */
  witnessed: Checkpoint | null;
  /** Both notes, where they contradict each other: the proof that there are two histories. */
  fork: { remembered: string; shown: string } | null;
}

/** Entries that are shown at first, and more by the button. */
export const ENTRIES = 20;

/** What the server says; null where it keeps no log. */
export async function readLogStatus(signal: AbortSignal): Promise<LogStatus | null> {
  try {
    return await transport.call<LogStatus>({ path: '/v1/log', signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Reads the newest checkpoint, checks it, and remembers it. @throws SignetError where the server does not answer */
export async function checkHead({ cosigned }: LogStatus, signal: AbortSignal): Promise<CheckedHead> {
  const before = rememberedHead();
  try {
    const checkpoint = await checker.checkpoint(signal);
    // Without a cosigned head its address is a 404, which browsers write into their consoles.
    const witnessed = cosigned === null ? checkpoint : await readWitnessed(checkpoint, signal);
    return { checkpoint, witnessed, fork: null, steps: [SIGNED, continuedStep(before !== null)] };
  } catch (error) {
    if (error instanceof LogForkError) {
      const { remembered, shown, steps } = error;
      return { ...NOTHING, fork: { remembered, shown }, steps };
    }
    if (error instanceof VerificationError) {
      const detail = error.steps[0]?.detail ?? '';
      return { ...NOTHING, steps: [{ name: 'log_signature', state: 'failed', detail }] };
    }
    if (error instanceof NotFoundError) return NOTHING;
    throw error;
  }
}

/**
 * Witnesses need a moment, so while writes never pause the newest checkpoint seldom has the signatures of enough. The
 * one that has is held against the newest, as everything else that this log signs.
 * @throws LogForkError if they are of two histories; VerificationError if the log has not signed it
 */
async function readWitnessed(newest: Checkpoint, signal: AbortSignal): Promise<Checkpoint> {
  const reader = new LogReader(transport, signal);
  const head = await readCosignedHead(reader, policyOfKey(rememberedHead()?.verifierKey ?? ''));
  if (head === null) return newest;
  if (head.state !== 'accepted') {
    const detail = 'The log has not signed the checkpoint that is shown as that of its witnesses.';
    throw new VerificationError(detail, [{ name: 'log_signature', state: 'failed', detail }]);
  }
  if ((await relate(head.checkpoint, newest, reader)) !== 'one_history') {
    const { text, signatures } = newest.note;
    const shown = `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;
    throw new LogForkError('The log shows another history to its witnesses.', head.note, shown);
  }
  return head.checkpoint;
}

const NOTHING: CheckedHead = { checkpoint: null, witnessed: null, fork: null, steps: [] };
const SIGNED: ShownStep = { name: 'log_signature', state: 'ok', detail: '' };

/** A browser that sees a log for the first time has nothing to hold it against. */
function continuedStep(isRemembered: boolean): ShownStep {
  return { name: 'consistency', state: isRemembered ? 'ok' : 'not_checkable', detail: '' };
}

/** The witnesses that the server names, with what their signatures below a checkpoint show. */
export function checkWitnesses(witnesses: LogWitness[], checkpoint: Checkpoint | null): CheckedWitness[] {
  return witnesses.map((witness) => {
    const key = readVerifierKey(witness.verifier_key);
    const signedAt = key && checkpoint ? cosignatureTime(checkpoint.note, key) : null;
    const hasLine =
      key !== null && checkpoint?.note.signatures.some(({ name, keyId }) => name === key.name && keyId === key.id);
    const checked = signedAt !== null ? 'ok' : hasLine ? 'failed' : 'not_checkable';
    return { ...witness, checked, signedAt, isLookedFor: checkpoint !== null };
  });
}

/** The root of a checkpoint as the log writes it. */
export function rootText({ root }: Checkpoint): string {
  return encodeBase64(root);
}
