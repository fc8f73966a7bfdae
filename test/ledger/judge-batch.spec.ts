import { AlreadyRecordedError, StaleChainError } from '../../src/domain/domain-errors.js';
import { judgeBatch } from '../../src/ledger/judge-batch.js';
import type { ChainState, SignedItem } from '../../src/ledger/signed-chain.js';
import { anAvatar } from '../support/avatar.js';

/** An item of `avatar` that is signed on `previous`. */
function item(avatar: string, signature: string, previous: string | null, uuid = signature): SignedItem {
  const { key } = anAvatar(avatar);
  const rest = { platform: 'github', identity: 'alice', createdAt: new Date(0), signaturePayload: '{}' };
  return { avatar: key, signature, previous, uuid, ...rest };
}

const state = (head: string | null, isRecorded = false): ChainState => ({ head, headAt: null, isRecorded, length: 0 });
const accept = ({ signature }: SignedItem): string => `accepted ${signature}`;

describe('items that come at the same moment', () => {
  it('are accepted where each is the next one of its chain', () => {
    const items = [item('alice', 'a1', null), item('bob', 'b2', 'b1')];

    const { accepted, refused, later } = judgeBatch(items, [state(null), state('b1')], accept);

    expect([...accepted]).toEqual([
      [0, 'accepted a1'],
      [1, 'accepted b2'],
    ]);
    expect([refused.size, later]).toEqual([0, []]);
  });

  it('are refused where the chain has moved on, or the uuid is recorded, which goes before', () => {
    const items = [item('alice', 'a2', 'a0'), item('bob', 'b2', 'b0')];

    const { accepted, refused } = judgeBatch(items, [state('a1'), state('b1', true)], accept);

    expect(accepted.size).toBe(0);
    expect(refused.get(0)).toBeInstanceOf(StaleChainError);
    expect(refused.get(1)).toBeInstanceOf(AlreadyRecordedError);
  });

  it('wait for the next round where they follow an item of this very batch', () => {
    const items = [item('alice', 'a1', null), item('alice', 'a2', 'a1')];

    const { accepted, refused, later } = judgeBatch(items, [state(null), state(null)], accept);

    expect([[...accepted.keys()], refused.size, later]).toEqual([[0], 0, [1]]);
  });

  it('are refused where another one of the batch took their head or their uuid', () => {
    const items = [item('alice', 'a1', null), item('alice', 'other', null), item('alice', 'twin', null, 'a1')];

    const { accepted, refused } = judgeBatch(items, [state(null), state(null), state(null)], accept);

    expect([...accepted.keys()]).toEqual([0]);
    expect(refused.get(1)).toBeInstanceOf(StaleChainError);
    expect(refused.get(2)).toBeInstanceOf(AlreadyRecordedError);
  });

  it('leave their head to the next one where they are refused for something else', () => {
    const refusal = new Error('not this one');
    const items = [item('alice', 'a1', null), item('alice', 'b1', null)];

    const { accepted, refused, later } = judgeBatch(items, [state(null), state(null)], (one) =>
      one.signature === 'a1' ? refusal : accept(one),
    );

    expect(refused.get(0)).toBe(refusal);
    expect([[...accepted.keys()], later]).toEqual([[1], []]);
  });
});
