/** Who may sign the patches of an Avatar beside itself, by its key events (docs/keys.md). */
import type { AppPatch, PatchSigners } from '../chains/patch.js';
import type { Curves } from '../keys/curves.js';
import { failed, notCheckable, ok, type Step } from '../steps.js';
import { problemOfAppSignature } from './app-key.js';
import { appKeyIn, refusalOfWrite } from './app-keys.js';
import { KeyChainChecker } from './check-key-event.js';
import type { SignedKeyEvent } from './key-event.js';
import { type KeyState, NO_KEY_EVENTS, settleKeyState } from './key-state.js';
import { KEY_REFUSALS } from './rules.js';

/** The state behind a key event. */
export interface KeysBehind {
  /** UNIX seconds at which that event was recorded. */
  at: number;
  state: KeyState;
}

/** And how many patches the Avatar had then. */
interface Snapshot extends KeysBehind {
  patches: number;
}

/** Why nothing is known of the keys where the events do not verify. */
const UNSOUND = 'The key events of the Avatar do not verify, so which keys may sign is not known.';

const UNPLACED = notCheckable(
  'signature',
  'A key of an app made its signature that the Avatar had at some time; whether at that of the patch, only its place shows.',
);

/** The keys of apps of one Avatar by its key events, oldest first and from the beginning, which it checks. */
export class KeyEventSigners implements PatchSigners {
  private readonly snapshots: Snapshot[] = [{ patches: -1, at: 0, state: NO_KEY_EVENTS }];
  private readonly areSound: boolean;

  constructor(
    events: readonly SignedKeyEvent[],
    avatar: string | undefined,
    private readonly curves: Curves,
  ) {
    const checker = new KeyChainChecker(curves, avatar);
    this.areSound = events.every((event) => {
      if (!checker.add(event).ok) return false;
      this.snapshots.push({ patches: event.patches, at: event.recorded_at, state: checker.state });
      return true;
    });
  }

  /**
   * The keys are those behind the last event that was recorded before the patch: the counts of the events say which one
   * that is. A key that had expired when the text was issued is refused; whether it expired between that time and the
   * record, only the entry of the log can show.
   */
  check(patch: AppPatch, before: number | undefined): Step {
    if (!this.areSound) return failed('signature', UNSOUND);
    if (before !== undefined) {
      const behind = this.snapshots.findLast((one) => one.patches <= before)!;
      return checkAppPatch(patch, behind, this.curves);
    }
    const tried = this.snapshots.map((behind) => checkAppPatch(patch, behind, this.curves));
    return tried.some(({ state }) => state === 'ok') ? UNPLACED : tried.at(-1)!;
  }
}

/**
 * The step `signature` of a patch, by the state behind the last key event that was recorded before it.
 * @param recordedAt UNIX seconds at which the patch was recorded, where that is known
 */
export function checkAppPatch(
  patch: AppPatch,
  { at: since, state: then }: KeysBehind,
  curves: Curves,
  recordedAt = 0,
): Step {
  const { created_at, identity, platform, signature, signature_payload: text, signer } = patch;
  const at = Math.max(created_at, recordedAt);
  const state = settleKeyState(then, Math.max(at, since));
  const key = appKeyIn(state, signer);
  const refusal = state.succession ? 'avatar_succeeded' : refusalOfWrite(key, { platform, identity, at });
  if (refusal) return failed('signature', KEY_REFUSALS[refusal]);
  const { origin } = key!;
  const problem = problemOfAppSignature(text, { key: signer, signature, origin }, curves);
  return problem === null
    ? ok('signature', 'Its signature was made by a key of an app that the Avatar had added, within its scopes.')
    : failed('signature', problem);
}
