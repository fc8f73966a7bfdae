import { cleanPasted, holdsPrivateKey } from '@signet/verify/internal';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment.js';
import { GatheredRead } from '../../database/connections/gathered-read.js';
import { Replicas } from '../../database/replicas.js';
import { AvatarKey } from '../../domain/avatar-key.js';
import { offsetOf, type Page } from '../../domain/page.js';
import { InvalidRequestError, type PlatformVerifier } from '@signet/look';
import { MAX_IDENTITY_LENGTH, PRIVATE_KEY } from '../../platform/identity-text.js';
import { PlatformService } from '../../platform/platform.service.js';
import { AmbiguousLookups, termsOf } from './ambiguous-lookups.js';
import { LookedUp } from './looked-up.js';
import { MAX_AMBIGUOUS_PAGE } from './ambiguous-sql.js';
import { type FindProofsQueryDto, MAX_IDENTITIES } from './proof-lookup.dto.js';
import {
  type CountedRow,
  groupByAvatar,
  type IdentityGroup,
  type ListRow,
  PAGE_BY_KEYS,
  PAGE_BY_PAIRS,
  type PairsRow,
} from './proof-lists.js';
import { MOST_HOLDERS } from '../valid-proof.js';

/** Bytes of the `identity` parameter after decoding. */
const MAX_QUERY_BYTES = 12 * 1024;

/** Pairs of platform and identity of a lookup that shares a statement with others: one text on every platform. */
const GATHERED_PAIRS = 20;
/** Bindings that a lookup of several pairs reads in all, by a statement of its own. */
const MOST_BINDINGS = 20_000;
/** Keys of a lookup that shares a statement with others. */
const GATHERED_KEYS = 5;

/** Lookups of bindings by identity (contract, GET /v1/proof; docs/design/decisions.md 5). */
@Injectable()
export class ProofQueries {
  private readonly ambiguous = new AmbiguousLookups();
  private readonly byPairs: GatheredRead<PairsRow>;
  private readonly byKeys: GatheredRead<CountedRow>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly platforms: PlatformService,
    private readonly environment: Environment,
    private readonly lookedUp: LookedUp,
  ) {
    this.byPairs = new GatheredRead(dataSource, PAGE_BY_PAIRS);
    this.byKeys = new GatheredRead(dataSource, PAGE_BY_KEYS);
  }

  /**
   * Avatars that hold a matching proof, the Avatar with the newest matching proof first; each with all its proofs, or
   * in a list of several with the first of them (see `proof-lists`).
   * @throws InvalidRequestError for too many or too long identities, (`unknown_platform`) an unknown platform, and
   *   (`page_too_deep`) a page of an ambiguous lookup beyond the last one that is answered, or of an exact one that is
   *   not among the newest Avatars of names that very many hold.
   */
  async find(search: FindProofsQueryDto): Promise<Page<IdentityGroup>> {
    const { platform, exact, page } = search;
    const texts = splitIdentities(search.identity);
    if (platform === this.environment.SERVICE_NAME) {
      return this.findKeys(avatarsOf(texts), page);
    }
    const verifiers = platform ? [this.platforms.get(platform)] : this.platforms.all();
    if (exact) return this.findPairs(this.pairsOf(verifiers, texts), page);
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

  /** Of one pair the newest 1,000 Avatars are answered, of several the newest that are certain to be. */
  private async findPairs(pairs: [string, string][], page: number): Promise<Page<IdentityGroup>> {
    if (pairs.length === 0) return { items: [], total: 0, current: page };
    const key = [JSON.stringify(pairs), offsetOf(page)];
    const most = (bindings: number) => Math.min(Math.floor(bindings / pairs.length), MOST_HOLDERS);
    const isGathered = pairs.length <= GATHERED_PAIRS;
    let rows = isGathered ? await this.byPairs.rows(...key, most(MOST_HOLDERS)) : null;
    if (!rows || (rows[0]!.isCut && pairs.length > 1)) {
      rows = await this.byPairs.rowsAlone(...key, most(MOST_BINDINGS));
    }
    this.announce(rows);
    const { isCut, total: known } = rows[0]!;
    if (isCut && offsetOf(page + 1) > known) {
      throw new InvalidRequestError(
        `Too many Avatars hold ${pairs.length === 1 ? 'this name' : 'one of these names'} to find this page: the newest ${MOST_HOLDERS} of one name on one platform are answered. Look for one name on one platform at a time, or by key (platform=${this.environment.SERVICE_NAME}).`,
        'page_too_deep',
      );
    }
    // The next page of several is refused, so that a reader of all pages does not take the known for all.
    const total = isCut && pairs.length > 1 ? known + 1 : known;
    return { items: groupByAvatar(rows), total, current: page };
  }

  private async findKeys(avatars: string[], page: number): Promise<Page<IdentityGroup>> {
    if (avatars.length === 0) return { items: [], total: 0, current: page };
    const key = [JSON.stringify(avatars), offsetOf(page)];
    const isGathered = avatars.length <= GATHERED_KEYS;
    // At least one row, because the statements count too.
    const rows = await (isGathered ? this.byKeys.rows(...key) : this.byKeys.rowsAlone(...key));
    this.announce(rows);
    return { items: groupByAvatar(rows), total: rows[0]!.total, current: page };
  }

  private announce(rows: ListRow[]): void {
    for (const row of rows) if (row.avatar !== null) this.lookedUp.bindings.next({ ...row, avatar: row.avatar });
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

/** @throws InvalidRequestError */
function splitIdentities(text: string): string[] {
  if (holdsPrivateKey(text)) throw new InvalidRequestError(PRIVATE_KEY, 'invalid_identity');
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
