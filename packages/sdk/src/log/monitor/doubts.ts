import { equalBytes } from '@signet/verify/internal';
import type { TreeFrontier } from '@signet/verify/internal/log';
import type { Checkpoint } from '@signet/verify/log';
import type { Alarm, MonitorState } from './monitor-events.js';

/** A checkpoint that the newest one does not continue, as far as its tiles show, and the alarm that this is. */
interface Doubt {
  older: Checkpoint;
  alarm: Alarm;
  /** Whether the entries that were read lead to it. */
  isMet: boolean;
}

/** Checkpoints which the tiles of one look do not show to be continued: tiles may be wrong, so its entries decide. */
export class Doubts {
  private list: Doubt[] = [];

  constructor(private readonly state: MonitorState) {}

  /** The alarms, were the tiles right. */
  get alarms(): Alarm[] {
    return this.list.map(({ alarm }) => alarm);
  }

  /** Begins a look: there are none yet. */
  begin(): void {
    this.list = [];
  }

  /** Leaves it to entries that are still to be read whether this is a fork. @returns the alarm if there are none */
  add(older: Checkpoint, newest: Checkpoint, alarm: Alarm): Alarm | null {
    if (older.size < this.state.size || older.size >= newest.size) return alarm;
    this.list.push({ older, alarm, isMet: false });
    return null;
  }

  /** Takes in that the entries which were read lead to this tree. */
  settle(tree: TreeFrontier): void {
    for (const doubt of this.list) {
      doubt.isMet ||= doubt.older.size === tree.size && equalBytes(doubt.older.root, tree.root());
    }
  }

  /** The alarm of the first checkpoint to which the entries do not lead; undefined if there is none. */
  unmet(): Alarm | undefined {
    return this.list.find(({ isMet }) => !isMet)?.alarm;
  }
}
