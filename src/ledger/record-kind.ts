import type { Erasure, Predecessor } from '@signet/verify';
import { wordOf, wordsOf } from '@signet/verify/internal/log';
import type { EntryKind, FeedRecord } from '@signet/verify/log';
import type { EntityManager } from 'typeorm';
import type { BindingEvent, DomainEventName, DomainEvents } from '../domain/domain-events.js';
import type { AuditedKind, SignedRow } from './audited-kind.js';
import type { RecordFeed } from './record-feed.js';

/** A row of a feed: its number there, and when it was accepted, as the database says. */
export interface Recorded {
  id: number;
  recordedAt: Date;
}

/**
 * A kind of signed record, declared once: by the module that keeps its table, as the packages declare what clients
 * check of it (`EntryKind`). Log, map, receipts, archive, erasure and audit know no kind but by this.
 */
export interface RecordKind extends EntryKind {
  /** The table of the records, and the statements about it. */
  feed: RecordFeed<Recorded>;
  /** Upgrade steps before which the feed cannot be read in time. */
  upgradeSteps: string[];
  /** A row as the feed answers it. A long text takes a millisecond. */
  toRecord(row: Recorded): FeedRecord;
  /** Whether its entries make and end bindings, of which the map counts the holders (member `action`). */
  bindsIdentities: boolean;
  /** How its records are archived; null where they are not. */
  archive: RecordArchive | null;
  /** Null where no text of a record could need an erasure. */
  erasure: RecordErasure | null;
  /** Whether a record holds when it was recorded, so that the log never puts that time right. */
  holdsItsTime?: boolean;
  /**
   * The last UNIX second at which each of these records may have been recorded to verify, null where any may; in the
   * transaction of `manager`. Absent: any.
   */
  lastTimes?(manager: EntityManager, records: Recorded[]): Promise<(number | null)[]>;
  audit: AuditedKind<SignedRow, BindingEvent>;
}

/** A kind whose texts can be erased. */
export type ErasableKind = RecordKind & { erasure: RecordErasure };

export interface ArchivedRecord {
  id: number;
  /** Compressed key. */
  avatar: string;
  positionInChain: number;
  uuid: string;
}

/** The documents that the archive has of the records of a kind, one for each (docs/archive.md). */
export interface RecordArchive<Row extends ArchivedRecord = ArchivedRecord> {
  /** Reads the `count` records behind number `lastId`, in their order, in the transaction of `manager`. */
  readAfter(manager: EntityManager, lastId: number, count: number): Promise<Row[]>;

  /** The text of a document. `previous` says where that of the record before it is; null for the first of an Avatar. */
  document(record: Row, previous: Predecessor | null): string;

  /** The tags under which the search of a gateway finds a document. */
  tags(record: Row): { name: string; value: string }[];

  /** Writes the id of a document that the archive serves, in the transaction of `manager`. Returns the event of it. */
  confirm(
    manager: EntityManager,
    id: number,
    archiveId: string,
  ): Promise<{ name: DomainEventName; payload: DomainEvents[DomainEventName] }>;
}

export type ErasableRecord = BindingEvent & { id: number };

/** What becomes of the records of a kind, and of all that rests on one, when its text is erased. */
export interface RecordErasure<Rest = unknown> {
  /** The option of the command by which an operator agrees that what rests on a record goes with it. */
  consent: string;

  /** Takes the lock under which records of this Avatar are made, in the transaction of `manager`. */
  lock(manager: EntityManager, avatar: string): Promise<unknown>;

  /** What becomes of what rests on the record. @throws RefusedErasure if it would go too, and that is not allowed */
  plan(manager: EntityManager, record: ErasableRecord, isAllowed: boolean): Promise<Rest>;

  /** Writes `erased` in place of the texts, and what was planned. */
  erase(manager: EntityManager, record: ErasableRecord, erased: Erasure, rest: Rest): Promise<void>;

  /** What goes, for an operator, a line each. */
  describe(rest: Rest): string[];
}

/** Nothing was erased; the message says why, and what to do. */
export class RefusedErasure extends Error {}

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const ALL = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** The kinds of records of this service, in the order in which the log takes them in. Also what modules inject. */
export class RecordKinds implements Iterable<RecordKind> {
  constructor(readonly all: readonly RecordKind[]) {}

  [Symbol.iterator](): Iterator<RecordKind> {
    return this.all[Symbol.iterator]();
  }

  get names(): string[] {
    return this.all.map(({ name }) => name);
  }

  /** One record in words: `a <item> or a <item>`. @param others what else it may be */
  either(...others: string[]): string {
    return EITHER.format([...this.all.map((kind) => `a ${wordOf(kind)}`), ...others]);
  }

  /** All kinds in words: `<item> and <item>`. */
  get items(): string {
    return ALL.format(this.all.map(wordOf));
  }

  /** All kinds in words: `<list> and <list>`. */
  get lists(): string {
    return ALL.format(this.all.map(wordsOf));
  }

  /**
   * The kind whose records are archived. There is one, since the documents are rows of one table that refers to theirs.
   * @throws RangeError if there is none, or another one
   */
  get archived(): RecordKind & { archive: RecordArchive } {
    const [kind, ...others] = this.all.filter(isArchived);
    if (!kind || others.length > 0) throw new RangeError('The archive has documents of one kind of records.');
    return kind;
  }

  /** The kinds whose texts can be erased. */
  get erasable(): ErasableKind[] {
    return this.all.filter((kind): kind is ErasableKind => kind.erasure !== null);
  }

  /** Upgrade steps before which a feed cannot be read in time. */
  get upgradeSteps(): string[] {
    return this.all.flatMap(({ upgradeSteps }) => upgradeSteps);
  }

  /** @throws RangeError if there is no kind of this name */
  get(name: string): RecordKind {
    const kind = this.find(name);
    if (!kind) throw new RangeError(`There are no records of the kind ${name}.`);
    return kind;
  }

  find(name: string): RecordKind | undefined {
    return this.all.find((kind) => kind.name === name);
  }

  /** The kind whose erasures have entries of this kind; undefined for an entry of something else. */
  erasedBy(entryKind: string): RecordKind | undefined {
    return this.all.find(({ name }) => erasureOf(name) === entryKind);
  }
}

function isArchived(kind: RecordKind): kind is RecordKind & { archive: RecordArchive } {
  return kind.archive !== null;
}

/** The kind of the entries of erasures. @param name of the kind of the records */
export function erasureOf(name: string): string {
  return `erased_${name}`;
}
