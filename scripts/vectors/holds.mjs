/** Times of links and patches among key events that have stopped the writes of their Avatar. */
import { recoveryNamesOf } from '@signet/verify/key-events';
import { eventsOf } from './key-events.mjs';
import { accepted, person, refused, START, uuidOf } from './people.mjs';

/**
 * @import { Said } from './key-events.mjs'
 * @import { Expected } from './types.d.ts'
 */

const [HOUR, DAY, WEEK, SPREAD] = [3_600, 86_400, 7 * 86_400, 600];
const paper = person('words on paper');
const next = person('next key of alice');

const freeze = { action: 'key.freeze', after: 0 };
/** @param {number} after @param {object} [counts] */
const thaw = (after, counts = {}) => ({ action: 'key.thaw', after, ...counts });
const commit = {
  action: 'key.commit',
  fields: { delay_hours: 72, recovery: [recoveryNamesOf(paper.avatar).hash] },
  after: 0,
  links: 0,
  patches: 0,
};
const succeed = {
  action: 'key.succeed',
  fields: { since_link: null, since_patch: null, successor: next.avatar },
  successor: next,
  after: 0,
};

/**
 * The Avatar had two links and one patch at each event that does not say otherwise.
 * @param {string} id
 * @param {Expected} expected
 * @param {Said[]} said
 * @param {{ links: (number | null)[], patches?: (number | null)[], now?: number }} writes times behind `START`
 */
function vector(id, expected, said, { links, patches = [null], now = DAY }) {
  /** @param {number | null} time */
  const timeOf = (time) => (time === null ? null : START + time);
  const times = { links: links.map(timeOf), patches: patches.map(timeOf), now: START + now };
  return { id, events: eventsOf(said), ...times, expected };
}

/** @typedef {Parameters<typeof vector>[3]} Writes */

/** @param {string} id @param {Said[]} said @param {Writes} writes */
const good = (id, said, writes) => vector(id, accepted(), said, writes);
/** @param {string} id @param {Said[]} said @param {Writes} writes */
const bad = (id, said, writes) => vector(id, refused(['held']), said, writes);
/** @param {string} id @param {Said[]} said @param {Writes} writes */
const open = (id, said, writes) => vector(id, accepted({}, ['held']), said, writes);

/** Links and patches among key events. */
export function holds() {
  const veto = { action: 'key.veto', fields: { event: uuidOf('key event 0') }, after: HOUR };
  return {
    description:
      'The times (UNIX seconds, or null) at which the links and patches of an Avatar were recorded, all before `now`, and its key events, oldest first, which verify: whether any was recorded while they had stopped its writes.',
    vectors: [
      good('no-key-events', [], { links: [0, null] }),
      good('all-before-a-freeze', [freeze], { links: [-DAY, null] }),
      good('a-link-behind-the-end-of-a-freeze', [freeze], { links: [null, null, WEEK + DAY], now: 9 * DAY }),
      good('a-link-behind-a-thaw', [freeze, thaw(HOUR)], { links: [null, null, 2 * HOUR] }),
      good('a-link-behind-a-thaw-at-an-unknown-time', [freeze, thaw(HOUR)], { links: [null, null, null] }),
      good('a-link-behind-a-veto', [succeed, veto], { links: [null, null, 2 * HOUR] }),
      good('a-link-ten-minutes-before-the-end-of-a-freeze', [freeze], {
        ...{ links: [null, null, WEEK - SPREAD], now: 9 * DAY },
      }),
      bad('a-link-more-than-ten-minutes-before-the-end-of-a-freeze', [freeze], {
        ...{ links: [null, null, WEEK - SPREAD - 1], now: 9 * DAY },
      }),
      bad('a-link-in-a-freeze-that-is-in-force', [freeze], { links: [null, null, null] }),
      open('a-link-at-an-unknown-time-behind-a-freeze-that-is-over', [freeze], {
        ...{ links: [null, null, null], now: 9 * DAY },
      }),
      bad('a-link-in-a-freeze-before-one-at-an-unknown-time', [freeze], {
        ...{ links: [null, null, DAY, null], now: 9 * DAY },
      }),
      bad('a-patch-before-a-thaw-by-its-place', [freeze, thaw(DAY, { patches: 2 })], {
        ...{ links: [null, null], patches: [null, null] },
      }),
      bad('a-link-in-a-freeze-of-a-recovery-key', [commit, { ...freeze, by: paper, after: HOUR }], {
        ...{ links: [null, null, 8 * DAY], now: 40 * DAY },
      }),
      bad('a-link-behind-a-succession-that-is-pending', [succeed], { links: [null, null, DAY] }),
      bad('a-link-behind-a-succession-that-is-final', [succeed], { links: [null, null, 999 * DAY], now: 1000 * DAY }),
      good('a-link-ten-minutes-before-the-event-that-stands-before-it', [freeze, thaw(DAY)], {
        ...{ links: [null, null, DAY - SPREAD], now: 2 * DAY },
      }),
      bad('a-link-long-before-the-event-that-stands-before-it', [freeze, thaw(DAY)], {
        ...{ links: [null, null, DAY - SPREAD - 1], now: 2 * DAY },
      }),
      good('a-link-ten-minutes-behind-the-event-that-stands-behind-it', [freeze], { links: [null, SPREAD] }),
      bad('a-link-long-behind-the-event-that-stands-behind-it', [freeze], { links: [null, SPREAD + 1] }),
    ],
  };
}
