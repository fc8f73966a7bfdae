import type { ArchiveStore, Purse, SignedItem, Whereabouts } from './archive-store.js';

/** ARCHIVE=none: takes no document, so there is never anything to send, and `archive_id` stays `''`. */
export class NoArchive implements ArchiveStore {
  async sign(): Promise<SignedItem | null> {
    return null;
  }

  async pack(): Promise<string> {
    return '';
  }

  async send(): Promise<void> {}

  async whereabouts(): Promise<Whereabouts> {
    return 'lost';
  }

  async isServed(): Promise<boolean> {
    return false;
  }

  async purse(): Promise<Purse | null> {
    return null;
  }
}
