/** Receipts of writes: checked when they come, kept, and held against the log later. */
import { isReceiptOf, recordedHash } from '@signet/verify/internal/log';
import {
  logOnlyPolicy,
  type NamedRecord,
  type Policy,
  readLogKey,
  readLogProof,
  readEntry,
  readReceipt,
  type Receipt,
  verifyReceipt,
  writeVerifierKey,
  readPolicy,
} from '@signet/verify/log';
import { refuse } from '../checks.js';
import {
  BusyError,
  NotFoundError,
  RateLimitedError,
  ReceiptBrokenError,
  SignetError,
  UnreachableError,
} from '../errors.js';
import type { Transport } from '../transport.js';
import { LogChecker } from './log-checker.js';
import type { LogOptions } from './log-options.js';
import { MemoryHeadStore } from './head-store.js';
import { LogReader } from './log-reader.js';
import { kindNamed, named } from './record-kinds.js';
import { logBehind } from './next-log.js';
import { instant, problemOfTimes } from './receipt-times.js';
import { MemoryReceiptStore, type KeptReceipt, type ReceiptStore } from './receipt-store.js';

/** What a write was about. */
export interface WrittenRecord {
  /** As entries and receipts name it. */
  kind: string;
  /** Compressed key. */
  avatar: string;
  uuid: string;
  /** UNIX seconds, as they were signed. */
  createdAt: number;
  /** The whole record but for its number: what was sent, and what the server says that it wrote. */
  item: () => Promise<object>;
}

/** A receipt that could not be held against the log, because the server said something else. */
export interface UnansweredReceipt {
  receipt: Receipt;
  error: SignetError;
}

/** What came of the receipts that were kept. */
export interface CheckedReceipts {
  /** Those whose records are in the log, exactly so. They are not kept any longer. */
  fulfilled: Receipt[];
  /** Those whose records are not in the log yet, and whose time has not passed. */
  waiting: Receipt[];
  /** Those whose promise was broken, each with what proves it. They stay. */
  broken: ReceiptBrokenError[];
  /**
   * Those of which nothing is known, with why: the server was not reached, or denies its log. Denied for a day, and
   * past their deadline, they are broken.
   */
  unanswered: UnansweredReceipt[];
}

/** For how long a server may deny its log, or refuse to answer about it, before it breaks what it promised. */
const DENIAL_SECONDS = 86_400;

/** A receipt of a log that has ended, and what the next one shows. */
interface MovedReceipt {
  kept: KeptReceipt;
  receipt: Receipt;
  /** The proof file of the record in the next log. */
  proof: string;
  /** The verifier key of the next log. */
  next: string;
  reader: LogReader;
  signal: AbortSignal | undefined;
}

/** The receipts of one client. */
export class Receipts {
  private readonly store: ReceiptStore;

  constructor(
    private readonly transport: Transport,
    private readonly options: LogOptions,
    /** Whether the key that a store of heads remembers is believed. */
    private readonly knowsHeads: boolean,
  ) {
    this.store = options.receipts ?? new MemoryReceiptStore();
  }

  /**
   * Checks the receipt of a write that was recorded, and keeps it if there is a store. A receipt whose answer was lost
   * is asked for again. Null where the server gave none and none is demanded.
   * @throws VerificationError if it is no receipt of this very record, of this moment and for at most two days, signed
   *   by the key that is known; or if there is none and one is demanded
   */
  async take(given: string | undefined, written: WrittenRecord, signal?: AbortSignal): Promise<string | null> {
    const reader = new LogReader(this.transport, signal, 0);
    const text = given ?? (await reader.receipt(written.uuid).catch(nullForSignetError));
    const { kind, avatar, uuid } = written;
    if (text === null) {
      if (this.options.demandReceipt) refuse('The receipt', `It was recorded (${uuid}), but the server gave none.`);
      return null;
    }
    const receipt = readReceipt(text)?.receipt;
    const isOfWrite = receipt?.kind === kind && receipt.avatar === avatar && receipt.uuid === uuid;
    if (!isOfWrite) {
      refuse('The receipt', `It was recorded (${uuid}), but this is not its receipt.`);
    }
    const verifierKey = await this.knownKey(reader);
    const policy = this.policyOf(verifierKey);
    const isSigned = (step: { name: string; state: string }) =>
      step.name === 'receipt_signature' && step.state === 'ok';
    if (policy && !verifyReceipt(text, { policy }).steps.some(isSigned)) {
      refuse('The receipt', `It was recorded (${uuid}), but the key of the log did not sign its receipt.`);
    }
    const problem = problemOfTimes(receipt, written.createdAt, given !== undefined);
    if (problem !== null) refuse('The receipt', `It was recorded (${uuid}), but ${problem}`);
    if (receipt.hash !== recordedHash(kindNamed(kind)!.entry, await written.item())) {
      refuse(
        'The receipt',
        `It was recorded (${uuid}), but its receipt is of another record than the one that was sent.`,
      );
    }
    if (this.options.receipts) await this.store.add(this.transport.baseUrl, { uuid, receipt: text, verifierKey });
    return text;
  }

