/** What an export says of the keys of its Avatar. */
import { KeyChainChecker } from '../key-events/check-key-event.js';
import { checkHolds } from '../key-events/holds.js';
import type { SignedKeyEvent } from '../key-events/key-event.js';
import { nobleCurves } from '../keys/noble-curves.js';
import { ENTRY_KINDS, readEntry, readLogProof } from '../log.js';
import type { Step } from '../steps.js';
import type { ExportFile, OtherRecords } from './export-file.js';

/** Checks the key events of a file, each behind the one before it. */
export function keyRecords(): OtherRecords {
  let checker: KeyChainChecker;
  return {
    keys: (event, { avatar, previous }) => {
      if (!previous) checker = new KeyChainChecker(nobleCurves, avatar);
      return checker.add(event as SignedKeyEvent);
    },
  };
}

/**
 * Whether links or patches of a file were recorded while its keys had stopped its writes, by the times of their entries
 * in the log; no step for a file without key events.
 * @param file whose key events and proofs verify
 */
export function stepsOfHolds({ keys, links, patches, log }: ExportFile): Step[] {
  if (!Array.isArray(keys)) return [];
  const timeOf = ({ uuid }: { uuid: string }) => recordedAt(log?.proofs[uuid]);
  const writes = { links: links.map(timeOf), patches: patches.map(timeOf), now: Date.now() / 1000 };
  return checkHolds(keys as SignedKeyEvent[], writes).steps;
}

/** UNIX seconds; null where the file has no proof of a record. */
function recordedAt(proof: string | undefined): number | null {
  const extra = proof === undefined ? null : readLogProof(proof)?.extra;
  return (extra && readEntry(extra, ENTRY_KINDS)?.recorded_at) ?? null;
}
