import { jest } from '@jest/globals';
import type { LogWitness } from '../../src/transparency-log/witnesses/log-policy.js';
import type { SignedHead } from '../../src/transparency-log/log-store.js';
import { WitnessRounds } from '../../src/transparency-log/witnesses/witness-rounds.js';

type Parts = ConstructorParameters<typeof WitnessRounds>;

describe('a round of the witnesses', () => {
  it('shows all of them the same tree head, while the log grows with each look', async () => {
    const witnesses = ['one', 'two', 'three'].map((name) => ({ key: { name }, name, verifierKey: name }));
    let size = 0;
    const newestHead = () => Promise.resolve({ head: { size: (size += 1), note: '' } as SignedHead, change: null });
    const asked: [string, number][] = [];
    const client = {
      ask: ({ name }: LogWitness & { name: string }, _known: number, head: SignedHead) => {
        asked.push([name, head.size]);
        return Promise.resolve({ kind: 'problem', problem: 'it is only asked' });
      },
    };
    const rounds = new WitnessRounds(
      { LOG_WITNESS_SECONDS: 60 } as Parts[0],
      { witnesses } as unknown as Parts[1],
      { current: () => Promise.resolve({ origin: 'log.example' }) } as unknown as Parts[2],
      { newestHead } as unknown as Parts[3],
      {} as Parts[4],
      client as unknown as Parts[5],
      {
        claim: () => Promise.resolve(witnesses.map(({ verifierKey }) => ({ verifierKey, size: 0 }))),
        addProblem: jest.fn(() => Promise.resolve()),
      } as unknown as Parts[6],
    );

    await rounds.round(true);

    expect(asked.map(([name]) => name)).toEqual(['one', 'two', 'three']);
    expect(new Set(asked.map(([, shown]) => shown)).size).toBe(1);
  });
});
