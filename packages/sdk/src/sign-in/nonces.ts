/** Nonces of sign-ins, each good for one. */

/** Gives out nonces, and takes each back once. One that many servers share keeps them in a database. */
export interface NonceStore {
  /** A new nonce: letters and digits, at least eight. */
  issue(): string | Promise<string>;
  /** True for a nonce that was given out, is not too old and was not taken yet: never twice for one. */
  take(nonce: string): boolean | Promise<boolean>;
}

const NONCE_SECONDS = 600;
/** Strangers ask for nonces: the oldest go first. */
const MAX_NONCES = 100_000;

/** Nonces in the memory of one process. */
export class MemoryNonceStore implements NonceStore {
  /** When each ends, milliseconds of the clock, oldest first. */
  private readonly ends = new Map<string, number>();

  /** @param seconds for which a nonce is good; 600 when absent */
  constructor(private readonly seconds = NONCE_SECONDS) {}

  issue(): string {
    const nonce = crypto.randomUUID().replaceAll('-', '');
    this.forgetOld();
    this.ends.set(nonce, Date.now() + this.seconds * 1000);
    return nonce;
  }

  take(nonce: string): boolean {
    const end = this.ends.get(nonce);
    this.ends.delete(nonce);
    return end !== undefined && Date.now() < end;
  }

  private forgetOld(): void {
    for (const [nonce, end] of this.ends) {
      if (end > Date.now() && this.ends.size < MAX_NONCES) return;
      this.ends.delete(nonce);
    }
  }
}
