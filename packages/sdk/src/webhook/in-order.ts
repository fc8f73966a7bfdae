/** Handles facts once and in order, although webhooks repeat and overtake each other. */
import { type EventFact, isEvent, type WebhookFact } from './facts.js';
import { type HandledPosition, MemoryWebhookStore, type WebhookStore } from './webhook-store.js';

/** What an app does with a fact. The server sends it again where this throws. */
export type FactHandler = (fact: EventFact) => Promise<void> | void;

/** How facts are handled. */
export interface HandlerOptions {
  /** Remembers what was handled; in memory when absent. */
  store?: WebhookStore | undefined;
}

/** A lower position that was recorded so much later is of a server whose database was restored: it counts anew. */
const RESTORED_AFTER_MS = 300_000;

/** One fact at a time of each subject; a repeat, and one that a newer fact of its subject has overtaken, is dropped. */
export class InOrder {
  readonly #store: WebhookStore;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly onFact: FactHandler,
    { store = new MemoryWebhookStore() }: HandlerOptions = {},
  ) {
    this.#store = store;
  }

  /**
   * Ends when the fact was handled, or dropped. A test, or a type of a later version, is dropped.
   * @throws what the handler of the app, or the store, throws
   */
  async handle(fact: WebhookFact): Promise<void> {
    if (!isEvent(fact)) return;
    const subject = subjectOf(fact);
    const before = this.#running.get(subject);
    // What the fact before failed with is the matter of its own request.
    const run = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.#handleNext(subject, fact));
    this.#running.set(subject, run);
    try {
      await run;
    } finally {
      if (this.#running.get(subject) === run) this.#running.delete(subject);
    }
  }

  async #handleNext(subject: string, fact: EventFact): Promise<void> {
    const newest = await this.#store.get(subject);
    const here = { position: fact.data.position, recordedAt: Date.parse(fact.timestamp) };
    if (newest && !isNewer(here, newest)) return;
    await this.onFact(fact);
    await this.#store.set(subject, here);
  }
}

/**
 * What a newer fact replaces an older one of: the state of a binding, the content of an Avatar under a name, or the
 * archive of one link. No news of keys replaces another.
 */
function subjectOf({ type, data }: EventFact): string {
  const [kind] = type.split('.');
  if (type === 'link.archived') return `link ${data.uuid}`;
  if (!('platform' in data)) return `${type} ${data.uuid}`;
  return `${kind} ${data.avatar} ${data.platform} ${data.identity}`;
}

function isNewer(here: HandledPosition, newest: HandledPosition): boolean {
  return here.position > newest.position || here.recordedAt > newest.recordedAt + RESTORED_AFTER_MS;
}
