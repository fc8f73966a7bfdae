import type { DataSource } from 'typeorm';
import { SingleFlight } from '../../concurrency/single-flight.js';
import { PAIRS_INDEX } from '../../database/schema/migrations/upgrade-steps.js';
import { type Ask, readWithin } from '../../database/connections/prepared.js';
import { offsetOf, type Page, PER_PAGE } from '../../domain/page.js';
import {
  allPageSql,
  fewPageSql,
  fewTotalSql,
  type FoundRow,
  MAX_AMBIGUOUS_TOTAL,
  newestCountedPageSql,
  newestPageSql,
  type NewestRow,
  newestTotalsSql,
  OFTEN_STAND_IN,
  rangesPageSql,
  STAND_INS,
  totalSql,
} from './ambiguous-lists.js';
import type { AmbiguousTerms } from './ambiguous-terms.js';
import { groupByAvatar, type IdentityGroup, toPage } from './identity-groups.js';
import type { Condition, CountedRow } from './proof-lists.js';

/** Milliseconds after which PostgreSQL gives up a statement of an ambiguous lookup. */
const AMBIGUOUS_MS = 2000;

/** Bindings that are looked at by an index. As many Avatars as are counted have seldom more that match. */
const FIRST_LOOKED = 2000;
/** Where that was too little, for so many times more. */
const LOOKED_GROWTH = 10;
/** How often a binding is compared with one of several terms, at most, which takes PostgreSQL some 40 ms. */
const MOST_COMPARISONS = 500_000;
const MOST_LOOKED = 20_000;

const HAS_INDEX = `
  select exists (select from pg_index where indexrelid = to_regclass($1) and indisvalid) as "isThere"`;

/** One lookup: how it asks, for what, and which Avatars are to be answered. */
interface Lookup {
  ask: Ask;
  terms: AmbiguousTerms;
  limit: number;
  offset: number;
}

/**
 * Lookups of parts of identities: the newest Avatars that match, and how many do, up to `MAX_AMBIGUOUS_TOTAL`.
 *
 * A term may be in every identity of a large table or in none, and what is the cheapest way for one is the dearest for
 * another, so the ways are tried from the cheapest on, each with a bound on what it looks at:
 *
 * 1. The newest bindings: a frequent term fills the page from these, and its total is counted apart, once for all who
 *    ask at the same time. Where they do not, a look at the newest ranges of the index of pairs within ranges tells
 *    about how many bindings match.
 * 2. A term that few seem to hold: the indexes over the whole table, which answer with all that match.
 * 3. All ranges, the newest first, until there are as many Avatars as are counted.
 *
 * Terms of one character, and all terms while that index is not built yet, are looked for in 1, 2, and more and more of
 * the newest bindings; if that does not do, in all that match.
 *
 * Several terms are looked for in 1, in some more of the newest bindings where they are frequent, and in 2. What is
 * left then would cost as often as there are terms, so such a page is not answered.
 */
export class AmbiguousLookups {
  private readonly totals = new SingleFlight<number>();
  /** Databases that have the index of pairs within ranges. */
  private readonly indexed = new WeakSet<DataSource>();

  /**
   * Returns null where too many bindings match several terms to find this page among them.
   * @throws the driver's own error, SQLSTATE 57014 if a statement takes too long
   */
  async find(source: DataSource, terms: AmbiguousTerms, page: number): Promise<Page<IdentityGroup> | null> {
    const usable = await this.usable(source, terms);
    const limits = { limit: PER_PAGE, offset: offsetOf(page) };
    const found = await readWithin(AMBIGUOUS_MS, source, (ask) => find({ ask, terms: usable, ...limits }, page));
    if (!found) return null;
    const countNow = () =>
      readWithin(AMBIGUOUS_MS, source, (ask) => count({ ask, terms: usable, limit: 0, offset: 0 }, found.isOften));
    const total = found.total ?? (await this.totals.follow(countNow, JSON.stringify(terms.indexed)));
    // A binding may have been deleted between page and total.
    const least = found.items.length > 0 ? offsetOf(page) + found.items.length : 0;
    return { items: found.items, current: page, total: Math.min(Math.max(total, least), MAX_AMBIGUOUS_TOTAL) };
  }

  /** Without the ranges, where the index is not built yet. A replica has it when the primary's work has reached it. */
  private async usable(source: DataSource, terms: AmbiguousTerms): Promise<AmbiguousTerms> {
    if (!terms.inRange || this.indexed.has(source)) return terms;
    const [row] = await readWithin(AMBIGUOUS_MS, source, (ask) => ask<{ isThere: boolean }>(HAS_INDEX, [PAIRS_INDEX]));
    if (!row!.isThere) return { ...terms, inRange: undefined };
    this.indexed.add(source);
    return terms;
  }
}

/** What is found of a page. */
interface Found {
  items: IdentityGroup[];
  /** Absent where it is counted apart. */
  total?: number;
  isOften: boolean;
}

