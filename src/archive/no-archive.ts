import type { ArchiveStore, WalletBalance, SignedItem, DeliveryStatus } from './archive-store.js';

/** ARCHIVE=none: takes no document, so there is never anything to send, and `archive_id` stays `''`. */
export class NoArchive implements ArchiveStore {
  async sign(): Promise<SignedItem | null> {
    return null;
  }

  async pack(): Promise<string> {
    return '';
  }

  async send(): Promise<void> {}

  async status(): Promise<DeliveryStatus> {
    return 'unknown';
  }

  async isServed(): Promise<boolean> {
    return false;
  }

  async walletBalance(): Promise<WalletBalance | null> {
    return null;
  }
}
