/** A receipt that is kept until the log has what it promises. */
export interface KeptReceipt {
  uuid: string;
  /** The receipt, as it was signed. */
  receipt: string;
  /** The verifier key of the log, as it was known when the receipt came; empty where a policy says it. */
  verifierKey: string;
  /** UNIX seconds since when the server has denied its log; absent where it answers. */
  deniedSince?: number | undefined;
}

/** Keeps receipts of writes. A page may use localStorage, a server a table. */
export interface ReceiptStore {
  /** `key` is the base URL of the server. */
  all(key: string): Promise<KeptReceipt[]> | KeptReceipt[];
  /** Replaces one of the same uuid. */
  add(key: string, kept: KeptReceipt): Promise<void> | void;
  remove(key: string, uuid: string): Promise<void> | void;
}

/** Keeps receipts as long as the program runs. */
export class MemoryReceiptStore implements ReceiptStore {
  private readonly kept = new Map<string, Map<string, KeptReceipt>>();

  all(key: string): KeptReceipt[] {
    return [...(this.kept.get(key)?.values() ?? [])];
  }

  add(key: string, kept: KeptReceipt): void {
    const receipts = this.kept.get(key) ?? new Map<string, KeptReceipt>();
    this.kept.set(key, receipts.set(kept.uuid, kept));
  }

  remove(key: string, uuid: string): void {
    this.kept.get(key)?.delete(uuid);
  }
}
