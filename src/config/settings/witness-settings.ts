import { IsOptional, IsString, Matches } from 'class-validator';
import { Flag, Int, Secret } from '../setting-kinds.js';

/** Witnesses: those that sign the checkpoints of this log, and this service as a witness of other logs. */
export class WitnessSettings {
  // Witnesses of this log

  /**
   * Whose cosignatures this log asks for: the path of a policy file (C2SP tlog-policy, as Sigsum and Tessera write it),
   * or its text. Each witness needs its URL; lines `log` do not matter. Absent: no witness is asked.
   */
  @IsOptional()
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
  @IsOptional()
  @IsString()
  WITNESS_LOGS?: string;

  /**
   * The private key of the witness, an Ed25519 seed as 64 hex digits; absent: made at first start and kept in the
   * database, so that all servers share it. Not the key of the log.
   */
  @Secret()
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/i, { message: 'WITNESS_KEY must be 64 hex digits (an Ed25519 seed of 32 bytes)' })
  WITNESS_KEY?: string;

  /**
   * The name of the witness for good, best a URL without scheme such as `signet.example/witness`; absent: SERVICE_NAME
   * and the beginning of the hash of the key.
   */
  @IsOptional()
  @Matches(/^[^\s+\p{C}]{1,200}$/u, { message: 'WITNESS_NAME must be up to 200 characters without spaces and +' })
  @Matches(/^(?!.*:\/\/)(?!.*\/$)/, {
    message: 'WITNESS_NAME must have no scheme such as https:// and no slash at the end',
  })
  WITNESS_NAME?: string;
}
