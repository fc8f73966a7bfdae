import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SingleFlight } from '../concurrency/single-flight.js';
import { Environment } from '../config/environment.js';
import { GatheredRead } from '../database/gathered-read.js';
import { readRowsWithin } from '../database/prepared.js';
import { Replicas } from '../database/replicas.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { InvalidRequestError } from '../domain/domain-errors.js';
import { offsetOf, type Page, PER_PAGE } from '../domain/page.js';
import type { PlatformVerifier } from '../platform/platform-verifier.js';
import { MAX_IDENTITY_LENGTH, PlatformService } from '../platform/platform.service.js';
import { comparing, containing } from './ambiguous-terms.js';
import {
  type Condition,
  countedPageSql,
  type CountedRow,
  type ListRow,
  MAX_AMBIGUOUS_PAGE,
  MAX_AMBIGUOUS_TOTAL,
  newestPageSql,
  newestTotalsSql,
  PAGE_BY_KEYS,
  PAGE_BY_PAIRS,
  totalSql,
} from './proof-lists.js';
import type { Proof } from './proof.entity.js';

/** Identities of one lookup. */
export const MAX_IDENTITIES = 50;
/** Bytes of the `identity` parameter after decoding. */
const MAX_QUERY_BYTES = 12 * 1024;

/** Pairs of platform and identity of a lookup that shares a statement with others: one text on every platform. */
const GATHERED_PAIRS = 20;
/** The same for keys. */
const GATHERED_KEYS = 5;

/** Milliseconds after which PostgreSQL gives up a statement of an ambiguous lookup. */
const AMBIGUOUS_MS = 2000;

/** One Avatar with its proofs (contract, Identity group). */
export interface IdentityGroup {
  avatar: string;
  lastArchiveId: string;
  /** UNIX seconds of its newest link. */
  activatedAt: number;
  /** How many proofs it holds; in a list of several Avatars not all are shown. */
  proofsTotal: number;
  proofs: Pick<
    Proof,
    'platform' | 'identity' | 'createdAt' | 'lastCheckedAt' | 'isValid' | 'invalidReason' | 'chainId' | 'accountId'
  >[];
}

/** What is looked for; identities are alternatives, the platform holds for all of them. */
export interface ProofSearch {
  platform?: string | undefined;
  /** As in the query: separated by commas. */
  identity: string;
  exact: boolean;
  page: number;
}

