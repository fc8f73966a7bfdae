/** Checks the entries of a log one after the other, with the records that they are about. */
import { type AppPatch, isErased, type SignedPatch, type Verification } from '@signet/verify';
import { identityKeyText } from '@signet/verify/internal/chains';
import type { KeptKeyChain, SignedKeyEvent } from '@signet/verify/key-events';
import { readOtherEntry, wordOf } from '@signet/verify/internal/log';
import { KEY_ENTRIES, type LogEntry, PATCH_ENTRIES, type Policy, readEntry } from '@signet/verify/log';
import { readMapEntry } from '@signet/verify/internal/map';
import { AppPatches } from './app-patches.js';
import { type CosignedSize, problemOfTime } from './entry-times.js';
import { isRecordOf, problemOfErasure } from './erasures.js';
import { FeedAhead } from './feed-ahead.js';
import { HeldWrites } from './held-writes.js';
import type { LogReader } from '../log-reader.js';
import { type AnyRecord, type FollowedKind, kindNamed } from '../record-kinds.js';
import { alarm, type MonitorEvent, type MonitorOptions, type MonitorState } from './monitor-events.js';
import type { MapReplay } from './map-replay.js';
import { serversWordIn } from './servers-word.js';

/** Kinds of entries that are told once each; of more than these, each entry is told. */
const MAX_KINDS = 100;

/** Goes on from `state`, which it keeps up to date. */
export class EntryChecker {
  /** By the names of kinds. */
  private readonly feeds: Map<string, FeedAhead<AnyRecord>>;
  private readonly apps: AppPatches;
  private readonly held: HeldWrites;

  constructor(
    private readonly state: MonitorState,
    private readonly options: Pick<MonitorOptions, 'avatars' | 'identities'>,
    private readonly reader: LogReader,
    private readonly policy: () => Promise<Policy>,
    /** For how long a tombstone that the log names is waited for, milliseconds. */
    private readonly patienceMs: number,
    private readonly map: MapReplay,
    private readonly kinds: readonly FollowedKind[],
  ) {
    this.apps = new AppPatches(state);
    this.held = new HeldWrites(state);
    this.feeds = new Map(kinds.map((kind) => [kind.entry.name, new FeedAhead((after) => reader.records(kind, after))]));
  }

  /** Checks the entry of this index, and returns its events. */
  async check(index: number, bytes: Uint8Array, cosigned: CosignedSize | undefined): Promise<MonitorEvent[]> {
    const ofMap = this.map.check(index, bytes);
    if (ofMap) return [...this.settleApps(), ...this.settleHolds(bytes), ...ofMap];
    const entries = this.kinds.map(({ entry }) => entry);
    const entry = readEntry(bytes, entries);
    const other = entry ? null : readOtherEntry(bytes, entries);
    this.map.add(entry ?? other);
    if (other) return this.tellOf(index, other.kind);
    if (!entry) return [alarm('malformed_entry', `Entry ${index} is not an entry of this service.`, { index })];
    const kind = kindNamed(entry.kind, this.kinds);
    if (kind) return this.checkRecord(index, entry, kind, cosigned);
    return this.checkErasure(index, entry, kindNamed(entry.kind.slice('erased_'.length), this.kinds)!, cosigned);
  }

  /** Tells once of each kind that this version does not know: a server of a later version writes such entries. */
  private tellOf(index: number, kind: string): MonitorEvent[] {
    const told = (this.state.otherKinds ??= []);
    if (told.includes(kind)) return [];
    if (told.length < MAX_KINDS) told.push(kind);
    const message = `Entry ${index} is of the kind ${kind}, which this version does not know: what it says is not checked.`;
    return [{ type: 'unknown_kind', index, kind, message }];
  }

  private async checkErasure(
    index: number,
    entry: LogEntry,
    kind: FollowedKind,
    cosigned: CosignedSize | undefined,
  ): Promise<MonitorEvent[]> {
    const found: MonitorEvent[] = [];
    const about = { index, entry };
    const what = `${wordOf(kind.entry)} ${entry.id}`;
    const untrue = this.problemOfTime(index, entry, cosigned, 'lastErasureAt');
    if (untrue !== null) found.push(alarm('time', untrue, about));
    if (entry.id > (this.state[`last${kind.part}Id`] ?? 0)) {
      return [...found, alarm('order', `Entry ${index} erases the ${what}, which is not in the log.`, about)];
    }
    const context = { policy: await this.policy(), patienceMs: this.patienceMs };
    const { problem, record } = await problemOfErasure(this.reader, kind, entry, context);
    delete this.state.erased?.[`${kind.entry.name} ${entry.id}`];
    if (!record) return [...found, alarm('content_missing', `The server does not show the ${what}.`, about)];
    if (problem !== null) return [...found, alarm('content_changed', `Entry ${index}: ${problem}`, about)];
    const message = `The text of the ${what} was erased, its operator says: ${JSON.stringify(record.erased!.reason)}`;
    return [...found, { type: 'erased', ...about, record, message }];
  }

