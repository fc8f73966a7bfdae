import type { TreeHead } from '@signet/verify/log';

/** A tree of this log, by the number of its entries and its root of 32 bytes. */
export type Head = Omit<TreeHead, 'origin'>;

/** A tree head that was signed. */
export interface SignedHead extends Head {
  /** The signed note (C2SP signed-note). */
  note: string;
  signedAt: Date;
}

/** The columns of a `SignedHead`, for a statement that names the row of `log_checkpoint` `head`. */
export const HEAD_COLUMNS = 'head.size, head.root, head.note, head.signed_at as "signedAt"';