async function find(lookup: Lookup, page: number): Promise<Found | null> {
  const rows = await newestRows(lookup);
  const items = groupByAvatar(rows);
  const { is_often: isOften, expected } = rows[0]!;
  if (items.length === PER_PAGE) return { items, isOften };
  if (lookup.terms.count === 1) return { ...toPage(await indexedRows(lookup, expected), page), isOften };
  const found = (isOften ? await oftenRows(lookup) : null) ?? (await fewRows(lookup, mostLooked(lookup.terms)));
  return found && { ...toPage(found, page), isOften };
}

/** How many bindings are looked at by an index for several terms. */
function mostLooked({ count }: AmbiguousTerms): number {
  return Math.min(MOST_LOOKED, Math.floor(MOST_COMPARISONS / count));
}

/** Null where too few of the newest match. */
async function oftenRows(lookup: Lookup): Promise<FoundRow[] | null> {
  const condition = lookup.terms.compared(1);
  const sqlOf = (isMatch: string) => newestCountedPageSql(OFTEN_STAND_IN, condition, isMatch);
  const rows = await askFor<FoundRow>(lookup, condition, sqlOf);
  return rows[0]!.is_done ? rows : null;
}

function newestRows({ ask, terms, limit, offset }: Lookup): Promise<NewestRow[]> {
  const compared = terms.compared(1);
  const values = [...compared.parameters, limit, offset];
  const inRange = terms.inRange?.(values.length + 1);
  return ask<NewestRow>(newestPageSql(compared, inRange), [...values, ...(inRange?.parameters ?? [])]);
}

/** @param expected about how many bindings match; null if unknown */
async function indexedRows(lookup: Lookup, expected: number | null): Promise<CountedRow[]> {
  const few = (expected ?? 0) <= FIRST_LOOKED ? await fewRows(lookup, FIRST_LOOKED) : null;
  return few ?? (lookup.terms.inRange ? rangesRows(lookup, lookup.terms.inRange(1)) : standInRows(lookup));
}

/** Ends at the latest when everything that matches is looked at. */
async function rangesRows(lookup: Lookup, condition: Condition): Promise<FoundRow[]> {
  for (let most = FIRST_LOOKED; ; most *= LOOKED_GROWTH) {
    const rows = await askFor<FoundRow>(lookup, condition, (isMatch) => rangesPageSql(condition, isMatch, most));
    if (rows[0]!.is_done) return rows;
  }
}

/** Null where too many match. */
async function fewRows(lookup: Lookup, most: number): Promise<FoundRow[] | null> {
  const { indexed } = lookup.terms;
  const rows = await askFor<FoundRow>(lookup, indexed, (isMatch) => fewPageSql(indexed, isMatch, most));
  return rows[0]!.is_done ? rows : null;
}

async function standInRows(lookup: Lookup): Promise<CountedRow[]> {
  const { indexed } = lookup.terms;
  const condition = lookup.terms.compared(1);
  for (const bindings of STAND_INS) {
    const sqlOf = (isMatch: string) => newestCountedPageSql(bindings, condition, isMatch);
    const rows = await askFor<FoundRow>(lookup, condition, sqlOf);
    if (rows[0]!.is_done) return rows;
  }
  return askFor<CountedRow>(lookup, indexed, (isMatch) => allPageSql(indexed, isMatch));
}

/** Runs a statement whose parameters are those of `condition`, the page's limits, and those of `isMatch`. */
function askFor<Row extends object>(
  { ask, terms, limit, offset }: Lookup,
  { parameters }: Condition,
  sqlOf: (isMatch: string) => string,
): Promise<Row[]> {
  const values = [...parameters, limit, offset];
  const isMatch = terms.compared(values.length + 1);
  return ask<Row>(sqlOf(isMatch.sql), [...values, ...isMatch.parameters]);
}

/** How many Avatars match, up to `MAX_AMBIGUOUS_TOTAL`, or more. */
async function count(lookup: Lookup, isOften: boolean): Promise<number> {
  const { ask, terms } = lookup;
  const compared = terms.compared(1);
  const countBy = async (sql: string, { parameters }: Condition) =>
    (await ask<{ total: number }>(sql, parameters))[0]!.total;
  const isBounded = terms.count > 1;
  for (const sql of newestTotalsSql(compared, isOften, isBounded || terms.inRange !== undefined)) {
    if ((await countBy(sql, compared)) === MAX_AMBIGUOUS_TOTAL) return MAX_AMBIGUOUS_TOTAL;
  }
  // Where more bindings match than are looked at, they nearly always have as many Avatars as are counted.
  if (isBounded) return countBy(fewTotalSql(terms.indexed, mostLooked(terms)), terms.indexed);
  if (!terms.inRange) return countBy(totalSql(terms.indexed), terms.indexed);
  return (await rangesRows(lookup, terms.inRange(1)))[0]!.total;
}
