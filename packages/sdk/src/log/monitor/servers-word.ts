/** Links of a log that are signed by their Avatars, and whose wallets only the server has asked. */
import { type Verification, WALLET_PLATFORMS } from '@signet/verify';
import type { LogEntry } from '@signet/verify/log';
import type { FeedLink } from '../../answers.js';
import type { FeedPatch } from '../log-reader.js';
import type { MonitorEvent } from './monitor-events.js';

/**
 * The event for a link that binds a wallet whose signature could not be checked; none for other records. Posts have no
 * such event, because all of them are the word of the server.
 */
export function serversWordIn(
  about: { index: number; entry: LogEntry },
  record: FeedLink | FeedPatch,
  { ok, steps }: Verification,
): MonitorEvent[] {
  const open = steps.find(({ name, state }) => name === 'wallet_signature' && state === 'not_checkable');
  if (!ok || !open || !('action' in record) || !WALLET_PLATFORMS.includes(record.platform)) return [];
  return [{ type: 'by_the_server', ...about, record, message: open.detail }];
}
