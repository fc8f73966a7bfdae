/** What a client remembers of a log: enough to notice a second history. */
export interface StoredHead {
  /** The newest checkpoint that was verified, as it was signed. */
  note: string;
  /** The verifier key of the log, as it was given or first seen. */
  verifierKey: string;
}

/** Keeps the newest head of each log. A page may use localStorage, a server a table; the default forgets at the end. */
export interface HeadStore {
  /** `key` is the base URL of the server. */
  get(key: string): Promise<StoredHead | null> | StoredHead | null;
  /**
   * Stores `head` if what is stored is still `previous`; false if it is not, and then nothing is stored (compare and
   * swap, so that two tabs or processes do not undo each other).
   */
  replace(key: string, previous: StoredHead | null, head: StoredHead): Promise<boolean> | boolean;
}

/** Remembers heads as long as the program runs. */
export class MemoryHeadStore implements HeadStore {
  private readonly heads = new Map<string, StoredHead>();

  get(key: string): StoredHead | null {
    return this.heads.get(key) ?? null;
  }

  replace(key: string, previous: StoredHead | null, head: StoredHead): boolean {
    if ((this.heads.get(key)?.note ?? null) !== (previous?.note ?? null)) return false;
    this.heads.set(key, head);
    return true;
  }
}
