import { Inject, Injectable, Optional } from '@nestjs/common';
import { canonicalJson, type Verification } from '@signet/verify';
import { KEY_RULES, type KeyFact, type KeyState, verifyKeyEvent } from '@signet/verify/key-events';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { serviceCurves } from '../crypto/ecdsa.js';
import { ADVISORY_LOCKS, lockKvChainsSql } from '../database/advisory-locks.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { ProofRejectedError, UnavailableError } from '../domain/domain-errors.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { EventStore, NEW_EVENTS, recordEventsSql } from '../events/event-store.js';
import { CONTENT_THEN_TABLE, HOLDS_TABLE } from '../holds/avatar-holds.js';
import { BatchRecorder } from '../ledger/batch-recorder.js';
import { assertVerifies } from '../ledger/own-rules.js';
import { type ChainState, chainStateSql, type SignedItem } from '../ledger/signed-chain.js';
import { WITNESSED_CLOCK, type WitnessedClock } from './witnessed-clock.js';
import { DEADLINES_TABLE, type DueKeyEvent, eventsJson, readDueKeyEvents } from './due/key-deadlines.js';
import { judgeKeyEvent, type SaidByKeys } from './judging/key-judgement.js';
import { ContentMovedError, type OwnersContent } from './judging/owners-content.js';
import { type Announcement, newsOfDue, newsOfRecorded } from './due/key-news.js';
import { APP_KEY_COLUMNS, appKeyRowsOf, saveAppKeysSql } from './app-key-rows.js';
import { AFTER_SUCCESSOR, BEFORE_AVATAR, holdOf, HOLDS, saveHoldsSql } from './key-holds.js';
import { KEY_COLUMNS, KEY_FEED, KEYS_TABLE, readKeyFacts, type StoredKeyEvent, toSignedKeyEvent } from './key-rows.js';

/** Seconds by which clocks may differ before key events are refused: deadlines are facts of the log. */
const TRUE_SECONDS = 240;

/** A key event whose signatures are known to be signatures; who may sign is judged under the lock. */
export type NewKeyEvent = SignedItem &
  SaidByKeys & {
    cosignature: string | null;
    successorSignature: string | null;
    /** Of a succession; null for other events. */
    content: OwnersContent | null;
    /** By the clock of this server. */
    now: Date;
  };

/** What decides about a key event, read under the locks of its Avatar. */
interface KeyChainState extends ChainState {
  newestId: number;
  links: number;
  patches: number;
  /** When the event is recorded, in UNIX seconds: by the clock of the database, never before what is settled. */
  at: number;
  facts: KeyFact[];
  /** Key events whose time has come, and of which that is not announced yet. */
  due: DueKeyEvent[];
  /** Whether `since_link` and `since_patch` name records of the Avatar; true where they name none. */
  areSinceKnown: boolean;
  /** Whether no patch has come that changes more than what `content` of the event knows. */
  isContentKnown: boolean;
  /** Of a succession: why the row of successions does not allow it. */
  rowProblem: Error | null;
}

type StateRow = Omit<KeyChainState, 'at' | 'facts' | 'due' | 'rowProblem'> & {
  /** UNIX seconds; null for an Avatar without key events. */
  settledUntil: number | null;
};

interface AcceptedKeyEvent {
  row: StoredKeyEvent & { positionInChain: number };
  state: KeyState;
  due: DueKeyEvent[];
  /** Of what was due, then of the event. */
  news: Announcement[];
  content: OwnersContent | null;
}

/** The clocks that a transaction has asked. */
interface Clocks {
  /** UNIX seconds by the clock of the database. */
  now: number;
}

const thenRows = (parameter: string) =>
  `json_to_recordset(${parameter}::json) as entry_then (platform text, identity text, content text)`;

const STATE = `
  select chain.head, chain."headAt", chain.length, chain."isRecorded", ${KEY_FEED.newest} as "newestId",
    (select extract(epoch from settled_until)::float8 from ${HOLDS_TABLE} where avatar = $1) as "settledUntil",
    (select coalesce(max(position_in_chain), 0) from chain_link where avatar = $1) as links,
    (select coalesce(max(position_in_chain), 0) from kv_patch where avatar = $1) as patches,
    ($3::uuid is null or exists (select from chain_link where uuid = $3 and avatar = $1))
      and ($4::uuid is null or exists (select from kv_patch where uuid = $4 and avatar = $1)) as "areSinceKnown",
    $5::int is null or not exists (
      select from kv_patch where avatar = $1 and position_in_chain > $5 and erased is null
        and (platform, identity) not in (select platform, identity from ${thenRows('$6')})
    ) as "isContentKnown"
  from (${chainStateSql(KEYS_TABLE, '$1', '$2::uuid')}) as chain`;

