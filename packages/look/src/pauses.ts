import { type Look, unread } from './look.js';

/** Platforms that asked for a time without requests. */
export class Pauses {
  /** Until when, milliseconds since 1970, and the look that learnt it. */
  private readonly known = new Map<string, { untilMs: number; look: Look }>();

  /** The look that stands for one that would come too early; null where the platform may be asked. */
  of(platform: string): Look | null {
    const pause = this.known.get(platform);
    const seconds = pause ? Math.ceil((pause.untilMs - Date.now()) / 1000) : 0;
    return pause && seconds > 0 ? unread('could_not_look', pause.look.reason, 'limit', seconds) : null;
  }

  /** Remembers what a look says of a pause. */
  note(platform: string, look: Look): void {
    if (look.retryAfterSeconds === null) return;
    this.known.set(platform, { untilMs: Date.now() + look.retryAfterSeconds * 1000, look });
  }
}
