import { DnssecError } from './dnssec-error.js';

/** What the check of one chain may take: chains are made by others, and some are made to take long (KeyTrap). */
export interface Budget {
  /** @throws DnssecError before the 17th signature is checked */
  sign(): void;
  /** @throws DnssecError before more than 64 KiB are hashed */
  hash(bytes: number): void;
}

const MAX_SIGNATURES = 16;
const MAX_HASHED_BYTES = 64 * 1024;

/** The budget of one check. */
export function newBudget(): Budget {
  let [signatures, hashed] = [0, 0];
  return {
    sign: () => {
      signatures += 1;
      if (signatures > MAX_SIGNATURES) throw new DnssecError(`It takes more than ${MAX_SIGNATURES} signatures.`);
    },
    hash: (bytes) => {
      hashed += bytes;
      if (hashed > MAX_HASHED_BYTES) throw new DnssecError(`It takes more than ${MAX_HASHED_BYTES} bytes of hashing.`);
    },
  };
}
