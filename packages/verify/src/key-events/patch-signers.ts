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

/** The state behind an event, and how many patches the Avatar had then. */
interface Snapshot {
  patches: number;
  /** UNIX seconds. */
  at: number;
  state: KeyState;
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
    if (before !== undefined)
      return this.checkBehind(
        this.snapshots.findLast((one) => one.patches <= before)!,
        patch,
      );
    const tried = this.snapshots.map((snapshot) => this.checkBehind(snapshot, patch));
    return tried.some(({ state }) => state === 'ok') ? UNPLACED : tried.at(-1)!;
  }

  private checkBehind({ at: since, state: then }: Snapshot, patch: AppPatch): Step {
    const { created_at: at, identity, platform, signature, signature_payload: text, signer } = patch;
    const state = settleKeyState(then, Math.max(at, since));
    const key = appKeyIn(state, signer);
    const refusal = state.succession ? 'avatar_succeeded' : refusalOfWrite(key, { platform, identity, at });
    if (refusal) return failed('signature', KEY_REFUSALS[refusal]);
    const { origin } = key!;
    const problem = problemOfAppSignature(text, { key: signer, signature, origin }, this.curves);
    return problem === null
      ? ok('signature', 'Its signature was made by a key of an app that the Avatar had added, within its scopes.')
      : failed('signature', problem);
  }
}
