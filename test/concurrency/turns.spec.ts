import { jest } from '@jest/globals';
import { Turns } from '../../src/concurrency/turns.js';

const PIECES = 20;
/** More than the pieces between two turns may take. */
const PIECE_MS = 1;

describe('long work in pieces', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets others have their turn behind each piece that took long', async () => {
    const turns = new Turns();
    const order: string[] = [];
    setImmediate(() => order.push('another'));
    for (let piece = 1; piece <= PIECES; piece++) {
      for (const end = performance.now() + PIECE_MS; performance.now() < end;);
      order.push(`piece ${piece}`);
      await turns.next();
    }

    expect(order.slice(0, 2)).toEqual(['piece 1', 'another']);
    expect(order).toHaveLength(PIECES + 1);
  });

  /** Turns that others had, of which each took so long, while 400 pieces of a quarter of a millisecond were done. */
  async function turnsOfOthers(othersMs: number): Promise<number> {
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    let count = 0;
    const takeTurn = (): void => {
      count += 1;
      nowMs += othersMs;
      other = setImmediate(takeTurn);
    };
    let other = setImmediate(takeTurn);
    const turns = new Turns();
    for (let piece = 1; piece <= 400; piece++) {
      nowMs += 0.25;
      await turns.next();
    }
    clearImmediate(other);
    return count;
  }

  it('has about half of the time where others take much, and lets them wait for ten milliseconds at most', async () => {
    expect(await turnsOfOthers(0)).toBe(400);
    // 100 ms of work beside 100 ms of others.
    expect(await turnsOfOthers(2)).toBe(50);
    expect(await turnsOfOthers(15)).toBe(10);
  });
});
