import type { HoldingEvent } from '../src/key-events/key-events.js';
import { verifyHolds } from '../src/key-events/key-events.js';

const [START, DAY, HOUR] = [1_763_700_000, 86_400, 3_600];
const RECOVERY = `key:${'1'.repeat(64)}`;

const event = (uuid: string, said: object): HoldingEvent =>
  ({
    uuid,
    fields: {},
    signer: 'main',
    cosigner: null,
    links: 2,
    patches: 1,
    recorded_at: START,
    ...said,
  }) as HoldingEvent;
const freeze = event('a freeze', { action: 'key.freeze' });
const thaw = (at: number, counts: object = {}) =>
  event('a thaw', { action: 'key.thaw', recorded_at: START + at, ...counts });
const fields = { successor: `0x02${'3'.repeat(64)}`, since_link: null, since_patch: null };
const succession = event('a succession', { action: 'key.succeed', fields });

/** The state of the step `held`, and its sentence. */
function held(
  events: HoldingEvent[],
  links: (number | null)[],
  patches: (number | null)[] = [null],
  now = START + DAY,
) {
  const [step] = verifyHolds(events, { links, patches, now }).steps;
  return `${step!.name} ${step!.state}: ${step!.detail}`;
}

describe('links and patches among key events', () => {
  it.each<[string, string]>([
    ['there are no key events', held([], [START, null])],
    ['all are before a freeze', held([freeze], [START - DAY, null])],
    ['one is behind the end of a freeze', held([freeze], [null, null, START + 8 * DAY], [null], START + 9 * DAY)],
    ['one is behind a thaw', held([freeze, thaw(HOUR)], [null, null, START + 2 * HOUR])],
    ['one is in the minutes around the end of a freeze', held([freeze], [null, null, START + 7 * DAY - 300])],
  ])('are good where %s', (_, said) => {
    expect(said).toMatch(/^held ok: No link and no patch was recorded while the keys/);
  });

  it.each<[string, string, RegExp]>([
    [
      'in a freeze, by its time',
      held([freeze], [null, null, START + DAY], [null], START + 30 * DAY),
      /Link 3 .* a freeze/,
    ],
    [
      'in a freeze that is in force',
      held([freeze], [null, null, null]),
      /Link 3 was recorded while key event a freeze/,
    ],
    [
      'before a thaw, by its place',
      held([freeze, thaw(DAY, { patches: 2 })], [null, null], [null, null]),
      /Patch 2 .* a freeze/,
    ],
    [
      'behind a succession that is pending',
      held([succession], [null, null, START + 999 * DAY]),
      /Link 3 .* a succession/,
    ],
    [
      'behind an event that is later',
      held([freeze, thaw(DAY)], [null, null, START]),
      /Link 3 .* which its place .* contradicts/,
    ],
    [
      'before an event that is earlier',
      held([freeze], [null, START + DAY]),
      /Link 2 .* which its place .* contradicts/,
    ],
  ])('fail where one was recorded %s', (_, said, sentence) => {
    expect(said).toMatch(/^held failed: /);
    expect(said).toMatch(sentence);
  });

  it('cannot be checked where a freeze is over and the time of one is not known', () => {
    expect(held([freeze], [null, null, null], [null], START + 9 * DAY)).toMatch(/^held not_checkable: When link 3 was/);
  });

  it('are asked about anything, and nothing throws', () => {
    for (const events of [null, {}, [null], [{}], RECOVERY]) {
      expect(typeof verifyHolds(events as never, { links: [], patches: [], now: START }).ok).toBe('boolean');
    }
  });
});