  /**
   * Holds what is kept against the log, each by itself. Removes what is fulfilled; all others stay.
   * @throws VerificationError if what is kept is no receipt; what the store throws
   */
  async check(signal?: AbortSignal): Promise<CheckedReceipts> {
    const checked: CheckedReceipts = { fulfilled: [], waiting: [], broken: [], unanswered: [] };
    for (const kept of await this.store.all(this.transport.baseUrl)) {
      const { receipt } = readReceipt(kept.receipt) ?? refuse('What was kept', 'It is not a receipt.');
      try {
        const isLogged = await this.isFulfilled(kept, receipt, signal);
        checked[isLogged ? 'fulfilled' : 'waiting'].push(receipt);
        if (isLogged) await this.store.remove(this.transport.baseUrl, kept.uuid);
        else if (kept.deniedSince !== undefined) await this.remember(kept, undefined);
      } catch (error) {
        if (error instanceof ReceiptBrokenError) checked.broken.push(error);
        else if (!(error instanceof SignetError)) throw error;
        else if (await this.isDenied(kept, receipt, error)) checked.broken.push(denied(kept, receipt, error));
        else checked.unanswered.push({ receipt, error });
      }
    }
    return checked;
  }

  /**
   * Whether a server that answers has denied its log, or refused to answer about it, for a day, of which the last part
   * is behind the deadline. One that is not reached denies nothing.
   */
  private async isDenied(kept: KeptReceipt, receipt: Receipt, error: SignetError): Promise<boolean> {
    if ([UnreachableError, RateLimitedError, BusyError].some((kind) => error instanceof kind)) return false;
    const now = Math.floor(Date.now() / 1000);
    if (kept.deniedSince === undefined) await this.remember(kept, now);
    return now > receipt.deadline && now - (kept.deniedSince ?? now) >= DENIAL_SECONDS;
  }

  private async remember({ uuid, receipt, verifierKey }: KeptReceipt, deniedSince: number | undefined): Promise<void> {
    const since = deniedSince === undefined ? {} : { deniedSince };
    await this.store.add(this.transport.baseUrl, { uuid, receipt, verifierKey, ...since });
  }

  private async isFulfilled(kept: KeptReceipt, receipt: Receipt, signal: AbortSignal | undefined): Promise<boolean> {
    const reader = new LogReader(this.transport, signal, 0);
    const proof = await reader.proof({ uuid: receipt.uuid, kind: receipt.kind }).catch(nullWhereNotThere);
    if (proof === null) {
      if (Date.now() / 1000 <= receipt.deadline) return false;
      const checkpoint = await reader.checkpoint().catch(nullForSignetError);
      const message = `The record ${receipt.uuid} was promised to be in the log until ${instant(receipt.deadline)}, and is not.`;
      throw new ReceiptBrokenError(message, { receipt: kept.receipt, checkpoint, found: null });
    }
    const info = await reader.info();
    const known = kept.verifierKey || this.acceptedKey(receipt.log) || info.verifier_key;
    const policy = this.policyOf(known);
    if (!policy) refuse('The key of the log', 'It is not a verifier key of a log.');
    if (info.origin !== receipt.log) {
      const next = logBehind(known, info);
      if (next !== null) return this.isInNextLog({ kept, receipt, proof, next, reader, signal });
    }
    const item = await itemOf(reader, proof, receipt);
    // The proof of the log, witnesses and all, is demanded below.
    const context = { policy: { ...policy, quorum: null }, proof, now: Date.now() / 1000 };
    const { steps } = verifyReceipt(kept.receipt, { ...item, avatar: receipt.avatar, ...context });
    const failure = item ? steps.find(({ state }) => state === 'failed') : { detail: 'The server does not show it.' };
    if (!item || failure) {
      const checkpoint = proof.slice(proof.indexOf('\n\n') + 2);
      const message = `The record ${receipt.uuid} is not in the log as it was promised. ${failure!.detail}`;
      throw new ReceiptBrokenError(message, { receipt: kept.receipt, checkpoint, found: proof });
    }
    const { policy: text, logKey = kept.verifierKey || undefined } = this.options;
    const checker = new LogChecker(this.transport, {
      ...this.options,
      logKey: text === undefined ? logKey : undefined,
    });
    await checker.prove({ ...item, avatar: receipt.avatar }, signal);
    return true;
  }

