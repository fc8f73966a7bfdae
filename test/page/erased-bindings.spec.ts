import type { ChainLink } from '@signet/sdk';
import { identityKeyText } from '@signet/verify/internal/chains';

type BindingsOf = (group: null, chain: object, avatar: string) => { identity: string }[];
/** Not a name that the compiler follows: what this imports has the types of browsers. */
const source: string = '../../web/src/look/bindings.js';
const { bindingsOf } = (await import(source)) as { bindingsOf: BindingsOf };

const ALICE = { platform: 'github', identity: 'alice' };
const BOB = { platform: 'github', identity: 'bob' };
const link = (name: typeof ALICE, action: string) => ({ ...name, action, created_at: '1', uuid: 'u' }) as ChainLink;
const erased = (name: typeof ALICE, action: string) =>
  ({
    ...link(name, action),
    identity: '',
    erased: { at: 1, identity_key: identityKeyText(name), reason: 'order 12', record: 'ab'.repeat(32) },
  }) as ChainLink;
/** What the page says is bound at the end of a chain where the server lists nothing. */
const boundBehind = (links: ChainLink[]) => {
  const items = links.map((item) => ({ item, ok: true, complete: true, steps: [] }));
  const chain = { items, total: items.length, isComplete: true, version: 1 };
  return bindingsOf(null, chain, '0x02').map(({ identity }) => identity);
};

describe('what the page holds against the list of the server', () => {
  it('is what the links have made', () => {
    expect(boundBehind([link(ALICE, 'create'), link(BOB, 'create'), link(ALICE, 'delete')])).toEqual(['bob']);
  });

  it.each(['create', 'delete'])('has nothing of an identity whose last link, a %s, was erased', (action) => {
    expect(boundBehind([link(ALICE, 'create'), link(BOB, 'create'), erased(ALICE, action)])).toEqual(['bob']);
  });
});
