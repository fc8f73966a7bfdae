import { IsString } from 'class-validator';
import { HttpUrls, Int, IsSeed, Secret } from '../setting-kinds.js';

/** Observers: this service as one that looks at the bindings of other servers, and those whose word it shows. */
export class ObserverSettings {
  /**
   * Other servers of Signet, by their base URLs with commas between them. This server follows their links, looks at
   * each binding with its own readers, and signs what it saw, at `/v1/proofs/seen` (docs/observers.md). Absent: none.
   */
  @Secret()
  @HttpUrls()
  LOOK_AT: string[] = [];

  /** Seconds between two looks at one binding; statements are believed for seven days. */
  @Int(3600, 3 * 24 * 3600)
  LOOK_SECONDS: number = 24 * 3600;

  /** Links that are read of one server of LOOK_AT; what is behind them is not followed. About 1 KB each. */
  @Int(1)
  LOOK_LINKS: number = 1_000_000;

  /**
   * The private key of what this server saw, an Ed25519 seed as 64 hex digits; absent: made at first start and kept in
   * the database, so that all servers share it. No other key.
   */
  @Secret()
  @IsSeed()
  SEEN_KEY?: string;

  /**
   * Whose statements about its own bindings this server collects and shows, as theirs: the path of a file with lines
   * `observer <operator> <verifier key> <url>`, or its text. Absent: none.
   */
  @Secret()
  @IsString()
  OBSERVERS?: string;
}
