/** Which observers a client asks, and what it answers of them. */
import type { ObserverState, ObserverView, SeenVerdict } from '@signet/verify/seen';

/** Where the statements of one observer are, and its key. */
export interface ObserverSource {
  /** Who runs it; several keys of one operator count once. The name of the key when absent. */
  operator?: string | undefined;
  /** `<name>+<id>+<Base64>`, as `GET /v1/proofs/seen/keys` of the observer names it. */
  key: string;
  /** Base URL. */
  url: string;
}

/** Which observers a client trusts about posts. */
export interface ObserverOptions {
  /** A list of observers with their URLs (docs/observers.md), or its lines one by one. */
  observers: string | readonly ObserverSource[];
  /**
   * How many have to agree; absent: as the list says, or all but one of two to five and all but two of more. With 1 one
   * observer decides alone, which `SeenByOthers.warning` says.
   */
  quorum?: number | undefined;
}

/** Why it is not known whether an observer has a statement. */
export type Unread = 'could_not_ask' | 'too_many';

/** What one observer says of a binding. */
export interface ObserverWord extends Omit<ObserverView, 'state'> {
  /**
   * `could_not_ask`: it gave no answer, or none that can be read. `too_many`: it shows more statements about this
   * Avatar than the 1,000 that are read, and among these none about the link.
   */
  state: ObserverState | Unread;
}

/** What the observers of a client say together; the server that is asked is none of them. */
export interface SeenByOthers extends Omit<SeenVerdict, 'observers'> {
  observers: ObserverWord[];
  /** The signed statements about this link, to be checked again or kept: of each observer its newest. */
  notes: string[];
  /** Why the result is weaker than it looks: one observer is enough for it. Null otherwise. */
  warning: string | null;
}
