/** Checks the entries of a log one after the other, with the links and patches that they are about. */
import { type SignedLink, type SignedPatch, type Verification, verifyLink, verifyPatch } from '@signet/verify';
import { isEntryOf, type LogEntry, readEntry } from '@signet/verify/log';
import type { FeedLink } from '../answers.js';
import { type CosignedSize, problemOfTime } from './entry-times.js';
import { FeedAhead } from './feed-ahead.js';
import type { FeedPatch, LogReader } from './log-reader.js';
import { alarm, type MonitorEvent, type MonitorOptions, type MonitorState } from './monitor-events.js';
import { serversWordIn } from './servers-word.js';

/** Goes on from `state`, which it keeps up to date. */
export class EntryChecker {
  private readonly links: FeedAhead<FeedLink>;
  private readonly patches: FeedAhead<FeedPatch>;

  constructor(
    private readonly state: MonitorState,
    private readonly options: Pick<MonitorOptions, 'avatars' | 'identities'>,
    reader: LogReader,
  ) {
    this.links = new FeedAhead((after) => reader.links(after));
    this.patches = new FeedAhead((after) => reader.patches(after));
  }

  /** What there is to tell of the entry of this index. */
  async check(index: number, bytes: Uint8Array, cosigned: CosignedSize | undefined): Promise<MonitorEvent[]> {
    const entry = readEntry(bytes);
    if (!entry) return [alarm('malformed_entry', `Entry ${index} is not an entry of this service.`, { index })];
    if (entry.kind === 'link') return this.checkRecord(index, entry, this.links, 'lastLinkId', cosigned);
    if (entry.kind === 'kv') return this.checkRecord(index, entry, this.patches, 'lastPatchId', cosigned);
    return [];
  }

  private async checkRecord(
    index: number,
    entry: LogEntry,
    feed: FeedAhead<FeedLink> | FeedAhead<FeedPatch>,
    counter: 'lastLinkId' | 'lastPatchId',
    cosigned: CosignedSize | undefined,
  ): Promise<MonitorEvent[]> {
    const found: MonitorEvent[] = [];
    const about = { index, entry };
    const expected = this.state[counter] + 1;
    if (entry.id !== expected) {
      found.push(alarm('order', `Entry ${index} is number ${entry.id} of its feed, and ${expected} is due.`, about));
    }
    this.state[counter] = Math.max(this.state[counter], entry.id);
    const untrue = this.problemOfTime(index, entry, cosigned);
    if (untrue !== null) found.push(alarm('time', untrue, about));
    const record = await feed.take(entry.id);
    const what = `${entry.kind === 'link' ? 'link' : 'patch'} ${entry.id} (entry ${index})`;
    if (!record) return [...found, alarm('content_missing', `The server does not show the ${what}.`, about)];
    const item = entry.kind === 'link' ? { link: record as SignedLink } : { patch: record as SignedPatch };
    if (!isEntryOf(entry, item)) {
      found.push(alarm('content_changed', `What the server shows as the ${what} is not what was logged.`, about));
    }
    const checked = this.checkChain(entry, record);
    const failure = checked.steps.find(({ state }) => state === 'failed');
    if (failure) found.push(alarm('signature', `The ${what} does not verify: ${failure.detail}`, about));
    found.push(...serversWordIn(about, record, checked));
    if (this.isWatched(record)) found.push({ type: 'watched', ...about, record });
    return found;
  }

  private problemOfTime(index: number, entry: LogEntry, now: CosignedSize | undefined): string | null {
    const member = entry.kind === 'link' ? 'lastLinkAt' : 'lastPatchAt';
    const { [member]: previous, cosigned: before } = this.state;
    this.state[member] = entry.recorded_at;
    return problemOfTime(index, entry, { previous, before, now, clock: Date.now() / 1000 });
  }

  /** The record by itself, and as what follows the last one of its Avatar. */
  private checkChain({ kind, avatar }: LogEntry, record: FeedLink | FeedPatch): Verification {
    const chain = (this.state.chains[avatar] ??= {});
    const member = kind === 'link' ? 'link' : 'patch';
    const last = chain[member];
    const context = { avatar, previous: last === undefined ? null : { signature: last } };
    chain[member] = record.signature;
    return kind === 'link' ? verifyLink(record as SignedLink, context) : verifyPatch(record as SignedPatch, context);
  }

  private isWatched({ avatar, platform, identity }: FeedLink | FeedPatch): boolean {
    const { avatars = [], identities = [] } = this.options;
    const name = identity.toLowerCase();
    return (
      avatars.some((watched) => watched.toLowerCase() === avatar) ||
      identities.some((watched) => [name, `${platform}:${name}`].includes(watched.toLowerCase()))
    );
  }
}
