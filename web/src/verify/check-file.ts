/** An exported file, held against its signatures, its proofs of the log, and what a person expects of it. */
import { type ExportVerification, findAvatarKey, type Step, type Verification, verifyExport } from '@signet/verify';
import { cleanPasted } from '@signet/verify/internal';
import { keyRecords, stepsOfHolds } from '@signet/verify/internal/key-events';
import { patchSignersOf } from '@signet/verify/key-events';
import {
  logOnlyPolicy,
  type Policy,
  PolicyError,
  readPolicy,
  readVerifierKey,
  verifyExportLog,
} from '@signet/verify/log';

/** What a person knows of the file beforehand; each may be empty. */
export interface Expected {
  /** The key that it should be of, in any spelling. */
  avatar: string;
  /** A verifier key of a log, or the text of a policy. */
  log: string;
}

/** What came of it. */
export interface CheckedFile {
  /** Null while there is no file, or while it cannot be checked because of `logProblem`. */
  checked: ExportVerification | null;
  /** Why what is expected of the log cannot be read, with the line where it is a policy; null where it can. */
  logProblem: string | null;
}

/** Checks the text of a file, if there is one. */
export function checkFile(text: string | null, expected: Expected): CheckedFile {
  const trusted = cleanPasted(expected.log) === '' ? { policy: null, problem: null } : readTrusted(expected.log);
  if (text === null || trusted.problem !== null) return { checked: null, logProblem: trusted.problem };
  const signersOf = (keys: never[], avatar: string) => patchSignersOf(keys, { avatar });
  const result = verifyExport(text, { signersOf, others: keyRecords() });
  if (!result.file) return { checked: result, logProblem: null };
  const log = verifyExportLog(result.file, {
    now: Date.now() / 1000,
    ...(trusted.policy && { policy: trusted.policy }),
  });
  const checkedSteps = [...result.steps.filter(({ name }) => name !== 'log'), ...log.steps];
  const areSound = checkedSteps.every(({ state }) => state !== 'failed');
  const steps = [
    ...expectedStep(result.file.avatar, expected.avatar),
    ...checkedSteps,
    ...(areSound ? stepsOfHolds(result.file) : []),
  ];
  return { checked: { ...result, ...verdictOf(steps) }, logProblem: null };
}

/** The step of a file with proofs of platforms, which are checked by `platform-proofs.ts`. */
export const PLATFORM_PROOF = 'platform_proof';

/** Steps, and what comes of them. */
export function verdictOf(steps: Step[]): Verification {
  const isNone = (state: Step['state']) => steps.every((step) => step.state !== state);
  return { ok: isNone('failed'), complete: isNone('failed') && isNone('not_checkable'), steps };
}

/** Keys are written in several ways; a text that is none of them is not the key of the file either. */
function expectedStep(avatar: string, expected: string): Step[] {
  const words = cleanPasted(expected);
  if (words === '') return [];
  const key = findAvatarKey(words.startsWith('0x') ? words : `0x${words}`);
  const state = key?.compressed === avatar ? 'ok' : 'failed';
  return [{ name: 'expected', state, detail: `Expected: ${key ? key.compressed : words}` }];
}

/** A policy, or one verifier key, which is a policy that knows one log and asks for no witnesses. */
function readTrusted(text: string): { policy: Policy; problem: null } | { policy: null; problem: string } {
  const key = readVerifierKey(cleanPasted(text));
  if (key) return { policy: logOnlyPolicy(key), problem: null };
  try {
    return { policy: readPolicy(text), problem: null };
  } catch (error) {
    return { policy: null, problem: error instanceof PolicyError ? error.message : String(error) };
  }
}
