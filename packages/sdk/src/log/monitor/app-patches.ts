/**
 * Checks patches that keys of apps signed. Between two entries of the map the log has the patches before the key
 * events, whatever was recorded first, so what a patch needs may stand behind it: patches wait for the next entry of
 * the map, and the counts of the key events say which of them were before a patch.
 */
import type { AppPatch } from '@signet/verify';
import { CLOCK_SPREAD_SECONDS } from '@signet/verify/internal';
import { type KeysBehind, verifyAppPatch } from '@signet/verify/internal/key-events';
import { type KeyState, NO_KEY_EVENTS, type SignedKeyEvent } from '@signet/verify/key-events';
import type { LogEntry } from '@signet/verify/log';
import { type Alarm, alarm } from './monitor-events.js';

/** What the keys of an Avatar were behind an event, and how many patches it had then. */
export interface AppKeysBehind extends KeysBehind {
  patches: number;
}

/** A patch that waits for the key events that were recorded with it. */
export interface WaitingPatch {
  index: number;
  entry: LogEntry;
  /** How many patches of its Avatar stand before it. */
  before: number;
  /** Without its content, which the check does not need. */
  patch: Omit<AppPatch, 'patch'>;
}

/** What is kept of keys of apps; plain JSON. */
export interface AppState {
  /** By Avatar: the state behind the last patch that was read, and those later. Only of Avatars with keys of apps. */
  keys: { [avatar: string]: AppKeysBehind[] };
  waiting: WaitingPatch[];
}

const NOTHING: AppKeysBehind = { patches: -1, at: 0, state: NO_KEY_EVENTS };

/** Goes on from `state.apps`, which it keeps up to date. */
export class AppPatches {
  constructor(private readonly state: { apps?: AppState }) {}

  /** Takes a key event that verifies, and the state behind it. */
  learn({ patches, recorded_at: at }: SignedKeyEvent, avatar: string, state: KeyState): void {
    const known = this.state.apps?.keys[avatar];
    // Of an Avatar without keys of apps, nothing is kept.
    if (!known && Object.keys(state.appKeys).length === 0) return;
    const { keys } = (this.state.apps ??= { keys: {}, waiting: [] });
    (keys[avatar] ??= [NOTHING]).push({ patches, at, state });
  }

  /** Takes a patch that a key of an app signed. */
  wait(waiting: WaitingPatch): void {
    const { created_at, identity, platform, signature, signature_payload, signer, uuid } = waiting.patch;
    const patch = { created_at, identity, platform, signature, signature_payload, signer, uuid };
    (this.state.apps ??= { keys: {}, waiting: [] }).waiting.push({ ...waiting, patch });
  }

  /**
   * At an entry of the map: the alarms of the patches that have waited. A log that is behind with patches has key
   * events before some that were recorded first.
   * @param patchesOf how many patches of an Avatar the log has so far
   */
  settle(patchesOf: (avatar: string) => number): Alarm[] {
    const { apps } = this.state;
    if (!apps) return [];
    const alarms = apps.waiting.flatMap((waiting) => this.problemOf(waiting, apps));
    apps.waiting = [];
    for (const [avatar, behind] of Object.entries(apps.keys)) {
      const read = patchesOf(avatar);
      apps.keys[avatar] = behind.slice(behind.findLastIndex(({ patches }) => patches <= read));
    }
    return alarms;
  }

  private problemOf({ index, entry, before, patch }: WaitingPatch, { keys }: AppState): Alarm[] {
    const behind = keys[entry.avatar]?.findLast(({ patches }) => patches <= before) ?? NOTHING;
    // A clock of the server may be ahead of that of its database.
    const recordedAt = entry.recorded_at - CLOCK_SPREAD_SECONDS;
    const { state, detail } = verifyAppPatch({ ...patch, patch: null }, behind, { recordedAt });
    if (state !== 'failed') return [];
    const message = `The patch ${entry.id} (entry ${index}) of the key ${patch.signer} does not verify: ${detail}`;
    return [alarm('signature', message, { index, entry })];
  }
}