  private async checkRecord(
    index: number,
    entry: LogEntry,
    kind: FollowedKind,
    cosigned: CosignedSize | undefined,
  ): Promise<MonitorEvent[]> {
    const found: MonitorEvent[] = [];
    const about = { index, entry };
    const counter = `last${kind.part}Id` as const;
    const before = this.state[counter] ?? 0;
    const expected = before + 1;
    if (entry.id !== expected) {
      found.push(alarm('order', `Entry ${index} is number ${entry.id} of its feed, and ${expected} is due.`, about));
    }
    this.state[counter] = Math.max(before, entry.id);
    const untrue = this.problemOfTime(index, entry, cosigned, `last${kind.part}At`);
    if (untrue !== null) found.push(alarm('time', untrue, about));
    const record = await this.feeds.get(entry.kind)!.take(entry.id);
    const what = `${wordOf(kind.entry)} ${entry.id} (entry ${index})`;
    if (!record) return [...found, alarm('content_missing', `The server does not show the ${what}.`, about)];
    // An entry of the erasure has to follow.
    if (isErased(record)) (this.state.erased ??= {})[`${entry.kind} ${entry.id}`] = false;
    if (!isRecordOf(entry, kind, record)) {
      found.push(alarm('content_changed', `What the server shows as the ${what} is not what was logged.`, about));
    }
    const checked = this.checkChain(entry, kind, record);
    if (checked.ok) this.noteApps(index, entry, kind, record);
    this.noteHolds(entry, kind, record, checked.ok);
    const failure = checked.steps.find(({ state }) => state === 'failed');
    if (failure) found.push(alarm('signature', `The ${what} does not verify: ${failure.detail}`, about));
    if (record.platform !== undefined) found.push(...serversWordIn(about, record, checked));
    if (this.isWatched(record)) found.push({ type: 'watched', ...about, record });
    return found;
  }

  /** Keeps what a patch of the key of an app is checked by, and the patch until then. */
  private noteApps(index: number, entry: LogEntry, kind: FollowedKind, record: AnyRecord): void {
    const { avatar } = entry;
    if (kind.entry === KEY_ENTRIES) {
      const kept = this.state.kept?.[KEY_ENTRIES.item]?.[avatar] as KeptKeyChain;
      this.apps.learn(record as SignedKeyEvent, avatar, kept.state);
    }
    if (kind.entry !== PATCH_ENTRIES || isErased(record)) return;
    const patch = record as SignedPatch;
    if (patch.signer === undefined) return;
    this.apps.wait({ index, entry, before: this.map.patchesOf(avatar) - 1, patch: patch as AppPatch });
  }

  /** Keeps what says whether the keys of an Avatar have stopped its writes. */
  private noteHolds({ avatar }: LogEntry, { entry }: FollowedKind, record: AnyRecord, isSound: boolean): void {
    this.held.note(avatar);
    if (entry !== KEY_ENTRIES || !isSound) return;
    const { state } = this.state.kept![KEY_ENTRIES.item]![avatar] as KeptKeyChain;
    this.held.learn(record as SignedKeyEvent, avatar, state);
  }

  private settleApps(): MonitorEvent[] {
    return this.apps.settle((avatar) => this.map.patchesOf(avatar));
  }

  private settleHolds(bytes: Uint8Array): MonitorEvent[] {
    return this.held.settle(readMapEntry(bytes)!.recorded_at, (avatar) => this.map.countsOf(avatar));
  }

  private problemOfTime(
    index: number,
    entry: LogEntry,
    now: CosignedSize | undefined,
    member: `last${string}At`,
  ): string | null {
    const { [member]: previous, cosigned: before } = this.state;
    this.state[member] = entry.recorded_at;
    return problemOfTime(index, entry, { previous, before, now, clock: Date.now() / 1000 });
  }

  /** The record by itself, and as what follows the last one of its Avatar. */
  private checkChain({ avatar }: LogEntry, kind: FollowedKind, record: AnyRecord): Verification {
    const chain = (this.state.chains[avatar] ??= {});
    const { item } = kind.entry;
    const last = chain[item];
    chain[item] = record.signature;
    if (kind.follow) return this.follow(kind, avatar, record);
    return kind.verify(record, { avatar, previous: last === undefined ? null : { signature: last } });
  }

  private follow(kind: FollowedKind, avatar: string, record: AnyRecord): Verification {
    const ofKind = ((this.state.kept ??= {})[kind.entry.item] ??= {});
    const { result, kept } = kind.follow!(record, avatar, ofKind[avatar]);
    ofKind[avatar] = kept;
    return result;
  }

  private isWatched({ avatar, platform, identity, erased }: AnyRecord): boolean {
    const { avatars = [], identities = [] } = this.options;
    if (avatars.some((watched) => watched.toLowerCase() === avatar)) return true;
    if (identity === undefined) return false;
    const name = identity.toLowerCase();
    const isSame = (watched: string) => {
      if (!erased) return [name, `${platform}:${name}`].includes(watched);
      const names = [watched, watched.startsWith(`${platform}:`) ? watched.slice(platform.length + 1) : watched];
      return names.some((one) => identityKeyText({ platform, identity: one }) === erased.identity_key);
    };
    return identities.some((watched) => isSame(watched.toLowerCase()));
  }
}
