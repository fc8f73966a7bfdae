import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../../../database/database.js';
import { FolderMarks } from '../../../database/embedded/folder-marks.js';

/**
 * Where a log is signed. A copy of the database takes these along as they were, and has others itself; null where the
 * database does not say.
 */
interface LogPlace {
  /** The number that `initdb` gives a cluster; a base backup and a standby keep it. */
  system: string | null;
  /** The OID of the database in its cluster. */
  database: string | null;
  /** Of PostgreSQL: one more with each promotion and each recovery to a point in time; 8 hex digits. */
  timeline: string | null;
  /** Of the embedded database: the mark of its folder (`FolderMarks`), which no copy has in common. */
  folder: string | null;
}

/**
 * What has happened to the database since the log was signed in it last: `copy`: its rows were copied into it (a dump,
 * a logical replica, a copied folder); `timeline`: a standby was promoted, or the cluster was recovered to a point in
 * time; null: nothing that can be seen.
 */
export type PlaceChange = 'copy' | 'timeline' | null;

/** What the columns of `LogPlaces` say. */
export interface PlaceRow {
  recorded_place: LogPlace | null;
  /** Whether the transaction that `log_state` names has written its row; null if none is named. */
  is_own_row: boolean | null;
  place: LogPlace;
  /** Milliseconds since 1970 by the clock of the database. */
  asked_at_ms: number;
}

/** What a `PlaceRow` says. */
export interface PlaceVerdict {
  change: PlaceChange;
  /** Whether `log_state` says where the log is signed now, so that there is nothing to record. */
  isPlaceRecorded: boolean;
  /** When this was so: milliseconds since 1970 by the clock of the database. */
  askedAtMs: number;
}

const MEMBERS = ['system', 'database', 'timeline', 'folder'] as const;
/** Insufficient privilege, undefined function, feature not supported: a service may not show what a server does. */
const NOT_SHOWN = ['42501', '42883', '0A000'];

const SYSTEM = '(select system_identifier::text from pg_control_system())';
/** Right from the first moment of a promotion, while the control file waits for a checkpoint. */
const TIMELINE = 'case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end';

/** Finds out where the database is, and whether it is where the log was signed last. */
@Injectable()
export class LogPlaces {
  private sql: Promise<{ system: string; timeline: string }> | undefined;
  private marks: FolderMarks | null = null;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /** The columns of a `PlaceRow`, for a statement that names the row of `log_state` `state`. */
  async columns(): Promise<string> {
    // A logical copy writes the row in a transaction of its own. VACUUM, also FULL, and CLUSTER keep `xmin`.
    return `state.place as recorded_place, state.xmin = state.written_by::xid as is_own_row,
      ${await this.expression()} as place, (extract(epoch from clock_timestamp()) * 1000)::float8 as asked_at_ms`;
  }

  /**
   * An expression of type jsonb: the place of the connection that evaluates it, to be recorded. Its transaction is
   * followed by `settle`. The folder of an embedded database gets a new mark for it.
   */
  async here(): Promise<string> {
    await this.expression();
    await this.marks?.renew();
    return this.expression();
  }

  /** Whether the place should be recorded anew before the next tree head: where a mark in the folder has become old. */
  get isStale(): boolean {
    return this.marks !== null && !this.marks.isFresh;
  }

  /** Removes from the folder what showed the place that was recorded before. Nothing is signed until that is done. */
  async settle(): Promise<void> {
    await this.marks?.removeOlder();
  }

  /** What has happened to the database since the log was signed last, as far as that was recorded. */
  judge({ recorded_place: recorded, is_own_row: isOwn, place, asked_at_ms: askedAtMs }: PlaceRow): PlaceVerdict {
    const differs = (name: keyof LogPlace) =>
      recorded !== null && recorded[name] !== null && place[name] !== null && recorded[name] !== place[name];
    const isOtherFolder = this.marks !== null && !!recorded?.folder && !this.marks.knows(recorded.folder);
    const isCopy = isOwn === false || differs('system') || differs('database') || isOtherFolder;
    const isPlaceRecorded =
      isOwn === true &&
      recorded !== null &&
      MEMBERS.every((name) => recorded[name] === place[name]) &&
      this.marks?.isAlone !== false;
    return { change: isCopy ? 'copy' : differs('timeline') ? 'timeline' : null, isPlaceRecorded, askedAtMs };
  }

  private async expression(): Promise<string> {
    this.sql ??= this.findExpressions().catch((error: unknown) => {
      this.sql = undefined;
      throw error;
    });
    const { system, timeline } = await this.sql;
    const folder = this.marks?.identity ? `'${this.marks.identity}'` : 'null';
    return `jsonb_build_object('system', ${system}, 'timeline', ${timeline}, 'folder', ${folder}::text,
      'database', (select oid::text from pg_database where datname = current_database()))`;
  }

  /** What may be asked is found out once. */
  private async findExpressions(): Promise<{ system: string; timeline: string }> {
    const [system, timeline] = [await this.unlessHidden(SYSTEM), await this.unlessHidden(TIMELINE)];
    const { dataDir } = this.database;
    this.marks = dataDir === undefined ? null : await FolderMarks.read(dataDir);
    return { system, timeline };
  }

  /** `expression`, or the word null where the role or the service may not ask for it. */
  private async unlessHidden(expression: string): Promise<string> {
    try {
      await this.dataSource.query(`select ${expression}`);
      return expression;
    } catch (error) {
      if (NOT_SHOWN.includes((error as { code?: string }).code ?? '')) return 'null::text';
      throw error;
    }
  }
}

/** What to do where newer tree heads may have been shown, in words for the operator. */
export function whatToDo(change: Exclude<PlaceChange, null>): string {
  const what =
    change === 'copy'
      ? 'This database was restored from a copy, or moved, since the log was signed last'
      : 'PostgreSQL was promoted, or recovered to a point in time, since the log was signed last, and this server has not seen the newest tree head itself';
  return (
    `${what}: newer tree heads may have been shown. Begin a new log: npm run log -- new-origin "<reason>". ` +
    'Only if nothing was signed after the copy was made, or a recovery lost nothing: npm run log -- continue "<reason>".'
  );
}
