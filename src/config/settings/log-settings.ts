import { FilledList, Flag, Int, IsLogName, IsSeed, Secret } from '../setting-kinds.js';

/** The transparency log of this deployment. */
export class LogSettings {
  /** Whether every signed record becomes an entry of the transparency log at `/log` (docs/log.md). */
  @Flag()
  LOG: boolean = true;

  /**
   * The private key of the log, an Ed25519 seed as 64 hex digits; absent: made at first start and kept in the
   * database, so that all servers share it. With a key that is given, a first log begins when
   * `npm run log -- new-origin` says that it is new.
   */
  @Secret()
  @IsSeed()
  LOG_KEY?: string;

  /**
   * The name of the log for good, best its URL without scheme and without a slash at the end, such as
   * `signet.example/log`; absent: a log keeps the name that it has, and a new one is called by the address of
   * PUBLIC_URL, such as `id.example.org/log`, otherwise by SERVICE_NAME and the beginning of the hash of the key.
   */
  @IsLogName()
  LOG_ORIGIN?: string;

  /**
   * Folders on other disks, to which the newest tree head is written as it is to DATA_DIR. At the start the largest one
   * counts: so a machine that was set back to a snapshot is noticed (docs/log.md).
   */
  @FilledList()
  LOG_HEAD_FOLDERS?: string[];

  /**
   * Bytes of memory for files of the log that never change, which an audit reads all: some 290 MB for a million
   * entries. Absent: an eighth of the memory of this machine or container, at most 512 MiB. Workers share it. What is
   * not in memory is read from the database.
   */
  @Int(1024 * 1024)
  LOG_CACHE_BYTES?: number;

  /**
   * Seconds within which a record is in the log, as the receipt of a write promises (docs/log.md). It has to be longer
   * than the log may be refused or behind: a promise that is not kept can be shown to anybody. Clients take no promise
   * for more than two days.
   */
  @Int(60, 172_800)
  LOG_RECEIPT_SECONDS: number = 86_400;
}
