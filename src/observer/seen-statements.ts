import { Injectable } from '@nestjs/common';
import { statementText } from '@signet/verify/internal/log';
import type { Statement } from '@signet/verify/seen';
import { DataSource, type EntityManager } from 'typeorm';
import { InvalidRequestError } from '@signet/look';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { isPast } from '../database/time-sql.js';
import type { BindingEvent } from '../domain/domain-events.js';
import { offsetOf, type Page } from '../domain/page.js';
import type { IdentityName } from '../domain/identity-name.js';
import {
  type GaugeSource,
  MAX_COUNTED,
  Measured,
  type Readings,
  samplesOf,
  UP_TO_LIMIT,
} from '../measures/measured.js';

/** A statement of one observer about one link. */
export interface SeenStatement extends BindingEvent {
  link: string;
  signer: string;
  uuid: string;
  accountId: string | null;
  isSeen: boolean;
  seenAt: Date;
  /** The signature line, without its line break. */
  line: string;
  /** Hex; `''` where nothing was read, or where another server looked. */
  sha256: string;
  /** Place in the feed; null for what another server said. */
  feedId: number | null;
}

/** What a look-up asks for; one of its members is given. */
export interface SeenSearch {
  avatar?: string;
  account?: IdentityName;
  link?: string;
}

/** Statements of one answer: those of some observers about all that an Avatar has. */
const PER_ANSWER = 100;
/** Statements of all pages of an answer. */
const MOST_STATEMENTS = 10_000;

const GAUGES = {
  signet_seen_links: [`Links of other servers by what this one saw last, each ${UP_TO_LIMIT}`, 'seen'],
} as const;

const COLUMNS = `link_hash as link, signer, avatar, platform, identity, uuid, account_id as "accountId",
  is_seen as "isSeen", seen_at as "seenAt", line, evidence_sha256 as sha256, feed_id as "feedId"`;

/** An older statement of one signer never replaces a newer one. */
const SAVE = `
  insert into seen_statement as known
    (link_hash, signer, avatar, platform, identity, uuid, account_id, is_seen, seen_at, line, evidence_sha256, feed_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $12::boolean then nextval('seen_statement_feed_id') end)
  on conflict (link_hash, signer) do update
    set account_id = excluded.account_id, is_seen = excluded.is_seen, seen_at = excluded.seen_at, line = excluded.line,
      evidence_sha256 = excluded.evidence_sha256, feed_id = excluded.feed_id
    where known.seen_at <= excluded.seen_at`;

/** What was seen of bindings: the newest statement of each observer about each link, this server among them. */
@Injectable()
@Measured()
export class SeenStatements implements GaugeSource<typeof GAUGES> {
  readonly gauges = GAUGES;

  constructor(private readonly dataSource: DataSource) {}

  /** Keeps a statement, in the transaction of `manager`; one of this server gets the next place in its feed. */
  async save(manager: EntityManager, statement: Omit<SeenStatement, 'feedId'>, isOwn: boolean): Promise<void> {
    const { link, signer, avatar, platform, identity, uuid, accountId, isSeen, seenAt, line, sha256 } = statement;
    if (isOwn) await lockStatements(manager);
    const values = [link, signer, avatar, platform, identity, uuid, accountId, isSeen, seenAt, line, sha256, isOwn];
    await manager.query(SAVE, values);
  }

  /**
   * Finds a page of the statements about an account, an Avatar or a link. Statements of one link stand together. At
   * most 10,000 can be read. If there are more, the total is 10,001, so that a reader of all pages sees that some are
   * missing.
   * @throws InvalidRequestError (`page_too_deep`) for a page beyond the first 10,000
   */
  async find({ avatar, account, link }: SeenSearch, page: number): Promise<Page<SeenStatement>> {
    const [condition, values] = account
      ? ['platform = $1 and identity = $2', [account.platform, account.identity]]
      : [avatar === undefined ? 'link_hash = $1' : 'avatar = $1', [avatar ?? link]];
    const offset = offsetOf(page, PER_ANSWER);
    // In the order of an index, also for the count: PostgreSQL would read the table from its beginning.
    const named = `select link_hash, signer from seen_statement where ${condition} order by link_hash, signer`;
    const [counted] = await this.dataSource.query<{ total: number }[]>(
      `select count(*)::int as total from (${named} limit ${MOST_STATEMENTS + 1}) as found`,
      values,
    );
    const { total } = counted!;
    if (total > MOST_STATEMENTS && offset >= MOST_STATEMENTS) {
      throw new InvalidRequestError(
        `There are more statements than the first ${MOST_STATEMENTS}, which are answered: ask for one link at a time.`,
        'page_too_deep',
      );
    }
    const keys = `${named} limit ${PER_ANSWER} offset ${Math.min(offset, MOST_STATEMENTS)}`;
    const items = await this.dataSource.query<SeenStatement[]>(
      `select ${COLUMNS} from (${keys}) as key join seen_statement using (link_hash, signer) order by link_hash, signer`,
      values,
    );
    return { items, total, current: page, per: PER_ANSWER };
  }

  /** Statements of this server behind a place in its feed. A link that is looked at again moves to the end. */
  async changesAfter(lastId: number, count: number): Promise<(SeenStatement & { feedId: number })[]> {
    const sql = `select ${COLUMNS} from seen_statement where feed_id > $1 order by feed_id limit $2`;
    return this.dataSource.query(sql, [lastId, count]);
  }

  /** Forgets what is much older than readers believe. */
  async forgetOld(now = new Date()): Promise<void> {
    await this.dataSource.query(`delete from seen_statement where ${isPast('seen_at', 30, '$1')}`, [now]);
  }

  async readGauges(): Promise<Readings<typeof GAUGES>> {
    const count = (condition: string) =>
      `(select count(*)::int from (select from seen_statement where feed_id is not null and ${condition} limit ${MAX_COUNTED}) as own)`;
    const [row] = await this.dataSource.query<{ yes: number; no: number }[]>(
      `select ${count('is_seen')} as yes, ${count('not is_seen')} as no`,
    );
    return { signet_seen_links: samplesOf('seen', row!) };
  }
}

/** Has own statements, and the bindings that they are about, changed by one transaction at a time, until its end. */
export async function lockStatements(manager: EntityManager): Promise<void> {
  await manager.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.seenStatements]);
}

/** The statement as others read and verify it: a signed note with one line. */
export function noteOf({ link, platform, identity, accountId, isSeen, line }: SeenStatement): string {
  const statement: Statement = { link, platform, identity, account: accountId, seen: isSeen };
  return `${statementText(statement)}\n${line}\n`;
}
