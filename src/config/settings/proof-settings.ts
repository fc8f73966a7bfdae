import { MinLength } from 'class-validator';
import { Flag, Int, Secret } from '../setting-kinds.js';

/** Payloads, bindings and their rechecks. */
export class ProofSettings {
  /**
   * Key of the HMAC in the uuid of payloads; absent: made once and kept in the database, so that all servers share it.
   */
  @Secret()
  @MinLength(32, { message: 'PAYLOAD_SECRET must be at least 32 characters' })
  PAYLOAD_SECRET?: string;

  /** Seconds for which an issued payload can be submitted. */
  @Int(60)
  PAYLOAD_TTL_SECONDS: number = 7 * 24 * 3600;

  /** Live bindings that one Avatar may hold. */
  @Int(1)
  MAX_BINDINGS_PER_AVATAR: number = 1000;

  /**
   * Whether this server rechecks proofs by itself. Off, the schedule is still kept, and other servers may follow it.
   */
  @Flag()
  REVALIDATION: boolean = true;

  /** Seconds between two rechecks of a proof, once it is past its first day; each has a spread of 10 %. */
  @Int(60, 365 * 24 * 3600)
  RECHECK_SECONDS: number = 3 * 24 * 3600;

  /**
   * Seconds between two rechecks, at most, on a platform that is paid for each read (X with a token): from its third
   * week on the interval of a binding doubles up to this, until somebody looks the binding up. No more than
   * RECHECK_SECONDS: it does not grow.
   */
  @Int(60, 365 * 24 * 3600)
  RECHECK_LONGEST_SECONDS: number = 60 * 24 * 3600;

  /**
   * Rechecks at the same time on each platform. A platform never gets more requests than six at once, and creates need
   * some of them.
   */
  @Int(1, 6)
  RECHECK_CONCURRENCY: number = 4;

  /** Checks of one binding that its history keeps. */
  @Int(1, 1000)
  RECHECK_HISTORY: number = 50;
}
