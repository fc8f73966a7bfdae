import { Turns } from '../../src/concurrency/turns.js';

const PIECES = 20;
/** More than the pieces between two turns may take. */
const PIECE_MS = 1;

describe('long work in pieces', () => {
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
});
