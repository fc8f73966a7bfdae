import type { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { type Ask, readWithin } from '../../database/connections/prepared.js';
import { offsetOf, type Page, PER_PAGE } from '../../domain/page.js';
import {
  ALL_PAGE,
  type FoundRow,
  MAX_AMBIGUOUS_TOTAL,
  NEWEST,
  NEWEST_PAGE,
  type PiecesTable,
  pieceByPieceSql,
} from './ambiguous-sql.js';
import { groupByAvatar, type IdentityGroup, type ListRow } from './proof-lists.js';
import { FORMER_SEARCH_INDEX, IS_WAITING } from './search-table.js';

/** Milliseconds after which PostgreSQL gives up a statement of an ambiguous lookup. */
const AMBIGUOUS_MS = 2000;

/**
 * Bindings that the index names and that are looked at, besides the rest of the last range (32,768): one costs about
 * half a microsecond. The first number nearly always does, because few Avatars hold more than two that match.
 */
const LOOKED = [3000, 20_000];
/** Those of a look-up of many terms, which compares each binding with all of them. */
const LOOKED_FOR_MANY = [3000, 10_000];
const MANY_TERMS = 25;

const statementsOf = (table: PiecesTable, looked: number[]) => looked.map((most) => pieceByPieceSql(most, table));
const STATEMENTS = {
  proof_search: { few: statementsOf('proof_search', LOOKED), many: statementsOf('proof_search', LOOKED_FOR_MANY) },
  proof: { few: statementsOf('proof', LOOKED), many: statementsOf('proof', LOOKED_FOR_MANY) },
};

/** Pieces of a term that the index is asked for. More of them seldom exclude a binding, and each costs the same. */
const MOST_PIECES = 4;
/** How often the index is asked for a piece of a range, at most: one time costs about two microseconds. */
const MOST_ASKED = 16_000;

/** What answers before the table of searches is filled: indexes of former versions. */
const STATE = `
  select
    not exists (select from proof p where ${IS_WAITING} order by p.link_id offset ${NEWEST} limit 1) as "isFilled",
    exists (select from pg_index where indexrelid = to_regclass('${FORMER_SEARCH_INDEX}') and indisvalid) as "hasPieces",
    exists (select from pg_index where indexrelid = to_regclass('proof_identity_grams') and indisvalid) as "hasGrams"`;

interface State {
  isFilled: boolean;
  hasPieces: boolean;
  hasGrams: boolean;
}

/** What an ambiguous lookup looks for: any of the terms, on one platform or on all. */
export interface AmbiguousSearch {
  platform: string | null;
  /** At least one; folded as `identity_folded` is. */
  terms: string[];
}

interface Found {
  items: IdentityGroup[];
  /** Absent where it is counted apart. */
  total?: number;
}

/**
 * Lookups of parts of identities: the newest Avatars that match, and how many do, up to `MAX_AMBIGUOUS_TOTAL`. A term
 * may be in every identity of a large table or in none, and neither way looks at more than a fixed number of bindings:
 *
 * 1. The newest bindings are compared one by one. A frequent term fills its page from these, and its total is counted
 *    by the second way, once for all who ask at the same time.
 * 2. An index names the bindings that have the pieces of a term, in one range of links after the other, the newest
 *    first (see the migration `search-by-pieces`). A frequent term needs few ranges, a rare one few bindings of each.
 *    Bindings that the index does not have yet (see `SearchUpkeep`) are compared one by one, 1,000 of them at most.
 *
 * A page that is not full when a bound is reached is not answered, because what is missing on it is unknown.
 */
export class AmbiguousLookups {
  private readonly totals = new SingleFlight<number>();
  /** Databases whose table of searches was filled once. What waits there is compared with each lookup. */
  private readonly filled = new WeakSet<DataSource>();

  /**
   * Returns null where too many bindings have to be looked at to find this page among them.
   * @throws the driver's own error, SQLSTATE 57014 if a statement takes too long
   */
  async find(source: DataSource, search: AmbiguousSearch, page: number): Promise<Page<IdentityGroup> | null> {
    const table = await this.tableOf(source);
    const offset = offsetOf(page);
    const found = await readWithin(AMBIGUOUS_MS, source, (ask) => findPage(ask, search, table, offset));
    if (!found) return null;
    const countNow = () => readWithin(AMBIGUOUS_MS, source, (ask) => count(ask, search, table));
    const total = found.total ?? (await this.totals.follow(countNow, JSON.stringify(search)));
    // Where not all could be counted, and where a binding was deleted between page and total.
    const least = found.items.length > 0 ? offset + found.items.length : 0;
    return { items: found.items, current: page, total: Math.min(Math.max(total, least), MAX_AMBIGUOUS_TOTAL) };
  }

  /**
   * The table whose index of pieces answers: that of searches, unless an upgraded database or its replica still fills
   * it and has the index of 0.2.0. Null where only that of 0.1.0 is there.
   */
  private async tableOf(source: DataSource): Promise<PiecesTable | null> {
    if (this.filled.has(source)) return 'proof_search';
    const [state] = await readWithin(AMBIGUOUS_MS, source, (ask) => ask<State>(STATE, []));
    const { isFilled, hasPieces, hasGrams } = state!;
    if (isFilled) this.filled.add(source);
    if (isFilled || !(hasPieces || hasGrams)) return 'proof_search';
    return hasPieces ? 'proof' : null;
  }
}

/** The terms of a query, each once. No text in a database holds U+0000, so nothing can contain it. */
export function termsOf(texts: string[]): string[] {
  return [...new Set(texts.filter((text) => !text.includes('\0')).map((text) => text.toLowerCase()))];
}

async function findPage(
  ask: Ask,
  search: AmbiguousSearch,
  table: PiecesTable | null,
  offset: number,
): Promise<Found | null> {
  const items = groupByAvatar(await ask<ListRow>(NEWEST_PAGE, [...matchValues(search), PER_PAGE, offset]));
  if (items.length === PER_PAGE) return { items };
  const rows = await lookUp(ask, search, table, PER_PAGE, offset);
  const found = { items: groupByAvatar(rows), total: rows[0]!.total };
  return rows[0]!.is_done || found.items.length === PER_PAGE ? found : null;
}

/** How many Avatars match; the least that it can be where more would have to be looked at. */
async function count(ask: Ask, search: AmbiguousSearch, table: PiecesTable | null): Promise<number> {
  return (await lookUp(ask, search, table, 0, 0))[0]!.total;
}

/** The page and total by an index. There is always one row. */
async function lookUp(
  ask: Ask,
  search: AmbiguousSearch,
  table: PiecesTable | null,
  limit: number,
  offset: number,
): Promise<FoundRow[]> {
  const pieces = table ? piecesOf(search) : search.terms.map(gramsOf);
  const ranges = Math.max(1, Math.floor(MOST_ASKED / pieces.flat().length));
  const values = [...matchValues(search), limit, offset, pieces.map((own) => own.join('\x01')), ranges];
  let rows: FoundRow[] = [];
  const size = search.terms.length > MANY_TERMS ? 'many' : 'few';
  for (const sql of table ? STATEMENTS[table][size] : [ALL_PAGE]) {
    rows = await ask<FoundRow>(sql, values);
    if (rows[0]!.is_done || !rows[0]!.has_more) break;
  }
  return rows;
}

function matchValues({ terms, platform }: AmbiguousSearch): unknown[] {
  return [terms.map(patternOf), platform];
}

/**
 * What the index of pieces has of all identities that contain each term, without the number of the range. The platform
 * is one of them where there is one term: asked for each of many, it would cost more than comparing what they name.
 */
function piecesOf({ terms, platform }: AmbiguousSearch): string[][] {
  const onPlatform = platform !== null && terms.length === 1 ? [`@${platform}`] : [];
  return terms.map((term) => {
    const cuts = cutsOf(term, 3);
    const step = (cuts.length - 1) / (Math.min(cuts.length, MOST_PIECES) - 1 || 1);
    const spread = cuts.slice(0, MOST_PIECES).map((_, index) => cuts[Math.round(index * step)]!);
    return [...spread.map((cut) => `:${cut}`), ...onPlatform];
  });
}

/** What the index of version 0.1.0 has of all identities that contain the term. */
function gramsOf(term: string): string[] {
  return cutsOf(term, 2);
}

/** All different parts of so many characters, or the whole term where it has less. Characters are code points. */
function cutsOf(term: string, length: number): string[] {
  const characters = [...term];
  const ends = characters.slice(length - 1);
  return ends.length === 0 ? [term] : [...new Set(ends.map((_, at) => characters.slice(at, at + length).join('')))];
}

/** `%`, `_` and the escape itself mean themselves. */
function patternOf(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
