import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Environment } from '../config/environment.js';
import { Replicas } from '../database/replicas.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { MAX_IDENTITY_LENGTH, PlatformService } from '../platform/platform.service.js';
import type { Proof } from './proof.entity.js';

const MAX_IDENTITIES = 50;
/** Bytes of the `identity` parameter after decoding. */
const MAX_QUERY_BYTES = 12 * 1024;

/** One Avatar with all its proofs (contract, Identity group). */
export interface IdentityGroup {
  avatar: string;
  lastArchiveId: string;
  proofs: Pick<Proof, 'platform' | 'identity' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason'>[];
}

/** What is looked for; identities are alternatives, the platform holds for all of them. */
export interface ProofSearch {
  platform?: string | undefined;
  /** As in the query: separated by commas. */
  identity: string;
  exact: boolean;
  page: number;
}

/** A condition on the table `proof` (alias `p`) with its parameters `$1`, `$2`, ... */
interface Condition {
  sql: string;
  parameters: unknown[];
}

interface Row {
  total: string;
  avatar: string | null;
  last_archive_id: string | null;
  platform: string;
  identity: string;
  created_at: Date;
  last_checked_at: Date;
  is_valid: boolean;
  invalid_reason: string;
}

/** Look-ups of bindings by identity (contract, GET /v1/proof; decisions.md 5). */
@Injectable()
export class ProofQueries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
  ) {}

  /**
   * Avatars that hold a matching proof, each with all its proofs; the Avatar with the newest matching proof first.
   * @throws InvalidRequestError for too many or too long identities and (`unknown_platform`) an unknown platform.
   */
  async find(search: ProofSearch): Promise<Page<IdentityGroup>> {
    const condition = this.conditionOf(search, splitIdentities(search.identity));
    if (!condition) return { items: [], total: 0, current: search.page };
    const next = condition.parameters.length + 1;
    const ask = (manager: EntityManager): Promise<Row[]> =>
      manager.query(listSql(condition.sql, next), [...condition.parameters, PER_PAGE, offsetOf(search.page)]);
    // An ambiguous search promises no moment; whoever asks for an exact identity or a key may have just bound it.
    const isExact = search.exact || search.platform === this.environment.SERVICE_NAME;
    const rows = (isExact ? null : await this.replicas.ask(ask)) ?? (await ask(this.dataSource.manager));
    return { items: groupByAvatar(rows), total: Number(rows[0]?.total ?? 0), current: search.page };
  }

  /** Null where nothing can match. */
  private conditionOf({ platform, exact }: ProofSearch, identities: string[]): Condition | null {
    if (platform === this.environment.SERVICE_NAME) return byKey(identities);
    if (platform) this.platforms.get(platform);
    return exact
      ? this.exactly(platform ? [platform] : this.platforms.names(), identities)
      : containing(platform, identities);
  }

  /** A text names another canonical identity on each platform, so the search is for pairs. */
  private exactly(platforms: string[], texts: string[]): Condition | null {
    const pairs = platforms.flatMap((platform) =>
      texts.flatMap((text) => {
        const identity = this.platforms.findIdentity(platform, text);
        return identity === null ? [] : [{ platform, identity }];
      }),
    );
    if (pairs.length === 0) return null;
    return {
      sql: '(p.platform, p.identity) in (select * from unnest($1::text[], $2::text[]))',
      parameters: [pairs.map((pair) => pair.platform), pairs.map((pair) => pair.identity)],
    };
  }
}

/** @throws InvalidRequestError */
function splitIdentities(text: string): string[] {
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) {
    throw new InvalidRequestError(
      `identity has ${Buffer.byteLength(text)} bytes; at most ${MAX_QUERY_BYTES} are allowed.`,
    );
  }
  const identities = text.split(',').filter((identity) => identity.trim() !== '');
  if (identities.length === 0) throw new InvalidRequestError('identity is empty.');
  if (identities.length > MAX_IDENTITIES) {
    throw new InvalidRequestError(`There are ${identities.length} identities; at most ${MAX_IDENTITIES} are allowed.`);
  }
  const long = identities.find((identity) => identity.length > MAX_IDENTITY_LENGTH);
  if (long) {
    throw new InvalidRequestError(
      `An identity has ${long.length} characters; at most ${MAX_IDENTITY_LENGTH} are allowed.`,
    );
  }
  return identities;
}

function byKey(texts: string[]): Condition | null {
  const avatars = texts.flatMap((text) => AvatarKey.find(text.trim())?.compressed ?? []);
  return avatars.length === 0 ? null : { sql: 'p.avatar = any($1::text[])', parameters: [avatars] };
}

function containing(platform: string | undefined, texts: string[]): Condition | null {
  // No database text holds U+0000, so nothing can contain it.
  const patterns = texts
    .filter((text) => !text.includes('\0'))
    .map((text) => `%${literal(text.trim().toLowerCase())}%`);
  if (patterns.length === 0) return null;
  const sql = 'p.identity_folded like any($1::text[])';
  return platform
    ? { sql: `${sql} and p.platform = $2`, parameters: [patterns, platform] }
    : { sql, parameters: [patterns] };
}

/** `%`, `_` and the escape itself mean themselves. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Always answers at least one row, so that the total is known on a page past the end too. */
function listSql(condition: string, next: number): string {
  return `
    with matching as (
      select p.avatar, max(p.link_id) as newest from proof p where ${condition} group by p.avatar
    ), page as (
      select avatar, newest from matching order by newest desc limit $${next} offset $${next + 1}
    )
    select counted.total, page.avatar, head.archive_id as last_archive_id,
      p.platform, p.identity, p.created_at, p.last_checked_at, p.is_valid, p.invalid_reason
    from (select count(*) as total from matching) as counted
    left join page on true
    left join lateral (
      select archive_id from chain_link where avatar = page.avatar order by position_in_chain desc limit 1
    ) as head on true
    left join proof p on p.avatar = page.avatar
    order by page.newest desc, p.link_id desc`;
}

/** Rows of one Avatar stand together. */
function groupByAvatar(rows: Row[]): IdentityGroup[] {
  const groups: IdentityGroup[] = [];
  for (const row of rows) {
    if (row.avatar === null) continue;
    if (groups.at(-1)?.avatar !== row.avatar) {
      groups.push({ avatar: row.avatar, lastArchiveId: row.last_archive_id ?? '', proofs: [] });
    }
    groups.at(-1)!.proofs.push({
      platform: row.platform,
      identity: row.identity,
      createdAt: row.created_at,
      lastCheckedAt: row.last_checked_at,
      isValid: row.is_valid,
      invalidReason: row.invalid_reason,
    });
  }
  return groups;
}
