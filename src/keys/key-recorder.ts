import { Inject, Injectable, Optional } from '@nestjs/common';
import { InvalidSignatureError } from '@signet/look';
import { canonicalJson, type Verification } from '@signet/verify';
import {
  acceptKeyEvent,
  appKeyIn,
  KEY_REFUSALS,
  KEY_RULES,
  type KeyFact,
  type KeyRefusal,
  type KeyState,
  type KeyStatement,
  keyStateAt,
  nameOfSigner,
  problemOfAppSignature,
  refusalOfNames,
  verifyKeyEvent,
} from '@signet/verify/key-events';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalCounter } from '../bounds/refusal-counter.js';
import { serviceCurves } from '../crypto/ecdsa.js';
import { ADVISORY_LOCKS, KV_CHAIN_LOCKS } from '../database/advisory-locks.js';
import { WriteTransactions } from '../database/write-transactions.js';
import { ProofRejectedError, UnavailableError } from '../domain/domain-errors.js';
import { fromUnixSeconds } from '../domain/unix-time.js';
import { EventStore } from '../events/event-store.js';
import { BatchRecorder } from '../ledger/batch-recorder.js';
import { assertVerifies } from '../ledger/own-rules.js';
import { type ChainState, chainStateSql, type SignedItem } from '../ledger/signed-chain.js';
import { WITNESSED_CLOCK, type WitnessedClock } from './witnessed-clock.js';
import { APP_KEY_COLUMNS, appKeyRowsOf, saveAppKeysSql } from './app-key-rows.js';
import { AFTER_SUCCESSOR, BEFORE_AVATAR, holdOf, HOLDS, saveHoldsSql } from './key-holds.js';
import { KEY_COLUMNS, KEY_FEED, KEYS_TABLE, readKeyFacts, type StoredKeyEvent, toSignedKeyEvent } from './key-rows.js';

/** Seconds by which clocks may differ before key events are refused: deadlines are facts of the log. */
const TRUE_SECONDS = 240;

/** A key event whose signatures are known to be signatures; who may sign is judged under the lock. */
export type NewKeyEvent = SignedItem &
  KeyStatement & {
    /** Compressed key that made `signature`; null where a key of an app did. */
    signerKey: string | null;
    /** The key of an app that revokes itself, `<algorithm>:0x<hex>`; else null. */
    appSigner: string | null;
    /** Compressed key that made `cosignature`; null without one, and for the key of an app that is added. */
    cosignerKey: string | null;
    cosignature: string | null;
    successorSignature: string | null;
    /** By the clock of this server. */
    now: Date;
  };

/** What decides about a key event, read under the locks of its Avatar. */
interface KeyChainState extends ChainState {
  newestId: number;
  links: number;
  patches: number;
  /** UNIX seconds by the clock of the database. */
  now: number;
  facts: KeyFact[];
  /** Whether `since_link` and `since_patch` name records of the Avatar; true where they name none. */
  areSinceKnown: boolean;
  /** Of a succession: why the row of successions does not allow it. */
  rowProblem: Error | null;
}

interface AcceptedKeyEvent {
  row: StoredKeyEvent & { positionInChain: number };
  state: KeyState;
}

/** The clocks that a transaction has asked. */
interface Clocks {
  /** UNIX seconds by the clock of the database. */
  now: number;
}

const STATE = `
  select chain.head, chain."headAt", chain.length, chain."isRecorded", ${KEY_FEED.newest} as "newestId",
    (select coalesce(max(position_in_chain), 0) from chain_link where avatar = $1) as links,
    (select coalesce(max(position_in_chain), 0) from kv_patch where avatar = $1) as patches,
    ($3::uuid is null or exists (select from chain_link where uuid = $3 and avatar = $1))
      and ($4::uuid is null or exists (select from kv_patch where uuid = $4 and avatar = $1)) as "areSinceKnown"
  from (${chainStateSql(KEYS_TABLE, '$1', '$2::uuid')}) as chain`;