/** Lookups of bindings by identity (contract, GET /v1/proof; docs/design/decisions.md 5). */
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
   * Avatars that hold a matching proof, the Avatar with the newest matching proof first; each with all its proofs, or
   * in a list of several with the first of them (see `proof-lists`).
   * @throws InvalidRequestError for too many or too long identities, (`unknown_platform`) an unknown platform, and
   *   (`page_too_deep`) a page of an ambiguous lookup beyond the last one that is answered.
   */
  async find(search: ProofSearch): Promise<Page<IdentityGroup>> {
    const { platform, exact, page } = search;
    const texts = splitIdentities(search.identity);
    if (platform === this.environment.SERVICE_NAME) {
      return pageOf(this.byKeys, avatarsOf(texts), page, GATHERED_KEYS);
    }
    const verifiers = platform ? [this.platforms.get(platform)] : this.platforms.all();
    if (exact) {
      const pairs = this.pairsOf(verifiers, texts);
      return pageOf(this.byPairs, pairs, page, GATHERED_PAIRS);
    }
    if (page > MAX_AMBIGUOUS_PAGE) {
      throw new InvalidRequestError(
        `An ambiguous lookup has ${MAX_AMBIGUOUS_PAGE} pages at most; give more of the identity, or exact=true, or look up by key (platform=${this.environment.SERVICE_NAME}).`,
        'page_too_deep',
      );
    }
    return this.findAmbiguous(search, texts);
  }

  /**
   * An ambiguous lookup promises no moment, so a replica may answer it; whoever asks for an exact identity or a key
   * may have just bound it.
   */
  private async findAmbiguous(search: ProofSearch, texts: string[]): Promise<Page<IdentityGroup>> {
    const condition = containing(search.platform, texts);
    if (!condition) return { items: [], total: 0, current: search.page };
    const read = async (source: DataSource) =>
      (await this.frequentPage(source, search, texts, condition)) ?? countedPage(source, search, texts, condition);
    const found = (await this.replicas.ask((manager) => read(manager.dataSource))) ?? (await read(this.dataSource));
    return { ...found, total: Math.min(found.total, MAX_AMBIGUOUS_TOTAL) };
  }

  /**
   * A term that many identities hold fills its page from the newest of them, whatever their number, and often the total
   * too; it is shared by those who ask for it at the same time. Null for any other term, which is left to the indexes.
   */
  private async frequentPage(
    source: DataSource,
    { page, platform }: ProofSearch,
    texts: string[],
    condition: Condition,
  ): Promise<Page<IdentityGroup> | null> {
    const compared = comparing(platform, texts);
    const values = [...compared.parameters, PER_PAGE, offsetOf(page)];
    const rows = await readRowsWithin<ListRow>(AMBIGUOUS_MS, source, newestPageSql(compared, page), values);
    const items = groupByAvatar(rows);
    if (items.length < PER_PAGE) return null;
    const countBy = async (sql: string, { parameters }: Condition) => {
      const rows = await readRowsWithin<{ total: string }>(AMBIGUOUS_MS, source, sql, parameters);
      return Number(rows[0]!.total);
    };
    const count = async () => {
      for (const sql of newestTotalsSql(compared)) {
        if ((await countBy(sql, compared)) === MAX_AMBIGUOUS_TOTAL) return MAX_AMBIGUOUS_TOTAL;
      }
      return countBy(totalSql(condition), condition);
    };
    const counted = await this.totals.follow(count, JSON.stringify(condition));
    // A binding may have been deleted between the two statements.
    return { items, total: Math.max(counted, offsetOf(page) + items.length), current: page };
  }

  /** A text names another canonical identity on each platform, so the search is for pairs of platform and identity. */
  private pairsOf(verifiers: PlatformVerifier[], texts: string[]): [string, string][] {
    return verifiers.flatMap((verifier) =>
      texts.flatMap((text): [string, string][] => {
        const identity = this.platforms.findIdentity(verifier, text);
        return identity === null ? [] : [[verifier.platform, identity]];
      }),
    );
  }
}

/** The page of what is looked for, of which there may be nothing. More than `gathered` is asked alone. */
async function pageOf(
  read: GatheredRead<CountedRow>,
  wanted: unknown[],
  page: number,
  gathered: number,
): Promise<Page<IdentityGroup>> {
  if (wanted.length === 0) return { items: [], total: 0, current: page };
  const key = [JSON.stringify(wanted), offsetOf(page)];
  return toPage(await (wanted.length > gathered ? read.rowsAlone(...key) : read.rows(...key)), page);
}

/** The page and its total by one statement. */
async function countedPage(
  source: DataSource,
  { page, platform }: ProofSearch,
  texts: string[],
  condition: Condition,
): Promise<Page<IdentityGroup>> {
  const isMatch = comparing(platform, texts, condition.parameters.length + 3);
  const values = [...condition.parameters, PER_PAGE, offsetOf(page), ...isMatch.parameters];
  return toPage(
    await readRowsWithin<CountedRow>(AMBIGUOUS_MS, source, countedPageSql(condition, isMatch.sql), values),
    page,
  );
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

/** Texts that are not keys match nothing. */
function avatarsOf(texts: string[]): string[] {
  return texts.flatMap((text) => AvatarKey.find(text.trim())?.compressed ?? []);
}

/** Rows of one Avatar stand together. */
function groupByAvatar(rows: ListRow[]): IdentityGroup[] {
  const groups: IdentityGroup[] = [];
  for (const row of rows) {
    if (row.avatar === null) continue;
    if (groups.at(-1)?.avatar !== row.avatar) {
      const { avatar, last_archive_id: archiveId, activated_at: activatedAt, proofs_total: proofsTotal } = row;
      groups.push({ avatar, lastArchiveId: archiveId ?? '', activatedAt, proofsTotal, proofs: [] });
    }
    groups.at(-1)!.proofs.push({
      platform: row.platform,
      identity: row.identity,
      createdAt: row.created_at,
      lastCheckedAt: row.last_checked_at,
      isValid: row.is_valid,
      invalidReason: row.invalid_reason,
      chainId: row.chain_id,
      accountId: row.account_id,
    });
  }
  return groups;
}
