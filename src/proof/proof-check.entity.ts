import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The outcome of a check: the proof is valid or gone, or the check was impossible because the platform did not answer
 * or this server lacks a setting.
 */
export const CHECK_OUTCOMES = ['valid', 'gone', 'unavailable', 'misconfigured'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** One check of a binding. The create is the first; the newest few are kept. */
@Entity('proof_check')
export class ProofCheck {
  @PrimaryColumn({ type: 'bigint' })
  proofId: number;

  /** Ascending in the order of the checks. */
  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'timestamptz' })
  checkedAt: Date;

  @Column({ type: 'text' })
  outcome: CheckOutcome;

  /** One sentence; `''` where the outcome is `valid`. */
  @Column({ type: 'text' })
  reason: string;
}