/** Key events with all that follows from them, in one statement: the commit follows it at once. */
const RECORD = `
  with item as (select * from ${KEY_COLUMNS.rowsOf('$1')}),
  recorded as (insert into ${KEYS_TABLE} (${KEY_COLUMNS.names}) select ${KEY_COLUMNS.names} from item),
  awaited as (
    insert into ${DEADLINES_TABLE} (id, avatar, due_at) select id, avatar, due_at from item where due_at > recorded_at
  ),
  changed as (
    insert into ${CONTENT_THEN_TABLE} (event, avatar, since_position, platform, identity, content)
    select item.uuid, item.avatar, $6, platform, identity, content from item cross join ${thenRows('$5')}
  ),
  done as (delete from ${DEADLINES_TABLE} where id = any($3::bigint[])),
  event as (select * from ${NEW_EVENTS.rowsOf('$4')}),
  announced as (${recordEventsSql('event')}),
  held as (select * from ${HOLDS.rowsOf('$2')}),
  app as (${saveAppKeysSql(APP_KEY_COLUMNS.rowsOf('$7'))})
  ${saveHoldsSql('held')}`;

/**
 * Records key events. Each transaction takes the append lock, and then those of the patches of the Avatars, so that
 * links, patches and key events of one Avatar have one order.
 */
@Injectable()
export class KeyRecorder extends BatchRecorder<NewKeyEvent, KeyChainState, AcceptedKeyEvent, StoredKeyEvent, Clocks> {
  protected readonly table = KEYS_TABLE;
  protected readonly lock = ADVISORY_LOCKS.append;
  /** `begin` takes the locks of patches, which nobody may wait for who holds the append lock. */
  protected override readonly readsAhead = false;

  constructor(
    private readonly source: DataSource,
    events: EventStore,
    transactions: WriteTransactions,
    refusals: RefusalCounter,
    @Optional() @Inject(WITNESSED_CLOCK) private readonly witnessed?: WitnessedClock,
  ) {
    super(events, transactions, refusals);
  }

  /** Who may sign depends on the state, so `accept` verifies. */
  protected verify(): Verification {
    return { ok: true, complete: true, steps: [] };
  }

  protected bytesOf({ signaturePayload }: NewKeyEvent): number {
    return signaturePayload.length;
  }

  /** @throws UnavailableError (`clock_untrue`) */
  protected async begin(manager: EntityManager, events: NewKeyEvent[]): Promise<Clocks> {
    await manager.query(lockKvChainsSql(events.map(({ avatar }) => avatar.compressed)));
    const [clock] = (await manager.query('select extract(epoch from clock_timestamp())::float8 as now')) as [Clocks];
    const cosignedAt = (await this.witnessed?.newestCosignature(manager)) ?? 0;
    for (const { now } of events) assertTrue(clock.now, now.getTime() / 1000, cosignedAt);
    return clock;
  }

  /** One event at a time: the state of its Avatar, and the row of successions, follow from those before it. */
  protected async readStates(
    manager: EntityManager,
    [event]: NewKeyEvent[],
    { now }: Clocks,
  ): Promise<KeyChainState[]> {
    const { avatar, uuid, fields, content } = event!;
    const {
      since_link: link = null,
      since_patch: patch = null,
      successor,
    } = fields as Partial<Record<string, string | null>>;
    const known = JSON.stringify(content?.entries.map(({ platform, identity }) => ({ platform, identity })) ?? []);
    const values = [avatar.compressed, uuid, link, patch, content?.last ?? null, known];
    const [{ settledUntil, ...row }] = (await manager.query(STATE, values)) as [StateRow];
    const at = Math.max(Math.floor(now), settledUntil ?? 0);
    const due = await readDueKeyEvents(manager, avatar.compressed, fromUnixSeconds(at));
    const facts = await readKeyFacts(manager, avatar.compressed);
    const rowProblem = successor ? await problemOfRow(manager, avatar.compressed, successor) : null;
    return [{ ...row, at, facts, due, rowProblem }];
  }