/** Key events and what stops the writes of their Avatars, in one statement: the commit follows it at once. */
const RECORD = `
  with recorded as (
    insert into ${KEYS_TABLE} (${KEY_COLUMNS.names}) select ${KEY_COLUMNS.names} from ${KEY_COLUMNS.rowsOf('$1')}
  ),
  held as (select * from ${HOLDS.rowsOf('$2')}),
  app as (${saveAppKeysSql(APP_KEY_COLUMNS.rowsOf('$3'))})
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
    await manager.query(
      `select pg_advisory_xact_lock(${KV_CHAIN_LOCKS}, chain.hash) from (
         select distinct hashtext(avatar) as hash from unnest($1::text[]) as avatar order by hash
       ) as chain`,
      [events.map(({ avatar }) => avatar.compressed)],
    );
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
    const { avatar, uuid, fields } = event!;
    const {
      since_link: link = null,
      since_patch: patch = null,
      successor,
    } = fields as Partial<Record<string, string | null>>;
    const values = [avatar.compressed, uuid, link, patch];
    const [row] = (await manager.query(STATE, values)) as [Omit<KeyChainState, 'facts' | 'rowProblem' | 'now'>];
    const facts = await readKeyFacts(manager, avatar.compressed);
    const rowProblem = successor ? await problemOfRow(manager, avatar.compressed, successor) : null;
    return [{ ...row, facts, now, rowProblem }];
  }

  protected accept(event: NewKeyEvent, chain: KeyChainState): AcceptedKeyEvent | Error {
    const { facts, links, patches } = chain;
    const at = Math.max(Math.floor(chain.now), facts.at(-1)?.recorded_at ?? 0);
    const before = keyStateAt(facts, at);
    const { avatar, action, fields, uuid, signerKey, cosignerKey } = event;
    const misused = misuseOf(event, before);
    if (misused) return misused;
    const nameOf = (key: string) =>
      nameOfSigner(key, avatar.compressed, before.committed?.recovery ?? [], { curves: serviceCurves });
    const signer = signerKey === null ? event.appSigner : nameOf(signerKey);
    const added = event.action === 'key.add' ? event.fields.key : null;
    const cosigner = cosignerKey === null ? added : nameOf(cosignerKey);
    if (signer === null) return before.succession ? refused('avatar_succeeded') : refused('key_not_committed');
    if (cosignerKey !== null && cosigner === null) return refused('wrong_cosigner');
    const fact = { action, fields, uuid, signer, cosigner, links, recorded_at: at } as KeyFact;
    const refusal = refusalOfNames(fact, avatar.compressed, serviceCurves, before);
    if (refusal) return refused(refusal);
    const outcome = acceptKeyEvent(before, fact);
    if (outcome.refusal !== null) return refused(outcome.refusal);
    if (!chain.areSinceKnown) return unknownSince();
    if (chain.rowProblem) return chain.rowProblem;
    const row = {
      ...{ id: chain.newestId + 1, avatar: avatar.compressed, positionInChain: chain.length + 1, action, uuid },
      ...{ fields: canonicalJson(fields), signer, cosigner, links, patches, createdAt: event.createdAt },
      ...{ successor: (fields as { successor?: string }).successor ?? null, recordedAt: fromUnixSeconds(at) },
      ...{ dueAt: fromUnixSeconds(outcome.dueAt), signature: event.signature, cosignature: event.cosignature },
      ...{ successorSignature: event.successorSignature, signaturePayload: event.signaturePayload },
    };
    return problemOf(row, event.previous) ?? { row, state: outcome.state };
  }

  protected async write(manager: EntityManager, accepted: AcceptedKeyEvent[]): Promise<StoredKeyEvent[]> {
    const holds = accepted.map(({ row: { avatar }, state }) => ({ avatar, ...holdOf(state) }));
    const rows = KEY_COLUMNS.json(accepted.map(({ row }) => row));
    const apps = accepted.flatMap(({ row, state }) =>
      appKeyRowsOf(row.avatar, state, JSON.parse(row.fields) as object),
    );
    await manager.query(RECORD, [rows, HOLDS.json(holds), APP_KEY_COLUMNS.json(apps)]);
    return accepted.map(({ row }) => row);
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

function refused(refusal: KeyRefusal): ProofRejectedError {
  return new ProofRejectedError(KEY_REFUSALS[refusal], refusal);
}

function unknownSince(): ProofRejectedError {
  return new ProofRejectedError('since_link or since_patch is not a record of this Avatar.', 'since_unknown');
}

/** Why the key of an app did not sign this with its origin; null where it did, or another key signed. */
function misuseOf({ appSigner, signature, signaturePayload }: NewKeyEvent, state: KeyState): Error | null {
  const known = appSigner === null ? undefined : appKeyIn(state, appSigner);
  if (!known) return null;
  const { key, origin } = known;
  const problem = problemOfAppSignature(signaturePayload, { key, signature, origin }, serviceCurves);
  return problem === null ? null : new InvalidSignatureError(problem);
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
