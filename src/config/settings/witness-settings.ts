import { IsString } from 'class-validator';
import { Flag, Int, IsLogName, IsSeed, Secret } from '../setting-kinds.js';

/** Witnesses: those that sign the checkpoints of this log, and this service as a witness of other logs. */
export class WitnessSettings {
  // Witnesses of this log

  /**
   * Whose cosignatures this log asks for: the path of a policy file (C2SP tlog-policy, as Sigsum and Tessera write it),
   * or its text. Each witness needs its URL; lines `log` do not matter. Absent: no witness is asked.
   */
  @IsString()
  LOG_POLICY?: string;

  /** Seconds between two requests to one witness; public witnesses allow some hundreds or thousands a day. */
  @Int(1, 24 * 3600)
  LOG_WITNESS_SECONDS: number = 60;

  // This service as a witness

  /** Whether this service is a witness of the logs in WITNESS_LOGS, at `/witness` (C2SP tlog-witness). */
  @Flag()
  WITNESS: boolean = false;

  /** The logs that it watches: the path of a file with lines `log <verifier key>`, or its text. */
  @IsString()
  WITNESS_LOGS?: string;

  /**
   * The private key of the witness, an Ed25519 seed as 64 hex digits; absent: made at first start and kept in the
   * database, so that all servers share it. Not the key of the log.
   */
  @Secret()
  @IsSeed()
  WITNESS_KEY?: string;

  /**
   * The name of the witness for good, best a URL without scheme such as `signet.example/witness`; absent: SERVICE_NAME
   * and the beginning of the hash of the key.
   */
  @IsLogName()
  WITNESS_NAME?: string;
}
