import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment.js';
import { hiddenParameter, readRows } from '../database/prepared.js';
import { Replicas } from '../database/replicas.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import { MAX_IDENTITY_LENGTH, PlatformService } from '../platform/platform.service.js';
import { comparing, containing } from './ambiguous-terms.js';
import {
  type Condition,
  countedPageSql,
  type CountedRow,
  type ListRow,
  newestPageSql,
  totalSql,
} from './proof-lists.js';
import type { Proof } from './proof.entity.js';
import { SharedAnswers } from './shared-answers.js';

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

/** Look-ups of bindings by identity (contract, GET /v1/proof; decisions.md 5). */
@Injectable()
export class ProofQueries {
  private readonly totals = new SharedAnswers<number>();

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
    const texts = splitIdentities(search.identity);
    const condition = this.conditionOf(search, texts);
    if (!condition) return { items: [], total: 0, current: search.page };
    // An ambiguous search promises no moment; whoever asks for an exact identity or a key may have just bound it.
    if (search.exact || search.platform === this.environment.SERVICE_NAME) {
      return countedPage(this.dataSource, search, condition);
    }
    const read = async (source: DataSource) =>
      (await this.frequentPage(source, search, texts, condition)) ?? countedPage(source, search, condition);
    return (await this.replicas.ask((manager) => read(manager.dataSource))) ?? read(this.dataSource);
  }

  /**
   * A term that many identities hold fills its page from the newest of them, whatever their number; only the total takes longer, and is shared by
   * those who ask for it at the same time. Null for any other term, which is left to the indexes.
   */
  private async frequentPage(
    source: DataSource,
    { page, platform }: ProofSearch,
    texts: string[],
    condition: Condition,
  ): Promise<Page<IdentityGroup> | null> {
    const compared = comparing(platform, texts);
    const values = [...compared.parameters, PER_PAGE, offsetOf(page)];
    const items = groupByAvatar(await readRows<ListRow>(source, newestPageSql(compared), values));
    if (items.length < PER_PAGE) return null;
    const counted = await this.totals.get(JSON.stringify(condition), async () => {
      const rows = await readRows<{ total: string }>(source, totalSql(condition), condition.parameters);
      return Number(rows[0]!.total);
    });
    // A binding may have been deleted between the two statements.
    return { items, total: Math.max(counted, offsetOf(page) + items.length), current: page };
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
      sql: `(p.platform, p.identity) in (select * from unnest(${hiddenParameter(1, 'text[]')}, ${hiddenParameter(2, 'text[]')}))`,
      parameters: [pairs.map((pair) => pair.platform), pairs.map((pair) => pair.identity)],
    };
  }
}

/** The page and its total by one statement. */
async function countedPage(
  source: DataSource,
  { page }: ProofSearch,
  condition: Condition,
): Promise<Page<IdentityGroup>> {
  const values = [...condition.parameters, PER_PAGE, offsetOf(page)];
  const rows = await readRows<CountedRow>(source, countedPageSql(condition), values);
  return { items: groupByAvatar(rows), total: Number(rows[0]!.total), current: page };
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
  return avatars.length === 0
    ? null
    : { sql: `p.avatar = any(${hiddenParameter(1, 'text[]')}::text[])`, parameters: [avatars] };
}

/** Rows of one Avatar stand together. */
function groupByAvatar(rows: ListRow[]): IdentityGroup[] {
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
