import { headsSince, MAX_PAST_HEADS, type PastHead } from '../../src/ledger/signed-chain.js';

const MINUTE_MS = 60_000;
const at = (minute: number) => new Date(minute * MINUTE_MS);
/** Links of one chain by name and minute, newest first. */
const chain = (...links: [string, number][]): PastHead[] =>
  links.map(([signature, minute]) => ({ signature, recordedAt: at(minute) }));

describe('the heads on which a payload may have been issued', () => {
  it('are those since its time and the one that was the head then', () => {
    const newest = chain(['d', 60], ['c', 50], ['b', 20], ['a', 10]);

    expect(headsSince(newest, at(40))).toEqual(['d', 'c', 'b']);
  });

  it('are the newest alone where nothing came since', () => {
    expect(headsSince(chain(['b', 20], ['a', 10]), at(40))).toEqual(['b']);
  });

  it('include the empty chain if the first link is younger than the payload', () => {
    expect(headsSince(chain(['b', 60], ['a', 50]), at(40))).toEqual(['b', 'a', null]);
  });

  it('are the empty chain alone where there is no link', () => {
    expect(headsSince([], at(40))).toEqual([null]);
  });

  it('reach five minutes further back, because clocks differ', () => {
    const newest = chain(['c', 60], ['b', 36], ['a', 30]);

    expect(headsSince(newest, at(40))).toEqual(['c', 'b', 'a']);
    expect(headsSince(newest, at(42))).toEqual(['c', 'b']);
    expect(headsSince(newest, at(41))).toEqual(['c', 'b', 'a']);
  });

  it('do not include the empty chain if there may be older links that were not read', () => {
    const newest = chain(...Array.from({ length: MAX_PAST_HEADS }, (_, index): [string, number] => [`s${index}`, 100]));

    expect(headsSince(newest, at(40))).not.toContain(null);
  });
});
