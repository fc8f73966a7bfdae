import { TILE_WIDTH } from '@signet/verify/internal/log';
import type { DataSource } from 'typeorm';
import { readRows } from '../../database/connections/prepared.js';

const LINE_BREAK = 0x0a;
/** Of the length in front of an entry. */
const LENGTH_BYTES = 2;

/** In front of each entry: as many bytes as its length has in a bundle. Canonical JSON has no line breaks. */
const BUNDLES = `
  select (
    select e'\\n\\n' || string_agg(entry, e'\\n\\n' order by leaf_index) from log_leaf
    where leaf_index >= number * ${TILE_WIDTH} and leaf_index < (number + 1) * ${TILE_WIDTH}
  ) as entries
  from generate_series($1::bigint, $2::bigint) as number order by number`;

/**
 * Full bundles (C2SP tlog-tiles), from the bundle `first` on. One text for each: a row for each entry costs more than
 * reading it.
 * @throws RangeError if one is not there as a whole
 */
export async function readBundles(dataSource: DataSource, first: number, count: number): Promise<Buffer[]> {
  const values = [first, first + count - 1];
  const rows = await readRows<{ entries: string | null }>(dataSource, ['log_leaf'], BUNDLES, values);
  return rows.map(({ entries }, place) => {
    const bundle = toBundle(entries ?? '');
    if (!bundle) throw new RangeError(`The bundle ${first + place} is not stored.`);
    return bundle;
  });
}

/** @param text 256 entries, two line breaks in front of each; null for any other number of them */
function toBundle(text: string): Buffer | null {
  const bundle = Buffer.from(text);
  let start = 0;
  let count = 0;
  for (; start < bundle.length; count++) {
    const next = bundle.indexOf(LINE_BREAK, start + LENGTH_BYTES);
    const end = next < 0 ? bundle.length : next;
    bundle.writeUInt16BE(end - start - LENGTH_BYTES, start);
    start = end;
  }
  return count === TILE_WIDTH ? bundle : null;
}
