/** How far a receiver has come with one subject. */
export interface HandledPosition {
  /** `data.position` of the newest fact that was handled. */
  position: number;
  /** When that was recorded, milliseconds since 1970. */
  recordedAt: number;
}

/**
 * Remembers how far a receiver has come, so that a repeat, and what was overtaken, is handled by nobody. Subjects are
 * texts of at most some hundred characters; keep them in a table of your own where facts must not be handled again
 * after a restart, or where several processes receive.
 */
export interface WebhookStore {
  get(subject: string): Promise<HandledPosition | undefined> | HandledPosition | undefined;
  set(subject: string, position: HandledPosition): Promise<void> | void;
}

/** Remembers the newest subjects in memory, 100,000 when `max` is absent: some 30 MB. */
export class MemoryWebhookStore implements WebhookStore {
  readonly #positions = new Map<string, HandledPosition>();
  readonly #max: number;

  constructor(max = 100_000) {
    this.#max = max;
  }

  get(subject: string): HandledPosition | undefined {
    return this.#positions.get(subject);
  }

  set(subject: string, position: HandledPosition): void {
    this.#positions.delete(subject);
    this.#positions.set(subject, position);
    // A map has its entries in the order in which they were set.
    if (this.#positions.size > this.#max) this.#positions.delete(this.#positions.keys().next().value!);
  }
}
