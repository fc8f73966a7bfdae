import { cleanPasted } from '@signet/verify';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { GatheredRead } from '../../database/connections/gathered-read.js';
import { Replicas } from '../../database/connections/replicas.js';
import { AvatarKey } from '../../domain/avatar-key.js';
import { InvalidRequestError } from '../../domain/domain-errors.js';
import { offsetOf, type Page } from '../../domain/page.js';
import type { PlatformVerifier } from '@signet/look';
import { MAX_IDENTITY_LENGTH, PlatformService } from '../../platform/platform.service.js';
import { AmbiguousLookups, termsOf } from './ambiguous-lookups.js';
import { MAX_AMBIGUOUS_PAGE } from './ambiguous-sql.js';
import { type FindProofsQueryDto, MAX_IDENTITIES } from './proof-lookup.dto.js';
import { type CountedRow, groupByAvatar, type IdentityGroup, PAGE_BY_KEYS, PAGE_BY_PAIRS } from './proof-lists.js';

/** Bytes of the `identity` parameter after decoding. */
const MAX_QUERY_BYTES = 12 * 1024;

/** Pairs of platform and identity of a lookup that shares a statement with others: one text on every platform. */
const GATHERED_PAIRS = 20;
/** Keys of a lookup that shares a statement with others. */
const GATHERED_KEYS = 5;

/** Lookups of bindings by identity (contract, GET /v1/proof; docs/design/decisions.md 5). */
@Injectable()
export class ProofQueries {
  private readonly ambiguous = new AmbiguousLookups();
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
  async find(search: FindProofsQueryDto): Promise<Page<IdentityGroup>> {
    const { platform, exact, page } = search;
    const texts = splitIdentities(search.identity);
    if (platform === this.environment.SERVICE_NAME) {
      return pageOf(this.byKeys, avatarsOf(texts), page, GATHERED_KEYS);
    }
    const verifiers = platform ? [this.platforms.get(platform)] : this.platforms.all();
    if (exact) return pageOf(this.byPairs, this.pairsOf(verifiers, texts), page, GATHERED_PAIRS);
    if (page > MAX_AMBIGUOUS_PAGE) {
      throw new InvalidRequestError(
        `An ambiguous lookup has ${MAX_AMBIGUOUS_PAGE} pages at most; give more of the identity, or exact=true, or look up by key (platform=${this.environment.SERVICE_NAME}).`,
        'page_too_deep',
      );
    }
    return this.findAmbiguous(search, texts);
  }

  /**
   * An ambiguous lookup promises no moment, so a replica may answer it. Exact identities and keys are read from the
   * primary, because the caller may have just bound them.
   */
  private async findAmbiguous({ platform, page }: FindProofsQueryDto, texts: string[]): Promise<Page<IdentityGroup>> {
    const terms = termsOf(texts);
    if (terms.length === 0) return { items: [], total: 0, current: page };
    const search = { platform: platform || null, terms };
    const read = async (source: DataSource) => ({ page: await this.ambiguous.find(source, search, page) });
    const found = (await this.replicas.ask((manager) => read(manager.dataSource))) ?? (await read(this.dataSource));
    if (found.page) return found.page;
    throw new InvalidRequestError(
      'Too many bindings resemble these identities to find this page; give more of each, ask for fewer of them at a time, or exact=true.',
      'page_too_deep',
    );
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
  // At least one row, because the statements count too.
  const rows = await (wanted.length > gathered ? read.rowsAlone(...key) : read.rows(...key));
  return { items: groupByAvatar(rows), total: rows[0]!.total, current: page };
}

/** @throws InvalidRequestError */
function splitIdentities(text: string): string[] {
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) {
    throw new InvalidRequestError(
      `identity has ${Buffer.byteLength(text)} bytes; at most ${MAX_QUERY_BYTES} are allowed.`,
    );
  }
  const identities = text
    .split(',')
    .map(cleanPasted)
    .filter((identity) => identity !== '');
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
  return texts.flatMap((text) => AvatarKey.find(text)?.compressed ?? []);
}
