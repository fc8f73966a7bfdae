/** The work of the bare loops: the recorded statements, with fresh values where a submit needs them. */

import { built } from '../scripts/built.mjs';

/** @import { RecordedRequest, SubmitRequest, Words } from './types.d.ts' */

const { ADVISORY_LOCKS } = await built('database/advisory-locks.js');

/**
 * Which id a statement of a submit gives to those after it; `pg-load.mjs` reads it from the first row.
 * @type {[RegExp, string][]}
 */
const GIVERS = [[/as "newestId"/, 'link']];
/** Numbers in the feed of patches are given under a lock; the loop writes without one, and leaves them to the log. */
const NUMBERS_LOCK = new RegExp(`pg_advisory_xact_lock\\(${ADVISORY_LOCKS.patchNumbers}\\)`);
const NUMBERED = /"feed_place":\d+/g;
const BEGIN = /^(begin|start transaction)/i;
const COMMIT = /^commit/i;

/**
 * One item for each recorded read.
 * @param {RecordedRequest[]} records
 * @throws Error if a request did not succeed
 */
export function readItems(records) {
  return records.map(({ status, statements }) => {
    if (status !== 200) throw new Error(`A recorded read was answered with ${status}`);
    return { statements };
  });
}

/**
 * The transaction of one recorded submit as a function that returns its statements for another submit. `ids` are the
 * ids that the database gave to the recorded one: values equal to them are filled in by the loop.
 * @param {RecordedRequest} record
 * @param {Words} words
 * @param {Record<string, string>} ids
 */
export function submitTemplate({ status, statements }, words, ids) {
  if (status !== 201) throw new Error(`The recorded submit was answered with ${status}`);
  const first = statements.findIndex(({ text }) => BEGIN.test(text));
  const last = statements.findIndex(({ text }) => COMMIT.test(text));
  const transaction = statements.slice(first, last + 1).filter(({ text }) => !NUMBERS_LOCK.test(text));
  return (/** @type {SubmitRequest} */ fresh) => ({
    check: fresh.check,
    statements: transaction.map((statement) => ({
      ...statement,
      // The statement that takes the lock of a chain names its Avatar in its text.
      text: statement.name ? statement.text : renew(statement.text, words, fresh.words, ids),
      values: statement.values.map((value) => renew(value, words, fresh.words, ids)),
      gives: GIVERS.find(([pattern]) => pattern.test(statement.text))?.[1],
    })),
  });
}

/** @param {any} value @param {Words} old @param {Words} fresh @param {Record<string, string>} ids @returns {any} */
function renew(value, old, fresh, ids) {
  const given = Object.entries(ids).find(([, id]) => String(value) === String(id));
  if (given) return { given: given[0] };
  if (Array.isArray(value)) return value.map((member) => renew(member, old, fresh, ids));
  if (typeof value !== 'string') return value;
  let text = value.replaceAll(NUMBERED, '"feed_place":null');
  for (const [word, seen] of Object.entries(old)) text = text.replaceAll(seen, fresh[word]);
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(`id":${id},`, `id":<<${name}>>,`);
  return text;
}
