import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/gathered-read.js';
import { readRows } from '../database/prepared.js';
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
  PAGE_BY_KEYS,
  PAGE_BY_PAIRS,
  totalSql,
} from './proof-lists.js';
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

/** Look-ups of bindings by identity (contract, GET /v1/proof; docs/design/decisions.md 5). */
@Injectable()
export class ProofQueries {
  private readonly totals = new SingleFlight<number>();
  private readonly byPairs: GatheredRead<CountedRow>;
  private readonly byKeys: GatheredRead<CountedRow>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
  ) {
    this.byPairs = new GatheredRead(dataSource, PAGE_BY_PAIRS);
    this.byKeys = new GatheredRead(dataSource, PAGE_BY_KEYS);
  }

  /**
   * Avatars that hold a matching proof, each with all its proofs; the Avatar with the newest matching proof first.
   * @throws InvalidRequestError for too many or too long identities and (`unknown_platform`) an unknown platform.
   */
  async find(search: ProofSearch): Promise<Page<IdentityGroup>> {
    const { platform, exact, page } = search;
    const texts = splitIdentities(search.identity);
    // An ambiguous search promises no moment; whoever asks for an exact identity or a key may have just bound it.
    if (platform === this.environment.SERVICE_NAME) return pageOf(this.byKeys, avatarsOf(texts), page);
    if (platform) this.platforms.get(platform);
    if (exact) return pageOf(this.byPairs, this.pairsOf(platform ? [platform] : this.platforms.names(), texts), page);
    const condition = containing(platform, texts);
    if (!condition) return { items: [], total: 0, current: page };
    const read = async (source: DataSource) =>
      (await this.frequentPage(source, search, texts, condition)) ?? countedPage(source, search, condition);
    return (await this.replicas.ask((manager) => read(manager.dataSource))) ?? read(this.dataSource);
  }

  /**
   * A term that many identities hold fills its page from the newest of them, whatever their number; only the total
   * takes longer, and is shared by those who ask for it at the same time. Null for any other term, which is left to the
   * indexes.
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
    const count = async () => {
      const rows = await readRows<{ total: string }>(source, totalSql(condition), condition.parameters);
      return Number(rows[0]!.total);
    };
    const counted = await this.totals.follow(count, JSON.stringify(condition));
    // A binding may have been deleted between the two statements.
    return { items, total: Math.max(counted, offsetOf(page) + items.length), current: page };
  }

  /** A text names another canonical identity on each platform, so the search is for pairs of platform and identity. */
  private pairsOf(platforms: string[], texts: string[]): [string, string][] {
    return platforms.flatMap((platform) =>
      texts.flatMap((text): [string, string][] => {
        const identity = this.platforms.findIdentity(platform, text);
        return identity === null ? [] : [[platform, identity]];
      }),
    );
  }
}

/** The page of what is looked for, of which there may be nothing. */
async function pageOf(read: GatheredRead<CountedRow>, wanted: unknown[], page: number): Promise<Page<IdentityGroup>> {
  if (wanted.length === 0) return { items: [], total: 0, current: page };
  return toPage(await read.rows(JSON.stringify(wanted), offsetOf(page)), page);
}

/** The page and its total by one statement. */
async function countedPage(
  source: DataSource,
  { page }: ProofSearch,
  condition: Condition,
): Promise<Page<IdentityGroup>> {
  const values = [...condition.parameters, PER_PAGE, offsetOf(page)];
  return toPage(await readRows<CountedRow>(source, countedPageSql(condition), values), page);
}

function toPage(rows: CountedRow[], page: number): Page<IdentityGroup> {
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

/** Texts that are no keys match nothing. */
function avatarsOf(texts: string[]): string[] {
  return texts.flatMap((text) => AvatarKey.find(text.trim())?.compressed ?? []);
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
