import type { RecordedAnswer } from './release-data.js';

/** A difference that is in order, and why. */
export interface Expected {
  /** Of the path of the request, without its query. */
  path: RegExp;
  /** Of the place in the body, such as `ids[].proofs[].chain_id`. */
  member: RegExp;
  why: string;
  /** What holds of both bodies in place of being the same; without it any difference is in order. */
  holds?: (now: Body, before: Body) => boolean;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer as a client sees it
type Body = any;

/**
 * What differs between two answers to each request, as lines `<path> <place>: <what>`. Members that are new are told as
 * `added`, all others as `removed` or `changed`. Differences that `expected` names are left out.
 */
export function differencesOf(before: RecordedAnswer[], after: RecordedAnswer[], expected: Expected[]): string[] {
  const now = new Map(joinPages(after).map((answer) => [keyOf(answer), answer]));
  const lines = joinPages(before).flatMap((answer) => {
    const other = now.get(keyOf(answer));
    if (!other) return [`${keyOf(answer)} was not asked`];
    const found = [...differences('status', answer.status, other.status), ...differences('', answer.body, other.body)];
    const [path] = answer.path.split('?');
    return found
      .filter(
        ({ member }) =>
          !expected.some(
            (each) =>
              each.path.test(path!) && each.member.test(member) && (each.holds?.(other.body, answer.body) ?? true),
          ),
      )
      .map(({ member, what }) => `${keyOf(answer)} ${member}: ${what}`);
  });
  return [...new Set(lines)];
}

/** One answer of all pages of a list, with the items of all; the size of pages may differ. */
function joinPages(answers: RecordedAnswer[]): RecordedAnswer[] {
  const joined = new Map<string, RecordedAnswer>();
  for (const answer of answers) {
    const path = answer.path.replace(/([?&])page=\d+$/, '$1page=all');
    const first = joined.get(keyOf({ ...answer, path }));
    if (!first) joined.set(keyOf({ ...answer, path }), { ...answer, path, body: structuredClone(answer.body) });
    else appendLists(first.body, answer.body);
  }
  return [...joined.values()];
}

function appendLists(first: unknown, next: unknown): void {
  if (!isObject(first) || !isObject(next)) return;
  for (const [name, list] of Object.entries(first)) {
    const more = next[name];
    if (Array.isArray(list) && Array.isArray(more)) list.push(...more);
  }
}

/** Expectations that met nothing: they are over, or wrong. */
export function unusedOf(before: RecordedAnswer[], after: RecordedAnswer[], expected: Expected[]): string[] {
  const all = differencesOf(before, after, []).length;
  return expected
    .filter((each) => differencesOf(before, after, [each]).length === all)
    .map(({ path, member }) => `${path.source} ${member.source}`);
}

interface Difference {
  member: string;
  what: string;
}

function differences(member: string, before: unknown, after: unknown): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length =
      before.length === after.length
        ? []
        : [{ member, what: `changed from ${before.length} items to ${after.length}` }];
    return [
      ...length,
      ...before.flatMap((item, index) => (index < after.length ? differences(`${member}[]`, item, after[index]) : [])),
    ];
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const place = member === '' ? name : `${member}.${name}`;
      if (!(name in after)) return [{ member: place, what: 'removed' }];
      if (!(name in before)) return [{ member: place, what: 'added' }];
      return differences(place, before[name], after[name]);
    });
  }
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
  return one === other ? [] : [{ member, what: `changed from ${one} to ${other}` }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyOf({ path, admin }: RecordedAnswer): string {
  return `${admin ? 'admin ' : ''}${path}`;
}
