/** Receipts of writes: checked when they come, kept, and held against the log later. */
import {
  logOnlyPolicy,
  type Policy,
  readLogKey,
  readLogProof,
  readEntry,
  readPolicy,
  readReceipt,
  type Receipt,
  verifyReceipt,
} from '@signet/verify/log';
import type { SignedLink, SignedPatch } from '@signet/verify';
import { refuse } from '../checks.js';
import { NotFoundError, ReceiptBrokenError, SignetError } from '../errors.js';
import type { Transport } from '../transport.js';
import { LogChecker, type LogOptions } from './log-checker.js';
import { LogReader } from './log-reader.js';
import { MemoryReceiptStore, type KeptReceipt, type ReceiptStore } from './receipt-store.js';

/** What a write was about. */
export interface WrittenRecord {
  kind: 'link' | 'kv';
  /** Compressed key. */
  avatar: string;
  uuid: string;
}

/** What came of the receipts that were kept. */
export interface CheckedReceipts {
  /** Those whose records are in the log, exactly so. They are not kept any longer. */
  fulfilled: Receipt[];
  /** Those whose records are not in the log yet, and whose time has not passed. */
  waiting: Receipt[];
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
   * is asked for again. Null where the server gave none.
   * @throws VerificationError if it is no receipt of this record, signed by the key that is known
   */
  async take(given: string | undefined, written: WrittenRecord, signal?: AbortSignal): Promise<string | null> {
    const reader = new LogReader(this.transport, signal, 0);
    const text = given ?? (await reader.receipt(written.uuid).catch(nullForSignetError));
    if (text === null) return null;
    const receipt = readReceipt(text)?.receipt;
    const { kind, avatar, uuid } = written;
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
    if (this.options.receipts) await this.store.add(this.transport.baseUrl, { uuid, receipt: text, verifierKey });
    return text;
  }

  /**
   * Holds what is kept against the log. Removes what is fulfilled; broken ones stay.
   * @throws ReceiptBrokenError for the first one whose time has passed and whose record is not in the log, or which is
   *   in it otherwise; what `LogChecker.prove` throws
   */
  async check(signal?: AbortSignal): Promise<CheckedReceipts> {
    const checked: CheckedReceipts = { fulfilled: [], waiting: [] };
    let broken: ReceiptBrokenError | null = null;
    for (const kept of await this.store.all(this.transport.baseUrl)) {
      const { receipt } = readReceipt(kept.receipt) ?? refuse('What was kept', 'It is not a receipt.');
      try {
        const isLogged = await this.isFulfilled(kept, receipt, signal);
        checked[isLogged ? 'fulfilled' : 'waiting'].push(receipt);
        if (isLogged) await this.store.remove(this.transport.baseUrl, kept.uuid);
      } catch (error) {
        if (!(error instanceof ReceiptBrokenError)) throw error;
        broken ??= error;
      }
    }
    if (broken) throw broken;
    return checked;
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
    const policy = this.policyOf(kept.verifierKey || (await reader.info()).verifier_key);
    if (!policy) refuse('The key of the log', 'It is not a verifier key of a log.');
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

/** The link or patch that the server shows under the number of the entry of a proof. */
async function itemOf(
  reader: LogReader,
  proof: string,
  { kind, uuid }: Receipt,
): Promise<{ link: SignedLink } | { patch: SignedPatch } | null> {
  const extra = readLogProof(proof)?.extra;
  const entry = extra && readEntry(extra);
  if (!entry) return null;
  const records = kind === 'link' ? await reader.links(entry.id - 1) : await reader.patches(entry.id - 1);
  const record = records.find((one) => one.uuid === uuid);
  if (!record) return null;
  return kind === 'link' ? { link: record as SignedLink } : { patch: record as SignedPatch };
}

function nullForSignetError(error: unknown): null {
  if (error instanceof SignetError) return null;
  throw error;
}

function nullWhereNotThere(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

const instant = (seconds: number) => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString();
