/** What an export says of the keys of its Avatar. */
import { type ExportFile, nobleCurves, type OtherRecords, type Step } from '@signet/verify';
import { KeyChainChecker } from '@signet/verify/internal/key-events';
import { type SignedKeyEvent, verifyHolds } from '@signet/verify/key-events';
import { ENTRY_KINDS, readEntry, readLogProof } from '@signet/verify/log';

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
  return verifyHolds(keys as SignedKeyEvent[], writes).steps;
}

/** UNIX seconds; null where the file has no proof of a record. */
function recordedAt(proof: string | undefined): number | null {
  const extra = proof === undefined ? null : readLogProof(proof)?.extra;
  return (extra && readEntry(extra, ENTRY_KINDS)?.recorded_at) ?? null;
}