  protected accept(event: NewKeyEvent, chain: KeyChainState): AcceptedKeyEvent | Error {
    const { at, due, facts, links, patches } = chain;
    const { avatar, action, fields, uuid } = event;
    const judged = judgeKeyEvent(event, chain);
    if (judged instanceof Error) return judged;
    const { signer, cosigner, dueAt, state } = judged;
    if (!chain.areSinceKnown) return unknownSince();
    if (chain.rowProblem) return chain.rowProblem;
    if (!chain.isContentKnown) return new ContentMovedError();
    const row = {
      ...{ id: chain.newestId + 1, avatar: avatar.compressed, positionInChain: chain.length + 1, action, uuid },
      ...{ fields: canonicalJson(fields), signer, cosigner, links, patches, createdAt: event.createdAt },
      ...{ successor: (fields as { successor?: string }).successor ?? null, recordedAt: fromUnixSeconds(at) },
      ...{ dueAt: fromUnixSeconds(dueAt), signature: event.signature, cosignature: event.cosignature },
      ...{ successorSignature: event.successorSignature, signaturePayload: event.signaturePayload },
    };
    const news = [...newsOfDue(due, facts), newsOfRecorded(row, state)];
    return problemOf(row, event.previous) ?? { row, state, due, news, content: event.content };
  }

  protected async write(manager: EntityManager, accepted: AcceptedKeyEvent[]): Promise<StoredKeyEvent[]> {
    const rows = accepted.map(({ row }) => row);
    const holds = accepted.map(({ row: { avatar, recordedAt }, state }) => ({ avatar, recordedAt, ...holdOf(state) }));
    const due = accepted.flatMap((one) => one.due.map(({ id }) => id));
    const news = accepted.flatMap((one) => one.news);
    const apps = APP_KEY_COLUMNS.json(
      accepted.flatMap(({ row, state }) => appKeyRowsOf(row.avatar, state, JSON.parse(row.fields) as object)),
    );
    const content = accepted[0]!.content;
    const then = [JSON.stringify(content?.entries ?? []), content?.position ?? 0];
    await manager.query(RECORD, [KEY_COLUMNS.json(rows), HOLDS.json(holds), due, eventsJson(news), ...then, apps]);
    return rows;
  }

  protected async findResult({ uuid }: NewKeyEvent): Promise<StoredKeyEvent> {
    return (await KEY_FEED.findByUuid(this.source, uuid))!;
  }
}

/** @throws UnavailableError (`clock_untrue`). All times are UNIX seconds. */
function assertTrue(database: number, server: number, cosignedAt: number): void {
  const isTrue = Math.abs(database - server) <= TRUE_SECONDS && Math.min(database, server) >= cosignedAt - TRUE_SECONDS;
  if (isTrue) return;
  throw new UnavailableError(
    'The clocks of this server, its database and its witnesses are more than four minutes apart, so no deadline can be told; its operator has to set them right.',
    'clock_untrue',
  );
}

function unknownSince(): ProofRejectedError {
  return new ProofRejectedError('since_link or since_patch is not a record of this Avatar.', 'since_unknown');
}

/** Why an event would not verify, as an error; null where it does. */
function problemOf(row: StoredKeyEvent, previous: string | null): Error | null {
  const context = { avatar: row.avatar, previous: previous === null ? null : { signature: previous } };
  try {
    assertVerifies(verifyKeyEvent(toSignedKeyEvent(row), { ...context, curves: serviceCurves }));
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Why this Avatar cannot have this successor: it would close a loop, or make a row that is too long. */
async function problemOfRow(manager: EntityManager, avatar: string, successor: string): Promise<Error | null> {
  const most = KEY_RULES.successionsInARow;
  const later: { avatar: string; distance: number }[] = await manager.query(AFTER_SUCCESSOR, [successor, most]);
  if (later.some((one) => one.avatar === avatar)) {
    return new ProofRejectedError('This Avatar comes after the one that would succeed it.', 'succession_loop');
  }
  const [before] = (await manager.query(BEFORE_AVATAR, [avatar, most])) as [{ distance: number }];
  const inARow = before.distance + 1 + Math.max(...later.map(({ distance }) => distance));
  if (inARow <= most) return null;
  return new ProofRejectedError(`At most ${most} successions may follow each other.`, 'too_many_successions');
}