  /** Whether the log that the ended one named holds the record, exactly so. @throws as `isFulfilled` */
  private async isInNextLog({ kept, receipt, proof, next, reader, signal }: MovedReceipt): Promise<boolean> {
    const { policy } = this.options;
    const key = readLogKey(next)!;
    if (policy !== undefined && this.acceptedKey(key.name) !== next) {
      const message = `The log ${receipt.log} has ended, and its key named ${next}, which the policy does not accept yet.`;
      throw new SignetError(message, { code: 'log_ended' });
    }
    const item = await itemOf(reader, proof, receipt);
    if (!item || !isReceiptOf(receipt, { ...item, avatar: receipt.avatar })) {
      const message = `The record ${receipt.uuid} is not in the log ${key.name}, which took over, as it was promised.`;
      throw new ReceiptBrokenError(message, { receipt: kept.receipt, checkpoint: null, found: proof });
    }
    const heads = new MemoryHeadStore();
    const logKey = policy === undefined ? next : undefined;
    const checker = new LogChecker(this.transport, { ...this.options, heads, logKey });
    await checker.prove({ ...item, avatar: receipt.avatar }, signal);
    return true;
  }

  /** The key that the policy accepts for the log of this name; empty without a policy, and where it accepts none. */
  private acceptedKey(origin: string): string {
    const { policy } = this.options;
    const log = policy === undefined ? undefined : readPolicy(policy).logs.find(({ key }) => key.name === origin);
    return log ? writeVerifierKey(log.key) : '';
  }

  /** The verifier key that receipts are checked by and kept with; empty where none is known, and with a policy. */
  private async knownKey(reader: LogReader): Promise<string> {
    const { policy, logKey, heads, receipts } = this.options;
    if (policy !== undefined) return '';
    if (logKey !== undefined) return logKey;
    const remembered = this.knowsHeads ? (await heads?.get(this.transport.baseUrl))?.verifierKey : undefined;
    if (remembered || !receipts) return remembered ?? '';
    // The record is recorded already, so a failure of these questions must not fail the write.
    const [kept] = await Promise.resolve(receipts.all(this.transport.baseUrl)).catch(() => []);
    return kept?.verifierKey || ((await reader.info().catch(nullForSignetError))?.verifier_key ?? '');
  }

  private policyOf(verifierKey: string): Policy | null {
    if (this.options.policy !== undefined) return readPolicy(this.options.policy);
    const key = readLogKey(verifierKey);
    return key && logOnlyPolicy(key);
  }
}

function denied({ receipt: text }: KeptReceipt, { uuid, deadline }: Receipt, error: SignetError): ReceiptBrokenError {
  const message =
    `The record ${uuid} was promised to be in the log until ${instant(deadline)}, and the server denies its log since a ` +
    `day: ${error.message}`;
  return new ReceiptBrokenError(message, { receipt: text, checkpoint: null, found: null });
}

/** The record that the server shows under the number of the entry of a proof. */
async function itemOf(
  reader: LogReader,
  proof: string,
  { kind, uuid }: Receipt,
): Promise<{ record: NamedRecord } | null> {
  const extra = readLogProof(proof)?.extra;
  const entry = extra && readEntry(extra);
  if (!entry) return null;
  const followed = kindNamed(kind);
  const records = followed ? await reader.records(followed, entry.id - 1) : [];
  const record = records.find((one) => one.uuid === uuid);
  return followed && record ? named(followed, record) : null;
}

function nullForSignetError(error: unknown): null {
  if (error instanceof SignetError) return null;
  throw error;
}

function nullWhereNotThere(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
