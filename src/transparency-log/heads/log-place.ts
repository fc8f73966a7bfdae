import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OPEN_DATABASE, type OpenDatabase } from '../../database/database.js';
import { clusterFolder } from '../../database/embedded/embedded-folder.js';

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
  /** Of the embedded database: inode and time of birth of a file of its cluster, which no copy has in common. */
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
  private sql: Promise<string> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OPEN_DATABASE) private readonly database: OpenDatabase,
  ) {}

  /** The columns of a `PlaceRow`, for a statement that names the row of `log_state` `state`. */
  async columns(): Promise<string> {
    // A logical copy writes the row in a transaction of its own. VACUUM, also FULL, and CLUSTER keep `xmin`.
    return `state.place as recorded_place, state.xmin = state.written_by::xid as is_own_row,
      ${await this.expression()} as place`;
  }

  /** An expression of type jsonb: the place of the connection that evaluates it. What it may ask is found out once. */
  expression(): Promise<string> {
    return (this.sql ??= this.findExpression().catch((error: unknown) => {
      this.sql = undefined;
      throw error;
    }));
  }

  private async findExpression(): Promise<string> {
    const [system, timeline] = [await this.unlessHidden(SYSTEM), await this.unlessHidden(TIMELINE)];
    const { dataDir } = this.database;
    const folder = dataDir === undefined ? 'null' : `'${await identityOfFolder(dataDir)}'`;
    return `jsonb_build_object('system', ${system}, 'timeline', ${timeline}, 'folder', ${folder}::text,
      'database', (select oid::text from pg_database where datname = current_database()))`;
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

/** What has changed since the log was signed last; null too where that was never recorded. */
export function placeChange({ recorded_place: recorded, is_own_row: isOwn, place }: PlaceRow): PlaceChange {
  const differs = (name: keyof LogPlace) =>
    recorded !== null && recorded[name] !== null && place[name] !== null && recorded[name] !== place[name];
  if (isOwn === false || differs('system') || differs('database') || differs('folder')) return 'copy';
  return differs('timeline') ? 'timeline' : null;
}

/** Whether the place is the one that `log_state` holds, so that there is nothing to record. */
export function isPlaceRecorded({ recorded_place: recorded, is_own_row: isOwn, place }: PlaceRow): boolean {
  return isOwn === true && recorded !== null && MEMBERS.every((name) => recorded[name] === place[name]);
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

/** The first file of a cluster is never replaced; moving the folder keeps it, and copying makes another one. */
async function identityOfFolder(dataDir: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(path.join(clusterFolder(dataDir), 'PG_VERSION'), { bigint: true });
  return `${ino}-${birthtimeNs}`;
}
