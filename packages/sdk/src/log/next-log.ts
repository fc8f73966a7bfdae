/** Finds the log that took over from one that has ended, by the notes that the keys of ended logs signed. */
import { readNextLog } from '@signet/verify/internal/log';
import { readLogKey } from '@signet/verify/log';
import type { LogInfo } from './log-reader.js';

/**
 * The verifier key of the log that is signed now, where the key `known` named it, perhaps through logs between; `known`
 * itself where that log goes on; null where nothing that `known` signed leads to it.
 */
export function logBehind(known: string, { verifier_key: now, ended = [] }: LogInfo): string | null {
  const seen = new Set<string>();
  for (let key = known; !seen.has(key);) {
    if (key === now) return key;
    seen.add(key);
    const parsed = readLogKey(key);
    const note = parsed && ended.find(({ origin }) => origin === parsed.name)?.next;
    const next = parsed && note ? readNextLog(note, parsed) : null;
    if (!next) return null;
    key = next.next;
  }
  return null;
}
